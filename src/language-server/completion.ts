// Completion: what can stand at the cursor. What it says of an item comes when the user looks at that one, if the
// client asks for it then.

import { CompletionItemKind, InsertTextFormat } from 'vscode-languageserver';
import type { CompletionItem, ServerCapabilities } from 'vscode-languageserver';
import { completionsAt } from '../queries/index.ts';
import type { Completion, CompletionKind } from '../queries/index.ts';
import { protocolEdit } from './edits.ts';
import { markup } from './hovers.ts';
import { atPosition } from './requests.ts';
import type { Session } from './session.ts';

export const completionCapabilities: ServerCapabilities = {
  completionProvider: { triggerCharacters: ['.', '"', '/', '@'], resolveProvider: true },
};

const kinds: Readonly<Record<CompletionKind, CompletionItemKind>> = {
  function: CompletionItemKind.Function,
  method: CompletionItemKind.Method,
  variable: CompletionItemKind.Variable,
  parameter: CompletionItemKind.Variable,
  constant: CompletionItemKind.Constant,
  field: CompletionItemKind.Field,
  type: CompletionItemKind.Struct,
  keyword: CompletionItemKind.Keyword,
  namespace: CompletionItemKind.Module,
  import: CompletionItemKind.Module,
  file: CompletionItemKind.File,
  'error-type': CompletionItemKind.Class,
  snippet: CompletionItemKind.Snippet,
  header: CompletionItemKind.Property,
};

/** Which item of which list is meant, when a client asks for more of it. */
interface ItemData {
  readonly list: number;
  readonly at: number;
}

export function answerCompletion(session: Session): void {
  const { connection, places } = session;
  const last = new LastList();
  const documented = ({ documentation }: Completion): Pick<CompletionItem, 'documentation'> => {
    const formats = session.client.textDocument?.completion?.completionItem?.documentationFormat;
    return documentation === null ? {} : { documentation: markup(documentation, formats) };
  };
  connection.onCompletion(
    atPosition(session, ({ analysis, file, offset }) => {
      // What can be imported: importing files are not analysed at each key for it.
      const others = session.documents.all().flatMap(({ name }) => session.analyses.lastOfName(name) ?? []);
      const found = completionsAt(analysis, file.name, offset, { others });
      const list = last.keep(found);
      const client = session.client.textDocument?.completion?.completionItem;
      const takesSnippets = client?.snippetSupport === true;
      const asksLater = client?.resolveSupport?.properties.includes('documentation') === true;
      return found.map((completion, at): CompletionItem => {
        const isSnippet = completion.isSnippet && takesSnippets;
        const text = completion.isSnippet && !takesSnippets ? withoutPlaces(completion.text) : completion.text;
        return {
          label: completion.label,
          kind: kinds[completion.kind],
          ...(completion.detail === null ? {} : { detail: completion.detail }),
          sortText: `${completion.rank}${completion.label}`,
          insertTextFormat: isSnippet ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
          textEdit: { range: places.range(completion.replace), newText: text },
          ...(asksLater ? {} : documented(completion)),
          ...(completion.edits.length === 0
            ? {}
            : { additionalTextEdits: completion.edits.map((edit) => protocolEdit(edit, places)) }),
          data: { list, at } satisfies ItemData,
        };
      });
    }),
  );
  connection.onCompletionResolve((item) => {
    const found = last.find(item.data);
    return found === null ? item : { ...item, ...documented(found) };
  });
}

/** What was last answered: clients ask for more of nothing else. */
class LastList {
  #number = 0;
  #items: readonly Completion[] = [];

  keep(items: readonly Completion[]): number {
    this.#items = items;
    this.#number += 1;
    return this.#number;
  }

  find(data: unknown): Completion | null {
    const { list, at } = (data ?? {}) as Partial<ItemData>;
    return list === this.#number && typeof at === 'number' ? (this.#items[at] ?? null) : null;
  }
}

/** The text of a snippet for clients that know none: each place holds what is proposed for it. */
export function withoutPlaces(snippet: string): string {
  return snippet
    .replaceAll(/\$\{\d+:((?:[^\\}]|\\.)*)\}/g, '$1')
    .replaceAll(/\$\{?\d+\}?/g, '')
    .replaceAll(/\\([\\$}])/g, '$1');
}
