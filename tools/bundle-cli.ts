// The command line as few files, in dist/cli: a command loads one file for each part of the house that it needs, instead of
// one for each module. Binaryen stays apart, since most commands never need it. The file of Node's workers is one for the
// command and for the package, where it takes the place of the module that it is made of: workers start often.

import { copyFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { withoutXPath } from './without-xpath.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const workerFile = 'worker-main.js';

const bundle = await rolldown({ input: `${root}dist/src/cli/main.js`, platform: 'node', plugins: [withoutXPath], external: ['#binaryen', '#loading', 'esbuild', /^node:/] });
await bundle.write({ dir: `${root}dist/cli`, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name].js', cleanDir: true });
await bundle.close();

const worker = await rolldown({ input: `${root}dist/runtime-host/node/${workerFile}`, platform: 'node', external: /^node:/ });
await worker.write({ file: `${root}dist/cli/${workerFile}`, format: 'esm', codeSplitting: false });
await worker.close();
copyFileSync(`${root}dist/cli/${workerFile}`, `${root}dist/runtime-host/node/${workerFile}`);
