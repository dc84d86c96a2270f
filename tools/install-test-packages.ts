// What some tests work with and the product does not need: engines, the bundlers that the packages are built with, what
// installs and judges the packages, and what makes a package of the extension for VS Code. Each folder has a lock file
// of its own; it is installed before the first `npm test`, and when the lock file has changed.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './entries.ts';
import { runNpm } from './npm.ts';

const folders = [
  'test/engines',
  'test/packages',
  'test/bundlers',
  'site',
  'site/playground',
  'editors/vscode',
  'benchmarks/map',
];

/** When a file was written; 0 where there is none. */
function writtenAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Runs npm in a folder, and says so where it fails. */
function installIn(folder: string): void {
  console.log(`installing what is in ${folder} …`);
  const status = runNpm(join(root, folder), ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  if (status !== 0) console.error(`npm ci failed in ${folder}: its tests will fail`);
}

for (const folder of folders) {
  const place = join(root, folder);
  // npm writes this one at the end of an installation.
  if (writtenAt(join(place, 'node_modules/.package-lock.json')) < writtenAt(join(place, 'package-lock.json')))
    installIn(folder);
}
