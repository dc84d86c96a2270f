// The README is for somebody who has never heard of it: short, and what it shows is what happens (pages/ runs it).
// What the page about embedding shows holds for a script with errors too.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../tools/entries.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

it('the README has 120 lines at most', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(121);
});

it('docs/embedding.md shows how to embed a script that may have errors', () => {
  const script = /```js\n([^]*?)```/
    .exec(read('docs/embedding.md'))![1]!
    .replace('return xs.sum();', 'return ys.sum();');
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^E2\d+ .*ys.*\n$/);
});
