// A kernel as a bare wasm module that exports run, in a process of its own: node wasm.ts MODULE.wasm N

import { readFileSync } from 'node:fs';
import { serve } from './serve.ts';

/** What the modules export; AssemblyScript's own collector too, whose work is part of a run. */
interface Kernel {
  readonly run: (n: number) => number;
  readonly __collect?: () => void;
}

const [file, n] = process.argv.slice(2) as [string, string];
const kernel = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)), {}).exports as unknown as Kernel;
await serve(() => {
  const result = kernel.run(Number(n));
  kernel.__collect?.();
  return result;
});
