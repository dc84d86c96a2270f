// How long the compiler may work, and when it gives up. Its rooms ask at every token, node and function: what is
// compiled may be anybody's.

import type { Span } from './source.ts';

/** What compiling may take. */
export interface CompileLimits {
  /** Milliseconds; past them there is one LimitError, E3004. Default: any number. */
  readonly timeMs?: number;
  /**
   * Bytes of UTF-8 of the script and all that it imports, counted before they are looked at; E3003. Default: any
   * number.
   */
  readonly sourceBytes?: number;
  /**
   * Bytes of memory of a worker of its own, which ends where they do not suffice; E3004. Binaryen's part is not
   * counted. Only with `worker`.
   */
  readonly memoryBytes?: number;
}

/** Throws if the compiler is to stop. */
export type Poll = () => void;

/** The time is up. */
export class TimeIsUp extends Error {
  readonly timeMs: number;

  constructor(timeMs: number) {
    super(`compiling takes longer than ${timeMs} ms`);
    this.timeMs = timeMs;
  }
}

/** A function that no engine should be asked to make fast. */
export class FunctionTooLarge extends Error {
  /** As a sentence begins that says so. */
  readonly what: string;
  readonly span: Span;

  constructor(what: string, span: Span) {
    super(`${what} is too large`);
    this.what = what;
    this.span = span;
  }
}

/** Looking at the clock at each of so many calls costs nothing to speak of. */
const callsPerTest = 32;

/** Asks a clock and a signal, whose reason it throws. */
export function createPoll(timeMs: number | undefined, signal: AbortSignal | undefined): Poll {
  if (timeMs === undefined && signal === undefined) return () => {};
  const end = timeMs === undefined ? Infinity : performance.now() + timeMs;
  let calls = callsPerTest - 1;
  return () => {
    calls += 1;
    if (calls < callsPerTest) return;
    calls = 0;
    signal?.throwIfAborted();
    if (performance.now() >= end) throw new TimeIsUp(timeMs!);
  };
}

/** Whether an error says that calls are nested too deep, in the words of V8, JavaScriptCore or SpiderMonkey. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof Error && /call stack size|too much recursion/.test(error.message);
}

/** Bytes of a text in UTF-8, counted no further than past `most`. */
export function countBytes(text: string, most: number): number {
  if (most === Infinity || text.length > most) return text.length;
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0)!;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (bytes > most) return bytes;
  }
  return bytes;
}
