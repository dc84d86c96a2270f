// In a browser the language server sees the documents that are open, and no files. So all scripts of the workspace are
// opened for it, without a tab, and stay open for it when the editor lets go of them.

import * as vscode from 'vscode';
import type { LanguageClientOptions } from 'vscode-languageclient/browser';

/** A home folder is no project. */
const mostScripts = 1000;
const scripts = '**/*.slu';

/** To the client: scripts that the editor closes are still there. */
export const keepScripts: NonNullable<LanguageClientOptions['middleware']> = {
  didClose: async (document, next) => {
    const isScript = document.uri.path.endsWith('.slu') && document.uri.scheme !== 'untitled';
    if (!isScript || !(await exists(document.uri))) await next(document);
  },
};

/** Follows which scripts of the workspace there are: those that change outside of the editor are opened again. */
export function followScripts(context: vscode.ExtensionContext, forget: (file: vscode.Uri) => Promise<void>): void {
  const watcher = vscode.workspace.createFileSystemWatcher(scripts);
  context.subscriptions.push(
    watcher,
    watcher.onDidCreate(open),
    watcher.onDidChange(open),
    watcher.onDidDelete(forget),
    vscode.workspace.onDidChangeWorkspaceFolders(openScripts),
  );
}

/**
 * Opens the scripts of the workspace. A server that is about to start is then told of all of them at once: what an
 * editor asks only when a document is opened, such as links, is not asked before the imported files are there.
 */
export async function openScripts(): Promise<void> {
  const files = await vscode.workspace.findFiles(scripts, '**/node_modules/**', mostScripts);
  await Promise.all(files.map(open));
}

/** A file that is no text is no script. */
async function open(file: vscode.Uri): Promise<void> {
  try {
    await vscode.workspace.openTextDocument(file);
  } catch {
    // Gone again, or too large.
  }
}

async function exists(file: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(file);
    return true;
  } catch {
    return false;
  }
}
