// `npm run site:build`: the pages become a site in site/dist, with the playground in its folder `playground`. What each
// step prints is passed on; the first one that fails ends it.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './entries.ts';

const site = join(root, 'site');
const playground = join(site, 'playground');

function run(words: readonly string[], cwd: string): void {
  const { status } = spawnSync(process.execPath, words, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

for (const folder of [site, playground]) {
  if (existsSync(join(folder, 'node_modules'))) continue;
  console.error(`what ${folder} is built with is not installed: npm ci --ignore-scripts --prefix ${folder}`);
  process.exit(1);
}
run([join(site, 'pages/make-pages.ts')], root);
run([join(site, 'node_modules/vitepress/bin/vitepress.js'), 'build'], site);
run([join(playground, 'node_modules/vite/bin/vite.js'), 'build'], playground);
cpSync(join(playground, 'dist'), join(site, 'dist/playground'), { recursive: true });
console.log('the site is in site/dist');
