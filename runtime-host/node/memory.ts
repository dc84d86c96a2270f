// V8's figures about its heap.

import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { MemoryGauge } from '../limits/meter.ts';

/** Null in Bun, which has another engine. */
export const memoryGauge: MemoryGauge | null = process.versions['bun'] === undefined ? createGauge() : null;

function createGauge(): MemoryGauge {
  let collect: (() => void) | null = null;
  return {
    used: () => getHeapStatistics().used_heap_size,
    collect: () => {
      collect ??= findCollector();
      collect();
    },
  };
}

/** While this flag is set, V8 gives new contexts a function that collects garbage; the flag changes nothing else. */
function findCollector(): () => void {
  try {
    setFlagsFromString('--expose-gc');
    return runInNewContext('gc') as () => void;
  } catch {
    return () => {};
  } finally {
    setFlagsFromString('--no-expose-gc');
  }
}
