// Runs `sluice build` behind the scenes, for what the editor shows of its output: into a folder that is removed again.

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { readSettings } from '../settings.ts';
import { needCommandLine } from './command-line.ts';

/** What it wrote to standard output, and the folder where the module is. */
export interface BuildOutput {
  readonly stdout: string;
  readonly folder: string;
  /** The name of the module without its ending. */
  readonly name: string;
}

/** Builds a script, and works with what came out; a script with errors is a message. */
export async function withBuild(
  file: vscode.Uri,
  options: readonly string[],
  work: (output: BuildOutput) => Promise<void>,
): Promise<void> {
  const program = await needCommandLine(file);
  if (program === null) return;
  const folder = await mkdtemp(join(tmpdir(), 'sluice-build-'));
  const name = basename(file.fsPath).replace(/\.slu$/, '');
  const plugins = readSettings(file).server.plugins.map((path) => `--plugin=${path}`);
  const cwd = vscode.workspace.getWorkspaceFolder(file)?.uri.fsPath ?? dirname(file.fsPath);
  const words = ['build', file.fsPath, '-o', join(folder, `${name}.wasm`), ...plugins, ...options];
  try {
    const { code, stdout, stderr } = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: `Building ${name} …` },
      () => runProgram(program, words, cwd),
    );
    if (code === 0) await work({ stdout, folder, name });
    else {
      const first = stderr.split('\n').find((line) => line.trim() !== '') ?? 'the build failed';
      void vscode.window.showErrorMessage(`${name}: ${first}`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function runProgram(program: string, words: readonly string[], cwd: string): Promise<Ended> {
  return new Promise((resolve, reject) => {
    // Node starts a .cmd of Windows through its shell alone, which wants blanks quoted.
    const isShell = process.platform === 'win32';
    const quoted = isShell ? words.map((word) => `"${word.replaceAll('"', '\\"')}"`) : words;
    const child = spawn(isShell ? `"${program}"` : program, quoted, { cwd, shell: isShell, windowsHide: true });
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        texts[name] += text;
      });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...texts }));
  });
}
