// A stack for scripts that is larger than the one of this thread, which the system and the engine have fixed before
// anything of ours runs. The engine gives exports that may wait a stack of their own, and takes its size from flags at
// that moment.

import { setFlagsFromString } from 'node:v8';
import type { Thread } from '../../runtime-host/run/thread.ts';

/** What they may use at most: a recursion without end has all of the stack in memory when it fails. */
const mostDepthBytes = 128 * 2 ** 20;
/** What they may use in a built module's process, and where nothing says more. */
const usualDepthBytes = 16 * 2 ** 20;

/** The stack of a run: what calls may use of it, 0 for all, and what they may use at most where it runs. */
export interface RunStack {
  readonly depthBytes: number;
  readonly mostBytes: number;
  /** Where that is. */
  readonly place: 'thread' | 'process';
}

/** What is said after a StackOverflowError. */
export function stackHelp({ depthBytes, mostBytes, place }: RunStack): string {
  if (depthBytes > 0 && depthBytes < mostBytes)
    return (
      `calls may use ${describeSize(depthBytes)} of stack in this run: ` +
      `--max-depth=SIZE allows up to ${describeSize(mostBytes)} here`
    );
  const all = `calls may use ${describeSize(mostBytes)} of stack here, and no option gives more`;
  return place === 'thread'
    ? all
    : `${all}; the script itself may use ${describeSize(mostDepthBytes)}: ` +
        `sluice run FILE.slu --max-depth=${describeSize(mostDepthBytes)}`;
}

/** `given` is what --max-depth says. */
export function stackOf(given: number | null | undefined, place: RunStack['place']): RunStack {
  return {
    depthBytes: given ?? usualDepthBytes,
    mostBytes: place === 'thread' ? mostDepthBytes : usualDepthBytes,
    place,
  };
}

/** As --max-depth takes it. */
function describeSize(bytes: number): string {
  if (bytes % 2 ** 20 === 0) return `${bytes / 2 ** 20}MiB`;
  return bytes % 1024 === 0 ? `${bytes / 1024}KiB` : `${bytes} bytes`;
}

/** What V8 has; it cannot be asked. */
const engineKib = 984;
/** Frames are estimated: they may take twice as much. */
const factor = 2;

/**
 * A module with `(import "a" "b" (func)) (import "a" "c" (func)) (func (export "e") (call 0) (call 1))`: on the new
 * stack it first has the flags put back, which hold for the whole process, and then calls the script.
 */
const trampoline = Uint8Array.of(
  0,
  0x61,
  0x73,
  0x6d,
  1,
  0,
  0,
  0,
  1,
  4,
  1,
  0x60,
  0,
  0,
  2,
  13,
  2,
  1,
  0x61,
  1,
  0x62,
  0,
  0,
  1,
  0x61,
  1,
  0x63,
  0,
  0,
  3,
  2,
  1,
  0,
  7,
  5,
  1,
  1,
  0x65,
  0,
  2,
  10,
  8,
  1,
  6,
  0,
  0x10,
  0,
  0x10,
  1,
  0x0b,
);

/**
 * Makes exports without parameters run on a stack that has room for calls of so many bytes; 0 for as many as there can
 * be.
 */
export function promisingWithStack(depthBytes: number): NonNullable<Thread['promising']> {
  const bytes = depthBytes === 0 ? mostDepthBytes : Math.min(depthBytes, mostDepthBytes);
  const kib = Math.max(engineKib, Math.ceil((factor * bytes) / 1024));
  return (work) => {
    const restore = (): void => setStack(centralKib(), engineKib);
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(trampoline), { a: { b: restore, c: work } });
    const enter = WebAssembly.promising(exports['e'] as () => void);
    return () => {
      // The first bounds the second; the stack of this thread was measured when it began.
      setStack(kib, kib);
      try {
        return enter();
      } finally {
        restore();
      }
    };
  };
}

function setStack(centralKib: number, ownKib: number): void {
  setFlagsFromString(`--stack-size=${centralKib}`);
  setFlagsFromString(`--wasm-stack-switching-stack-size=${ownKib}`);
}

/** What Node was started with. */
function centralKib(): number {
  const given = process.execArgv
    .map((word) => /^--stack[-_]size=(\d+)$/.exec(word)?.[1])
    .findLast((kib) => kib !== undefined);
  return given === undefined ? engineKib : Number(given);
}
