// The language server of the page, in a worker, and what it gives the editor: completion, hovers, signatures, new
// names, definitions, references, formatting, and what is wrong with the text.

import {
  findReferencesKeymap,
  formatDocument,
  formatKeymap,
  hoverTooltips,
  jumpToDefinitionKeymap,
  LSPClient,
  renameKeymap,
  serverCompletion,
  signatureHelp,
} from '@codemirror/lsp-client';
import type { Transport } from '@codemirror/lsp-client';
import type { Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import type { Files } from '../engine/messages.ts';
import { scriptName, uriOf } from '../names.ts';
import { startWorker } from '../workers/start-worker.ts';
import { withTextOnly } from './documentation.ts';
import { problemCapabilities, ProblemFinder } from './problems.ts';
import type { Problems } from './problems.ts';
import { PageWorkspace } from './workspace.ts';
import type { FileKeeper } from './workspace.ts';

/** A slow network may take long for the worker's file, which the first request waits for. */
const patienceMs = 120_000;

export interface LanguageServerOptions {
  readonly keeper: FileKeeper;
  readonly show: (problems: Problems) => void;
  readonly fail: (message: string) => void;
}

export class LanguageServer {
  /** For the editor that holds the script. */
  readonly extension: Extension;
  readonly #client: LSPClient;
  readonly #workspace: PageWorkspace;
  readonly #problems: ProblemFinder;
  readonly #failed: Promise<never>;

  constructor({ keeper, show, fail }: LanguageServerOptions) {
    const client = new LSPClient({
      timeout: patienceMs,
      sanitizeHTML: withTextOnly,
      workspace: (client) => new PageWorkspace(client, keeper),
      extensions: [
        { clientCapabilities: problemCapabilities },
        [
          serverCompletion(),
          hoverTooltips(),
          signatureHelp(),
          keymap.of([...formatKeymap, ...renameKeymap, ...jumpToDefinitionKeymap, ...findReferencesKeymap]),
          EditorView.updateListener.of(({ docChanged }) => {
            if (docChanged) this.#problems.schedule();
          }),
        ],
      ],
    });
    this.#client = client;
    this.#workspace = client.workspace as PageWorkspace;
    this.#problems = new ProblemFinder(client, show, ({ message }) => fail(`the language server: ${message}`));
    this.extension = client.plugin(uriOf(scriptName), 'sluice');
    const worker = startWorker('language-server');
    this.#failed = new Promise((_resolve, reject) => {
      worker.addEventListener('error', ({ message }) =>
        reject(new Error(`the language server: ${message || 'its file cannot be loaded'}`)),
      );
    });
    this.#failed.catch((error: unknown) => fail((error as Error).message));
    client.connect(transportOf(worker));
    this.#problems.schedule();
  }

  /** Resolves when it answers; rejects if it never will. */
  async started(): Promise<void> {
    await Promise.race([this.#client.initializing, this.#failed]);
  }

  get canFormat(): boolean {
    return Boolean(this.#client.serverCapabilities?.documentFormattingProvider);
  }

  format(view: EditorView): void {
    formatDocument(view);
  }

  /** From now on these are the files that the script may import. */
  setFiles(files: Files): void {
    this.#workspace.setFiles(files);
    this.#problems.schedule();
  }
}

/** The client writes JSON, the server in the worker takes objects. */
function transportOf(worker: Worker): Transport {
  const listeners = new Map<(text: string) => void, (event: MessageEvent) => void>();
  return {
    send: (text) => worker.postMessage(JSON.parse(text)),
    subscribe: (handler) => {
      const listener = ({ data }: MessageEvent): void => handler(JSON.stringify(data));
      listeners.set(handler, listener);
      worker.addEventListener('message', listener);
    },
    unsubscribe: (handler) => {
      const listener = listeners.get(handler);
      if (listener !== undefined) worker.removeEventListener('message', listener);
      listeners.delete(handler);
    },
  };
}
