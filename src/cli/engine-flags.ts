// How the engine treats Binaryen while a command compiles its one program: ten megabytes of wasm that run for a
// fraction of a second. To check them again, which the build has done, and to make them fast for the long run costs
// more than it gives.

import { setFlagsFromString } from 'node:v8';
import { loading } from '#loading';

/** Each with what puts it back: modules of scripts are checked and made fast as ever. */
const flags = [
  { on: '--wasm-lazy-validation', off: '--no-wasm-lazy-validation' },
  { on: '--no-wasm-tier-up', off: '--wasm-tier-up' },
  { on: '--no-wasm-dynamic-tiering', off: '--wasm-dynamic-tiering' },
] as const;

/** Longer texts keep Binaryen busy for long enough to make it fast. */
const longText = 40_000;

/**
 * Does what compiles this text. The flags change when Binaryen's wasm is about to be compiled, not before: code
 * that the engine has kept of our JavaScript is good only for the flags that it was made with.
 */
export async function forOneProgram<Value>(text: string, compile: () => Promise<Value>): Promise<Value> {
  if (text.length > longText) return compile();
  let changed = false;
  loading.before = () => {
    changed = true;
    for (const { on } of flags) setFlagsFromString(on);
  };
  try {
    return await compile();
  } finally {
    if (changed) for (const { off } of flags) setFlagsFromString(off);
  }
}
