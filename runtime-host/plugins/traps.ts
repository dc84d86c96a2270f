// Traps in a plugin that is a module of WebAssembly. Nothing in a script can catch one: it ends the run.

import { isInstance } from '../primordials/untampered.ts';
import type { UsedPlugin } from './used-plugin.ts';

/** What a script's end says of it. */
export const trapped = 'a plugin failed';

/**
 * The stack of the script's call, if the error is a trap that a plugin may have run into, since the code of scripts has
 * none; null for any other error.
 */
export function stackOfTrap(
  error: unknown,
  plugins: readonly UsedPlugin[],
  stackOf: (error: Error) => string,
): string | null {
  const isTrap =
    isInstance(error, WebAssembly.RuntimeError) &&
    plugins.some(({ functions }) => functions.some(({ way }) => way === 'linked'));
  return isTrap ? framesOfCaller(stackOf(error)) : null;
}

/** What only scripts with plugins have. */
export interface Traps {
  readonly stackOfTrap: typeof stackOfTrap;
  readonly trapped: typeof trapped;
}

const frameOfModule = /wasm:\/\/wasm\/(?:.*-)?(?<module>[0-9a-f]+):wasm-function/;

/** The lines of a stack without those of modules that the script's own called, where the engine tells modules apart. */
function framesOfCaller(stack: string): string {
  const lines = stack
    .split('\n')
    .map((text) => ({ text, module: frameOfModule.exec(text)?.groups?.['module'] ?? null }));
  const start = lines.findIndex(({ module }) => module !== null);
  const end = lines.findIndex(({ module }, at) => at > start && module === null);
  const caller = lines[end < 0 ? lines.length - 1 : end - 1]?.module ?? null;
  return lines
    .filter(({ module }) => module === null || module === caller)
    .map(({ text }) => text)
    .join('\n');
}
