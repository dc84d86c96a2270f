// What a competitor of the suite is: a way to build a kernel into something that can be started any number of times
// (session.ts says what a started one does), and what has to be installed for it.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Kernel } from '../suite/kernels.ts';
import type { Start } from './session.ts';

const execute = promisify(execFile);

export type OnDemand = 'chromium' | 'firefox';

export interface Competitor {
  readonly id: string;
  /** What tables and charts call it. */
  readonly title: string;
  /** The file in a kernel's folder that it is built from. */
  readonly source: string;
  /** The flags that matter for its speed. */
  readonly flags: string;
  /** What installs it. */
  readonly install: string;
  /** The option that asks for it, where it takes part only then. */
  readonly onDemand?: OnDemand;
  /** Name and version of what builds and runs it, null if it is not installed. */
  readonly version: () => Promise<string | null>;
  /** Builds a kernel; `output` is a folder for what is built. */
  readonly build: (kernel: Kernel, output: string) => Promise<Start>;
}

/** Path of a file in a kernel's folder. */
export function sourcePath(kernel: Kernel, file: string): string {
  return new URL(file, kernel.folder).pathname;
}

/** Runs a tool to its end; its error output becomes the message if it fails. */
export async function runTool(program: string, args: readonly string[]): Promise<void> {
  try {
    await execute(program, [...args]);
  } catch (error) {
    const { stderr, message } = error as { readonly stderr?: string; readonly message: string };
    throw new Error(stderr === undefined || stderr === '' ? message : stderr, { cause: error });
  }
}

/** The first line that a tool says about its version, null if there is no such tool. */
export async function toolVersion(program: string, flag = '--version'): Promise<string | null> {
  try {
    const { stdout } = await execute(program, [flag]);
    return stdout.split('\n')[0]!.trim();
  } catch {
    return null;
  }
}
