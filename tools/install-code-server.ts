// Installs the VS Code that test/code-server works with: code-server, and what its lib/vscode needs, which its own
// script would install behind npm's back. No script of any package is run: what it needs is there as it is.
// 590 MB, so that nothing installs it unasked.

import { join } from 'node:path';
import { root } from './entries.ts';
import { runNpm } from './npm.ts';

const folder = join(root, 'test/code-server');
const options = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'];

/** Ends with npm's exit code where it fails. */
function install(place: string, command: string): void {
  const status = runNpm(place, [command, ...options]);
  if (status !== 0) process.exit(status);
}

install(folder, 'ci');
// Its versions are fixed by the npm-shrinkwrap.json in it, which `npm ci` finds incomplete.
install(join(folder, 'node_modules/code-server/lib/vscode'), 'install');
