// WebAssembly text by hand, in linear memory without SIMD: the limit of what the engine can be asked for.

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { sourcePath } from './competitor.ts';
import type { Competitor } from './competitor.ts';
import { processStart } from './session.ts';

/** The part of wabt that is used. */
interface Wabt {
  readonly parseWat: (
    name: string,
    text: string,
  ) => { readonly toBinary: (options: object) => { readonly buffer: Uint8Array } };
}

const require = createRequire(import.meta.url);
const worker = new URL('workers/wasm.ts', import.meta.url).pathname;

export const wat: Competitor = {
  id: 'wat',
  title: 'wasm by hand',
  source: 'main.wat',
  flags: '',
  install: 'npm ci',
  version: async () => {
    try {
      return `wabt ${(require('wabt/package.json') as { version: string }).version}`;
    } catch {
      return null;
    }
  },
  build: async (kernel, output) => {
    const wabt = await (require('wabt') as () => Promise<Wabt>)();
    const source = sourcePath(kernel, 'main.wat');
    const file = join(output, `${kernel.name}.wat.wasm`);
    writeFileSync(file, wabt.parseWat(source, readFileSync(source, 'utf8')).toBinary({}).buffer);
    return processStart(process.execPath, worker, file, String(kernel.n));
  },
};
