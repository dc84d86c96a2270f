// Engine flags for Binaryen while a command compiles its one program. Binaryen is ten megabytes of wasm that run for a
// fraction of a second: to validate them again (the build has done so) and to optimise them would cost more than it
// gains.

import { setFlagsFromString } from 'node:v8';
import { loading } from '#loading';

/** Each flag with the one that restores the default: modules of scripts are validated and optimised as usual. */
const flags = [
  { on: '--wasm-lazy-validation', off: '--no-wasm-lazy-validation' },
  { on: '--no-wasm-tier-up', off: '--wasm-tier-up' },
  { on: '--no-wasm-dynamic-tiering', off: '--wasm-dynamic-tiering' },
] as const;

/** Longer texts keep Binaryen busy for so long that its optimisation pays. */
const longText = 40_000;

/**
 * Runs `compile` for a text of that length. The flags change just before Binaryen's wasm is compiled, not earlier: the
 * engine's cached code of our JavaScript is valid only under the flags that it was made with.
 */
export async function forOneProgram<Value>(length: number, compile: () => Promise<Value>): Promise<Value> {
  if (length > longText) return compile();
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
