// A larger stack for scripts than the one of this thread, whose size is fixed before our code runs. The engine gives
// exports that may suspend a stack of their own; V8 reads the size of that stack from its flags when it makes one.

import { setFlagsFromString } from 'node:v8';
import type { Thread } from '../../runtime-host/run/thread.ts';

/** The greatest depth: when an endless recursion fails, all of its stack is in memory. */
const mostDepthBytes = 128 * 2 ** 20;
/** The depth in the process of a built module, and the default. */
const usualDepthBytes = 16 * 2 ** 20;

/** The stack of a run: the depth that calls may use, 0 for all of it, and the greatest depth at this place. */
export interface RunStack {
  readonly depthBytes: number;
  readonly mostBytes: number;
  /** Where the script runs. */
  readonly place: 'thread' | 'process';
}

/** The text after a StackOverflowError. */
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

/** `given` is the value of --max-depth. */
export function stackOf(given: number | null | undefined, place: RunStack['place']): RunStack {
  return {
    depthBytes: given ?? usualDepthBytes,
    mostBytes: place === 'thread' ? mostDepthBytes : usualDepthBytes,
    place,
  };
}

/** A size in the form that --max-depth takes. */
function describeSize(bytes: number): string {
  if (bytes % 2 ** 20 === 0) return `${bytes / 2 ** 20}MiB`;
  return bytes % 1024 === 0 ? `${bytes / 1024}KiB` : `${bytes} bytes`;
}

/** V8's default stack size, which the program cannot ask for. */
const engineKib = 984;
/** The sizes of frames are estimates: the real ones may be twice as large. */
const factor = 2;

/**
 * A module with `(import "a" "b" (func)) (import "a" "c" (func)) (func (export "e") (call 0) (call 1))`: on the new
 * stack it first calls the function that restores the flags, which hold for the whole process, and then the script.
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
 * Makes exports without parameters run on a stack with room for calls of so many bytes; 0 for the largest possible
 * stack.
 */
export function promisingWithStack(depthBytes: number): NonNullable<Thread['promising']> {
  const bytes = depthBytes === 0 ? mostDepthBytes : Math.min(depthBytes, mostDepthBytes);
  const kib = Math.max(engineKib, Math.ceil((factor * bytes) / 1024));
  return (work) => {
    const restore = (): void => setStack(centralKib(), engineKib);
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(trampoline), { a: { b: restore, c: work } });
    const enter = WebAssembly.promising(exports['e'] as () => void);
    return () => {
      // The first flag bounds the second; the stack of this thread keeps the size that it had at its start.
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

/** The stack size that Node was started with. */
function centralKib(): number {
  const given = process.execArgv
    .map((word) => /^--stack[-_]size=(\d+)$/.exec(word)?.[1])
    .findLast((kib) => kib !== undefined);
  return given === undefined ? engineKib : Number(given);
}
