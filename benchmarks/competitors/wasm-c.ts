// C to wasm, without a C library, with and without SIMD: what a classical compiler gets out of linear memory.

import { join } from 'node:path';
import { clang, copyingLoops } from './clang.ts';
import { runTool, sourcePath, toolVersion } from './competitor.ts';
import type { Competitor } from './competitor.ts';
import { processStart } from './session.ts';

const parts = new URL('c/', import.meta.url).pathname;
const worker = new URL('workers/wasm.ts', import.meta.url).pathname;
const flags = [
  '--target=wasm32',
  '-O3',
  '-nostdlib',
  '-fno-math-errno',
  ...copyingLoops,
  '-mbulk-memory',
  '-msign-ext',
  '-mnontrapping-fptoint',
];
const linking = ['-Wl,--no-entry', '-Wl,--export=run', '-Wl,-z,stack-size=1048576'];

function toWasm(hasSimd: boolean): Competitor {
  const ownFlags = hasSimd ? [...flags, '-msimd128'] : flags;
  const id = hasSimd ? 'wasm-c-simd' : 'wasm-c';
  return {
    id,
    title: hasSimd ? 'C as wasm, SIMD' : 'C as wasm',
    source: 'main.c',
    flags: ownFlags.join(' '),
    install: 'apt-get install clang lld',
    version: async () => {
      const [compiler, linker] = [await toolVersion(clang), await toolVersion('wasm-ld')];
      return compiler === null || linker === null ? null : `${compiler}, ${linker}`;
    },
    build: async (kernel, output) => {
      const file = join(output, `${kernel.name}.${id}.wasm`);
      await runTool(clang, [
        ...ownFlags,
        ...linking,
        '-std=gnu11',
        `-I${parts}`,
        sourcePath(kernel, 'main.c'),
        `${parts}wasm-memory.c`,
        '-o',
        file,
      ]);
      return processStart(process.execPath, worker, file, String(kernel.n));
    },
  };
}

export const wasmC: readonly Competitor[] = [toWasm(false), toWasm(true)];
