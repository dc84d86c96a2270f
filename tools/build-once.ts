// Makes the first build of a clone, for what reads the files that a build makes: the parser, the prelude, `dist`.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { root } from './entries.ts';

/** Of what the type checker reads, the one that is made last. */
const last = `${root}dist/runtime-host/api/node.d.ts`;

if (!existsSync(last)) {
  console.log('building once, for the files that are not in the repository …');
  const { status } = spawnSync('npm', ['run', '-s', 'build'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  process.exitCode = status ?? 1;
}
