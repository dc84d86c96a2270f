// Tasks: the commands of `sluice` that are worth a terminal of their own, for tasks.json, for the list of tasks, and
// for the commands and lenses of the extension.

import { dirname, relative } from 'node:path';
import * as vscode from 'vscode';
import { readSettings } from '../settings.ts';
import { findCommandLine } from './command-line.ts';

export const taskCommands = ['run', 'build', 'test', 'check', 'bench', 'fmt'] as const;
export type TaskCommand = (typeof taskCommands)[number];

export interface SluiceTask extends vscode.TaskDefinition {
  readonly type: 'sluice';
  readonly command: TaskCommand;
  readonly file?: string;
  readonly options?: readonly string[];
}

export function registerTasks(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.tasks.registerTaskProvider('sluice', {
      provideTasks: () => offeredTasks(),
      resolveTask: (task) => {
        const definition = task.definition as SluiceTask;
        const folder = typeof task.scope === 'object' ? task.scope : vscode.workspace.workspaceFolders?.[0];
        const program = findCommandLine(folder?.uri) ?? 'sluice';
        // VS Code takes the very definition for the same task.
        return taskCommands.includes(definition.command) ? makeTask(definition, folder, program) : undefined;
      },
    }),
  );
}

/** Those for the script in the editor. */
function offeredTasks(): vscode.Task[] {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== 'sluice' || document.uri.scheme !== 'file') return [];
  const program = findCommandLine(document.uri);
  if (program === null) return [];
  return taskCommands.map((command) => makeFileTask(command, document.uri, program, []));
}

/** A task for one script, which is named from the folder of the workspace. */
export function makeFileTask(
  command: TaskCommand,
  file: vscode.Uri,
  program: string,
  options: readonly string[],
): vscode.Task {
  const folder = vscode.workspace.getWorkspaceFolder(file);
  const path = folder === undefined ? file.fsPath : relative(folder.uri.fsPath, file.fsPath);
  const definition = { type: 'sluice', command, file: path, ...(options.length === 0 ? {} : { options }) } as const;
  return makeTask(definition, folder, program, dirname(file.fsPath));
}

/** Commands that run scripts take the options of the settings too. */
const runningCommands: readonly TaskCommand[] = ['run', 'test', 'bench'];
const knowingPlugins: readonly TaskCommand[] = ['run', 'build', 'test', 'check', 'bench'];

function makeTask(
  definition: SluiceTask,
  folder: vscode.WorkspaceFolder | undefined,
  program: string,
  elsewhere?: string,
): vscode.Task {
  const { command, file, options = [] } = definition;
  const { runOptions, server } = readSettings(folder?.uri);
  const plugins = knowingPlugins.includes(command) ? server.plugins.map((path) => `--plugin=${path}`) : [];
  const given = [...plugins, ...(runningCommands.includes(command) ? runOptions : []), ...options];
  // A file's name may begin like an option.
  const operand = file === undefined ? [] : [file.startsWith('-') ? `./${file}` : file];
  const words = [command, ...operand, ...given].map((value) => ({ value, quoting: quotingOf(value) }));
  const cwd = folder?.uri.fsPath ?? elsewhere;
  const execution = new vscode.ShellExecution(
    { value: program, quoting: quotingOf(program) },
    words,
    cwd === undefined ? {} : { cwd },
  );
  const name = [command, ...(file === undefined ? [] : [file]), ...options].join(' ');
  // No problem matcher: the language server lists the mistakes of all scripts, and each would be there twice.
  const task = new vscode.Task(definition, folder ?? vscode.TaskScope.Workspace, name, 'sluice', execution, []);
  if (command === 'build' || command === 'check') task.group = vscode.TaskGroup.Build;
  if (command === 'test') task.group = vscode.TaskGroup.Test;
  task.presentationOptions = {
    reveal: vscode.TaskRevealKind.Always,
    panel: vscode.TaskPanelKind.Dedicated,
    clear: true,
    // Who runs a script may be asked for permission, and answers there.
    focus: command === 'run',
  };
  return task;
}

/** What a shell would not take as it stands is quoted; variables of tasks.json are replaced before. */
function quotingOf(word: string): vscode.ShellQuoting {
  return /^[\w./:=@%+,-]+$/.test(word) ? vscode.ShellQuoting.Escape : vscode.ShellQuoting.Strong;
}
