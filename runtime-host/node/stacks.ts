// Stack sizes in Node: of its threads, and of workers.

import { isMainThread, resourceLimits } from 'node:worker_threads';

export const workerStackMiB = 32;

/** How deep calls may nest in a worker: frames are estimated, and may take twice as much. */
export const workerDepth = (workerStackMiB / 2) * 2 ** 20;

/** V8's default stack size, which the program cannot ask for. */
const usualKib = 984;

/** The size of this thread's stack in bytes. */
export function threadStack(): number {
  if (!isMainThread && resourceLimits.stackSizeMb !== undefined) return resourceLimits.stackSizeMb * 2 ** 20;
  const given = process.execArgv
    .map((word) => /^--stack[-_]size=(\d+)$/.exec(word)?.[1])
    .findLast((kib) => kib !== undefined);
  return Number(given ?? usualKib) * 1024;
}
