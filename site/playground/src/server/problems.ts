// What is wrong with the script and the files that it imports, with what mends it: asked of the language server
// whenever the text has changed. Places move along with what is typed until the next answer is there.

import type { LSPClient, WorkspaceMapping } from '@codemirror/lsp-client';
import type {
  CodeAction,
  CodeActionParams,
  Diagnostic,
  DiagnosticRelatedInformation,
  Location,
  Position,
  WorkspaceDiagnosticParams,
  WorkspaceDiagnosticReport,
  WorkspaceEdit,
} from 'vscode-languageserver-protocol';
import { pathOf, scriptName } from '../names.ts';

/** A place in a file. Lines and columns count from 1, as they were when the server was asked. */
export interface Place {
  /** From the folder of scripts. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** UTF-16 offsets in the text as it is now. */
  readonly range: () => { readonly from: number; readonly to: number };
}

export interface Fix {
  readonly title: string;
  readonly apply: () => void;
}

export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  /** What to do about it; may be empty. */
  readonly help: string;
  readonly place: Place;
  readonly labels: readonly { readonly text: string; readonly place: Place }[];
  readonly fixes: readonly Fix[];
}

export interface Problems {
  /** Those of the script come first. */
  readonly all: readonly Problem[];
  /** For several problems at once, whose author can have meant nothing else. */
  readonly sure: { readonly count: number; readonly apply: () => void } | null;
}

/** After so many milliseconds without a further change the server is asked. */
const delayMs = 60;
/** The largest that the protocol has. */
const lastLine = 2 ** 31 - 1;
const quickFix = 'quickfix';
const fixAll = 'source.fixAll';

/** What the page can do, for the server. */
export const problemCapabilities = {
  textDocument: {
    diagnostic: { relatedDocumentSupport: false },
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: [quickFix, fixAll] } },
      isPreferredSupport: true,
    },
  },
};

export class ProblemFinder {
  readonly #client: LSPClient;
  readonly #show: (problems: Problems) => void;
  readonly #fail: (error: Error) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked: WorkspaceDiagnosticParams | null = null;
  /** From the text of the last answer to that of now. */
  #mapping: WorkspaceMapping | null = null;

  constructor(client: LSPClient, show: (problems: Problems) => void, fail: (error: Error) => void) {
    this.#client = client;
    this.#show = show;
    this.#fail = fail;
  }

  /** Something has changed. */
  schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#find(), delayMs);
  }

  async #find(): Promise<void> {
    if (this.#asked !== null) this.#client.cancelRequest(this.#asked);
    const asked: WorkspaceDiagnosticParams = { previousResultIds: [] };
    this.#asked = asked;
    this.#client.sync();
    const mapping = this.#client.workspaceMapping();
    try {
      const problems = await this.#ask(asked, mapping);
      if (this.#asked !== asked) return mapping.destroy();
      this.#mapping?.destroy();
      this.#mapping = mapping;
      this.#show(problems);
    } catch (error) {
      mapping.destroy();
      // What was asked before the last change is of no interest, answered or not.
      if (this.#asked === asked) this.#fail(error as Error);
    }
  }

  async #ask(asked: WorkspaceDiagnosticParams, mapping: WorkspaceMapping): Promise<Problems> {
    const { items } = await this.#client.request<WorkspaceDiagnosticParams, WorkspaceDiagnosticReport>(
      'workspace/diagnostic',
      asked,
    );
    const found = await Promise.all(
      items.map(async (item) => {
        const diagnostics = item.kind === 'full' ? item.items : [];
        return { uri: item.uri, diagnostics, actions: await this.#actionsFor(item.uri, diagnostics) };
      }),
    );
    const ofScript = found.filter(({ uri }) => pathOf(uri) === scriptName);
    const ordered = [...ofScript, ...found.filter((file) => !ofScript.includes(file))];
    const all = ordered.flatMap(({ uri, diagnostics, actions }) =>
      diagnostics.map((diagnostic) => this.#problem(uri, diagnostic, actions, mapping)),
    );
    return {
      all,
      sure: this.#sure(
        ofScript.flatMap(({ actions }) => actions),
        mapping,
      ),
    };
  }

  async #actionsFor(uri: string, diagnostics: readonly Diagnostic[]): Promise<readonly CodeAction[]> {
    if (diagnostics.length === 0) return [];
    const range = { start: { line: 0, character: 0 }, end: { line: lastLine, character: 0 } };
    const actions = await this.#client.request<CodeActionParams, CodeAction[] | null>('textDocument/codeAction', {
      textDocument: { uri },
      range,
      context: { diagnostics: [...diagnostics], only: [quickFix, fixAll] },
    });
    return actions ?? [];
  }

  #problem(uri: string, diagnostic: Diagnostic, actions: readonly CodeAction[], mapping: WorkspaceMapping): Problem {
    const { severity, code, relatedInformation = [] } = diagnostic;
    // The server puts the advice below the message.
    const [message = '', ...help] = textOf(diagnostic.message).split('\n');
    const own = actions.filter(({ diagnostics = [] }) => diagnostics.some((other) => isSame(other, diagnostic)));
    return {
      severity: severity === 1 ? 'error' : 'warning',
      code: String(code),
      message,
      help: help.join('\n'),
      place: this.#place({ uri, range: diagnostic.range }, mapping),
      labels: relatedInformation.map(({ location, message: text }: DiagnosticRelatedInformation) => ({
        text,
        place: this.#place(location, mapping),
      })),
      fixes: own.flatMap(({ title, edit }) =>
        edit === undefined ? [] : [{ title, apply: () => this.#apply(edit, mapping) }],
      ),
    };
  }

  #sure(actions: readonly CodeAction[], mapping: WorkspaceMapping): Problems['sure'] {
    const edit = actions.find(({ kind }) => kind?.startsWith(fixAll))?.edit;
    const count = actions.filter(({ isPreferred }) => isPreferred === true).length;
    return edit === undefined || count < 2 ? null : { count, apply: () => this.#apply(edit, mapping) };
  }

  #place({ uri, range: { start, end } }: Location, mapping: WorkspaceMapping): Place {
    const offset = (position: Position): number => mapping.mapPosition(uri, position);
    return {
      file: pathOf(uri),
      line: start.line + 1,
      column: start.character + 1,
      range: () => ({ from: offset(start), to: offset(end) }),
    };
  }

  #apply({ changes = {} }: WorkspaceEdit, mapping: WorkspaceMapping): void {
    for (const [uri, edits] of Object.entries(changes)) {
      this.#client.workspace.updateFile(uri, {
        changes: edits.map(({ range: { start, end }, newText }) => {
          const from = mapping.mapPosition(uri, start, 1);
          return { from, to: Math.max(from, mapping.mapPosition(uri, end)), insert: newText };
        }),
        userEvent: 'input.fix',
      });
    }
  }
}

function textOf(message: Diagnostic['message']): string {
  return typeof message === 'string' ? message : message.value;
}

function isSame(one: Diagnostic, other: Diagnostic): boolean {
  return one.code === other.code && JSON.stringify(one.range) === JSON.stringify(other.range);
}
