// Runs npm, the one that runs this or else that of PATH.

import { spawnSync } from 'node:child_process';

/** Runs npm with these words in a folder, its output shown; answers with its exit code. */
export function runNpm(folder: string, words: readonly string[]): number {
  const npm = process.env['npm_execpath'];
  const { status } =
    npm === undefined
      ? spawnSync('npm', words, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' })
      : spawnSync(process.execPath, [npm, ...words], { cwd: folder, stdio: 'inherit' });
  return status ?? 1;
}
