// Traps in a plugin that is a WebAssembly module. No script can catch one: it ends the run.

import { isInstance } from '../primordials/untampered.ts';
import type { UsedPlugin } from './used-plugin.ts';

/** The message of the run's end. */
export const trapped = 'a plugin failed';

/**
 * The stack of the script's call, if the error is a trap in a plugin; the code of scripts has no traps. Null for any
 * other error.
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

/** Loaded only for scripts with plugins. */
export interface Traps {
  readonly stackOfTrap: typeof stackOfTrap;
  readonly trapped: typeof trapped;
}

const frameOfModule = /wasm:\/\/wasm\/(?:.*-)?(?<module>[0-9a-f]+):wasm-function/;

/**
 * The stack without the frames of modules that the script's own module called, if the engine's stack distinguishes
 * modules.
 */
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
