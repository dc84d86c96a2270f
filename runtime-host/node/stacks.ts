// How large stacks are in Node: those of its threads, and those that workers are given.

import { isMainThread, resourceLimits } from 'node:worker_threads';

export const workerStackMiB = 32;

/** How deep calls may nest in a worker: frames are estimated, and may take twice as much. */
export const workerDepth = (workerStackMiB / 2) * 2 ** 20;

/** What V8 has if nothing else is said; it cannot be asked. */
const usualKib = 984;

/** The bytes of the stack of this thread. */
export function threadStack(): number {
  if (!isMainThread && resourceLimits.stackSizeMb !== undefined) return resourceLimits.stackSizeMb * 2 ** 20;
  const given = process.execArgv
    .map((word) => /^--stack[-_]size=(\d+)$/.exec(word)?.[1])
    .findLast((kib) => kib !== undefined);
  return Number(given ?? usualKib) * 1024;
}
