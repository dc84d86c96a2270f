// The command line as few files, in dist/cli: a command loads one file for each part of the house that it needs, instead of
// one for each module. Binaryen stays apart, since most commands never need it.

import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { withoutXPath } from './without-xpath.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

const bundle = await rolldown({ input: `${root}dist/src/cli/main.js`, platform: 'node', plugins: [withoutXPath], external: ['#binaryen', '#loading', 'esbuild', /^node:/] });
await bundle.write({ dir: `${root}dist/cli`, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name].js', cleanDir: true });
await bundle.close();
