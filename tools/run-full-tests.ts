// `npm run test:full`: the second tier of the tests, what takes too long for `npm test`: the files `*.full.ts`, the
// slow attacks, and every suite in every engine. With words behind `--` only the files run whose paths have one.

import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from './entries.ts';

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const filters = process.argv.slice(2);

/** The exit code of a program in Node. */
function run(words: readonly string[]): number {
  const env = { ...process.env, SLUICE_TESTS: 'full' };
  return spawnSync(process.execPath, words, { stdio: 'inherit', cwd: root, env }).status ?? 1;
}

// Both are run even if the first one fails: whoever waits so long wants to know all.
const inFiles = run([vitest, 'run', ...filters]);
const inEngines = filters.length > 0 ? 0 : run([join(root, 'test/engines/run.ts')]);
process.exit(Math.max(inFiles, inEngines));
