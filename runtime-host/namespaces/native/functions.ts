// Functions that the prelude imports from the host: operations on texts and numbers that JavaScript does well.
// Positions are UTF-16 code units; texts come in and go out well formed.

import type { FreeNamespace } from '../namespace.ts';

/** `raiseMemoryLimit` throws the script's MemoryLimitError. */
export function nativeFunctions(raiseMemoryLimit: (message: string) => never) {
  /** JavaScript's limit on the length of a string becomes an error of the script. */
  const limited = (make: () => string): string => {
    try {
      return make();
    } catch (error) {
      if (error instanceof RangeError) raiseMemoryLimit('the string is longer than the engine takes');
      throw error;
    }
  };
  return {
    hashSeed: () => crypto.getRandomValues(new Int32Array(1))[0]!,
    textOfDouble: String as (x: number) => string,
    doubleOfText: Number as (text: string) => number,
    textOfFixed,
    remainder: (a: number, b: number) => a % b,
    upper: (text: string) => limited(() => text.toUpperCase()),
    lower: (text: string) => limited(() => text.toLowerCase()),
    replaceAll: (text: string, from: string, to: string) => limited(() => replaceAll(text, from, to)),
    repeat: (text: string, count: number) => limited(() => text.repeat(Math.max(0, count))),
    find: (text: string, sub: string, from: number) => text.indexOf(sub, from),
    findWithin: (text: string, sub: string, from: number, to: number) =>
      placeIn(from, text.substring(from, to).indexOf(sub)),
    findLastWithin: (text: string, sub: string, from: number, to: number) =>
      placeIn(from, text.substring(from, to).lastIndexOf(sub)),
  };
}

export const namespace: FreeNamespace = { bind: ({ raiseMemoryLimit }) => nativeFunctions(raiseMemoryLimit) };

/** Also exact from 1e21 on, where toFixed itself uses exponents: such doubles are integers. */
function textOfFixed(x: number, digits: number): string {
  if (!Number.isFinite(x) || Math.abs(x) < 1e21) return x.toFixed(digits);
  return `${BigInt(x)}${digits > 0 ? `.${'0'.repeat(digits)}` : ''}`;
}

/** An empty `from` matches between all characters, never inside a surrogate pair. */
function replaceAll(text: string, from: string, to: string): string {
  if (from !== '') return text.replaceAll(from, () => to);
  return to + Array.from(text, (character) => character + to).join('');
}

/** Converts a position in the part of a text that begins at `from`. */
function placeIn(from: number, found: number): number {
  return found < 0 ? -1 : from + found;
}
