// Builds the page into a folder of its own, as `npm run playground` does into `site/playground/dist`.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../tools/entries.ts';

const place = join(root, 'site/playground');

/** The folder with the built page. Throws what the build says if it fails. */
export function buildPage(): string {
  const out = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-playground-')));
  const vite = join(place, 'node_modules/vite/bin/vite.js');
  const words = [vite, 'build', '--logLevel', 'warn', '--outDir', out, '--emptyOutDir'];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: place,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status !== 0) throw new Error(`the playground does not build: ${stdout}${stderr}`);
  return out;
}
