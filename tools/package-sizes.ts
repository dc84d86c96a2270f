// Prints how large the packages are as the last build made them: the end of `npm run release:check`, whose tests hold
// them to their budgets.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { distOf, gzippedSize, loadedWith } from '../test/packages/files.ts';
import { allPackages } from './entries.ts';

const kb = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`;

for (const name of allPackages) {
  const files = readdirSync(distOf(name), { recursive: true, encoding: 'utf8' }).filter(
    (path) => !path.endsWith('.map') && statSync(join(distOf(name), path)).isFile(),
  );
  const bytes = files.reduce((sum, path) => sum + statSync(join(distOf(name), path)).size, 0);
  console.log(`${name}: ${kb(bytes)} without source maps, ${kb(gzippedSize(name, files))} packed`);
}
const atOnce = loadedWith('sluice-host', 'browser/sluice-host.js', 'at once').files;
console.log(`sluice-host in a browser: ${kb(gzippedSize('sluice-host', atOnce))} gzipped at once`);
