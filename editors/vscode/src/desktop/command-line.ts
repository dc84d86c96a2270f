// Where the command `sluice` is, for a file: what the settings say, what the workspace has installed, or what PATH has;
// and what to do where there is none.

import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, relative } from 'node:path';
import * as vscode from 'vscode';
import { readSettings } from '../settings.ts';

/** The program for the scripts of a folder or a file; null where there is none. */
export function findCommandLine(place: vscode.Uri | undefined): string | null {
  const root = place === undefined ? undefined : vscode.workspace.getWorkspaceFolder(place)?.uri.fsPath;
  const { path } = readSettings(place);
  if (path !== '') {
    const whole = path.startsWith('~/') ? join(homedir(), path.slice(2)) : path;
    return firstProgram([isAbsolute(whole) || root === undefined ? whole : join(root, whole)]);
  }
  const installed =
    place === undefined || root === undefined || !vscode.workspace.isTrusted
      ? []
      : foldersUpTo(place.fsPath, root).map((folder) => join(folder, 'node_modules/.bin/sluice'));
  const searched = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return firstProgram([...installed, ...searched.map((folder) => join(folder, 'sluice'))]);
}

/** A folder, those around it, and at the end the root, which it lies in. */
function foldersUpTo(path: string, root: string): readonly string[] {
  const folders = [path];
  for (let folder = path; folder !== root && dirname(folder) !== folder && isBelow(folder, root);) {
    folder = dirname(folder);
    folders.push(folder);
  }
  return folders;
}

function isBelow(path: string, root: string): boolean {
  const way = relative(root, path);
  return !way.startsWith('..') && !isAbsolute(way);
}

/** On Windows npm makes `sluice.cmd` of it. */
const endings = process.platform === 'win32' ? ['.cmd', '.exe', ''] : [''];

function firstProgram(paths: readonly string[]): string | null {
  return paths.flatMap((path) => endings.map((ending) => path + ending)).find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The same, or a message that says how to get it. */
export async function needCommandLine(place: vscode.Uri): Promise<string | null> {
  const found = findCommandLine(place);
  if (found !== null) return found;
  const { path } = readSettings(place);
  const what =
    path === ''
      ? 'The command sluice is neither in node_modules nor in PATH.'
      : `There is no program ${path}, which the setting sluice.path names.`;
  const install = 'Install by npm';
  const settings = 'Open Settings';
  const chosen = await vscode.window.showErrorMessage(what, install, settings);
  if (chosen === settings) await vscode.commands.executeCommand('workbench.action.openSettings', 'sluice.path');
  if (chosen === install) {
    const terminal = vscode.window.createTerminal('Install Sluice');
    terminal.show();
    // Written, not run: whoever is at the keyboard decides.
    terminal.sendText('npm install --global sluice', false);
  }
  return null;
}
