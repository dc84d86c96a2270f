// Traps in a plugin that is a module of WebAssembly. Nothing in a script can catch one: it ends the run.

import { isInstance } from '../primordials/untampered.ts';
import type { UsedPlugin } from './link.ts';
import { functionOfType } from '../engine/wasm-types.ts';

/** What a script's end says of it. */
export const trapped = 'a plugin failed';

/** Runs into a trap. */
export function trap(): never {
  const fail = functionOfType([], null) as () => never;
  return fail();
}

/** Whether the error is a trap that a plugin may have run into; the code of scripts has none. */
export function isTrapOf(error: unknown, plugins: readonly UsedPlugin[]): error is Error {
  return isInstance(error, WebAssembly.RuntimeError) && plugins.some(({ functions }) => functions.some(({ way }) => way === 'linked'));
}

const frameOfModule = /wasm:\/\/wasm\/(?:.*-)?(?<module>[0-9a-f]+):wasm-function/;

/** The lines of a stack without those of modules that the script's own called, where the engine tells modules apart. */
export function framesOfCaller(stack: string): string {
  const lines = stack.split('\n').map((text) => ({ text, module: frameOfModule.exec(text)?.groups?.['module'] ?? null }));
  const start = lines.findIndex(({ module }) => module !== null);
  const end = lines.findIndex(({ module }, at) => at > start && module === null);
  const caller = lines[end < 0 ? lines.length - 1 : end - 1]?.module ?? null;
  return lines.filter(({ module }) => module === null || module === caller).map(({ text }) => text).join('\n');
}
