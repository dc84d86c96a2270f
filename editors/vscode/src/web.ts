// The extension in browsers: the language server runs in a worker, and nothing can be run.

import * as vscode from 'vscode';
import { LanguageClient } from 'vscode-languageclient/browser';
import { startExtension } from './extension.ts';
import { clientId, clientName } from './session.ts';
import { followScripts, keepScripts, openScripts } from './web/workspace-scripts.ts';

/** The parts of a browser that are used here. */
type WorkerOfClient = ConstructorParameters<typeof LanguageClient>[2] & { terminate(): void };
declare const Worker: new (url: string, options: { readonly name: string }) => WorkerOfClient;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  // The client does not end the worker that it was given.
  const workers: WorkerOfClient[] = [];
  const session = await startExtension(
    context,
    async (options) => {
      workers.pop()?.terminate();
      await openScripts();
      const file = vscode.Uri.joinPath(context.extensionUri, 'dist/server-worker.js');
      const worker = new Worker(await addressOf(file), { name: clientName });
      workers.push(worker);
      return {
        client: new LanguageClient(clientId, clientName, worker, { ...options, middleware: keepScripts }),
        server: 'the server of the extension',
      };
    },
    false,
  );
  followScripts(context, (file) => session.closeDocument(file));
  context.subscriptions.push({ dispose: () => session.stop() });
}

/** An extension that lies on a remote machine has no address that a worker could be started by: its text is one. */
async function addressOf(file: vscode.Uri): Promise<string> {
  if (file.scheme !== 'vscode-remote') return file.toString(true);
  const text = await vscode.workspace.fs.readFile(file);
  return URL.createObjectURL(new Blob([new Uint8Array(text)], { type: 'text/javascript' }));
}
