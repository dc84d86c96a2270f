// The commands that run, test, benchmark and build the script in the editor, or the one that the explorer names, and
// what lenses of the language server start, each as a task in a terminal.

import { join } from 'node:path';
import * as vscode from 'vscode';
import { needCommandLine } from './command-line.ts';
import { makeFileTask, taskCommands } from './tasks.ts';
import type { TaskCommand } from './tasks.ts';
import { optionsOf, parametersOfMain, readTerminalCommand } from './words.ts';

export function registerRunCommands(context: vscode.ExtensionContext): void {
  const register = (name: string, work: (file: vscode.Uri) => Promise<unknown>): void => {
    context.subscriptions.push(
      vscode.commands.registerCommand(`sluice.${name}`, async (place?: unknown) => {
        const file = await savedFile(place);
        if (file !== null) await work(file);
      }),
    );
  };
  for (const command of ['run', 'test', 'bench', 'build'] as const)
    register(command, (file) => start(command, file, []));
  register('runWithArguments', (file) => runWithArguments(context, file));
  context.subscriptions.push(vscode.commands.registerCommand('sluice.runInTerminal', runInTerminal));
}

/** What a lens of the language server says: a command of the table of tasks for one script, and nothing else. */
async function runInTerminal(given: unknown): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    void vscode.window.showErrorMessage('Scripts of a workspace that is not trusted are not run.');
    return;
  }
  const asked = readTerminalCommand(given, taskCommands);
  if (asked === null) {
    void vscode.window.showErrorMessage('This is no command for a script.');
    return;
  }
  const file = await savedFile(vscode.Uri.file(join(asked.folder, asked.file)));
  if (file !== null) await start(asked.command, file, asked.options);
}

/**
 * The script that a command is about, with all that was typed saved: imports are read from the disk. null if it lies on
 * none, which the user is told.
 */
export async function savedFile(place: unknown): Promise<vscode.Uri | null> {
  const document = vscode.window.activeTextEditor?.document;
  const file = place instanceof vscode.Uri ? place : document?.uri;
  if (file === undefined) {
    void vscode.window.showErrorMessage('Open a script first.');
    return null;
  }
  if (file.scheme !== 'file') {
    void vscode.window.showErrorMessage('Save the script to a file first: the command line reads it from the disk.');
    return null;
  }
  const changed = vscode.workspace.textDocuments.filter(
    ({ isDirty, languageId, uri }) => isDirty && languageId === 'sluice' && uri.scheme === 'file',
  );
  const saved = await Promise.all(changed.map((one) => one.save()));
  if (saved.every((is) => is)) return file;
  void vscode.window.showErrorMessage('A script could not be saved.');
  return null;
}

async function start(command: TaskCommand, file: vscode.Uri, options: readonly string[]): Promise<void> {
  const program = await needCommandLine(file);
  if (program !== null) await vscode.tasks.executeTask(makeFileTask(command, file, program, options));
}

/** Asks for arguments, with those of the last time to begin with. */
async function runWithArguments(context: vscode.ExtensionContext, file: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(file);
  const parameters = parametersOfMain(document.getText());
  const key = `arguments of ${file.toString()}`;
  const line = await vscode.window.showInputBox({
    title: parameters === null ? 'Run with options' : `main(${parameters})`,
    prompt: 'Arguments as name=value, options such as --allow-file-read=data',
    placeHolder: 'title="May 2026" limit=10 --allow-file-read=data',
    value: context.workspaceState.get(key, ''),
    validateInput: (text) => faultOf(text),
  });
  if (line === undefined) return;
  await context.workspaceState.update(key, line);
  await start('run', file, optionsOf(line));
}

function faultOf(line: string): string | null {
  try {
    optionsOf(line);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
