// Divides the npm package's single file into a small module and a .wasm file, both changed on the way
// (patch-binaryen.ts). The result is what `#binaryen` stands for.

import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { loadingModule, loadingTypes } from './binaryen-loading.ts';
import { patchBinaryen } from './patch-binaryen.ts';

const source = new URL('../node_modules/binaryen/index.js', import.meta.url);
const tools = ['split-binaryen.ts', 'patch-binaryen.ts', 'inline-invokes.ts', 'binaryen-loading.ts'];
const folder = new URL('../generated/', import.meta.url);
const moduleFile = new URL('binaryen.js', folder);

function isFresh(): boolean {
  const made = statSync(moduleFile, { throwIfNoEntry: false });
  const from = [source, ...tools.map((tool) => new URL(tool, import.meta.url))];
  return made !== undefined && from.every((file) => made.mtimeMs > statSync(file).mtimeMs);
}

function split(): void {
  const { script, wasm, warnings } = patchBinaryen(readFileSync(source, 'utf8'));
  for (const what of warnings)
    console.warn(
      `warning: the package binaryen has changed its form: ${what}; it is used as it is (patch-binaryen.ts)`,
    );
  mkdirSync(folder, { recursive: true });
  const files = {
    'binaryen.wasm': wasm,
    'loading.js': loadingModule,
    'loading.d.ts': loadingTypes,
    'binaryen.d.ts': "export { default } from 'binaryen';\n",
    'binaryen.js': script,
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(new URL(name, folder), content);
}

if (!isFresh()) split();
