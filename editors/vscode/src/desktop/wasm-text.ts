// `Show WebAssembly Text`: the module of a script in the text format, beside the script, in an editor that cannot be
// written to.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { withBuild } from './build-output.ts';
import { savedFile } from './run-commands.ts';

const scheme = 'sluice-wasm';

export function registerWasmText(context: vscode.ExtensionContext): void {
  const texts = new Map<string, string>();
  const changed = new vscode.EventEmitter<vscode.Uri>();
  context.subscriptions.push(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? '',
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => texts.delete(uri.toString())),
    vscode.commands.registerCommand('sluice.showWasmText', async (place?: unknown) => {
      const file = await savedFile(place);
      if (file === null) return;
      await withBuild(file, ['--wat'], async ({ folder, name }) => {
        const uri = vscode.Uri.from({ scheme, path: file.path.replace(/(\.slu)?$/, '.wat') });
        texts.set(uri.toString(), await readFile(join(folder, `${name}.wat`), 'utf8'));
        changed.fire(uri);
        const document = await vscode.workspace.openTextDocument(uri);
        await vscode.window.showTextDocument(document, {
          viewColumn: vscode.ViewColumn.Beside,
          preserveFocus: true,
          preview: true,
        });
      });
    }),
  );
}
