// A folder as a reader's: the packages are installed in it, and `sluice` and `npx sluice` are commands.

import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { runtimes } from '../engines/runtimes.ts';
import { allPackages, packageFolder, root } from '../../tools/entries.ts';

export interface ScratchFolder {
  readonly path: string;
  readonly write: (name: string, text: string) => void;
  /** What a command prints, on both streams in turns, and its exit code. */
  readonly run: (command: string) => Promise<{ readonly output: string; readonly code: number }>;
  readonly remove: () => void;
}

/** Packages of others that pages import, and where this repository has them. */
const foreign: readonly (readonly [name: string, from: string])[] = [
  ['esbuild', ''],
  ['@types/node', ''],
  ['apache-arrow', ''],
  ['vega-datasets', ''],
  ['vite', 'test/bundlers'],
  ['@modelcontextprotocol/server', 'site'],
  ['@modelcontextprotocol/client', 'site'],
];

export function makeFolder(): ScratchFolder {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-page-')));
  const path = join(place, 'project');
  const programs = join(place, 'bin');
  mkdirSync(join(path, 'node_modules'), { recursive: true });
  mkdirSync(programs);
  writeFileSync(join(path, 'package.json'), '{ "name": "project", "type": "module", "private": true }\n');
  for (const name of allPackages) symlinkSync(packageFolder(name), join(path, 'node_modules', name), 'junction');
  for (const [name, from] of foreign) {
    const target = join(root, from, 'node_modules', name);
    if (!existsSync(target)) continue;
    mkdirSync(dirname(join(path, 'node_modules', name)), { recursive: true });
    symlinkSync(target, join(path, 'node_modules', name), 'junction');
  }
  const entry = join(packageFolder('sluice'), 'bin/sluice.mjs');
  const vite = join(root, 'test/bundlers/node_modules/vite/bin/vite.js');
  const shims: readonly (readonly [name: string, line: string])[] = [
    ['sluice', `exec '${process.execPath}' '${entry}' "$@"`],
    ['node', `exec '${process.execPath}' "$@"`],
    ['npx', 'exec "$@"'],
    ['vite', `exec '${process.execPath}' '${vite}' "$@"`],
    ...runtimes
      .filter(({ name, program }) => (name === 'Deno' || name === 'Bun') && program !== null)
      .map(({ name, program }) => [name.toLowerCase(), `exec '${program!}' "$@"`] as const),
  ];
  for (const [name, line] of shims) {
    writeFileSync(join(programs, name), `#!/bin/sh\n${line}\n`);
    chmodSync(join(programs, name), 0o755);
  }
  const environment = {
    PATH: [programs, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
    HOME: place,
    XDG_CACHE_HOME: join(place, 'cache'),
    LANG: 'C.UTF-8',
    USER: 'reader',
  };
  return {
    path,
    write(name, text) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), text);
    },
    run: (command) =>
      new Promise((resolve) => {
        // One stream, as on a terminal: the order of what comes on both is seen.
        const child = execFile(
          'sh',
          ['-c', `exec 2>&1\n${command}`],
          { cwd: path, env: environment, timeout: 60_000 },
          (error, stdout) =>
            resolve({ output: stdout, code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1 }),
        );
        child.stdin!.end();
      }),
    remove: () => rmSync(place, { recursive: true, force: true }),
  };
}
