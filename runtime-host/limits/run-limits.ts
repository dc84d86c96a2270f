// The limits of a script's runs, and what makes a meter for each: loaded for scripts that have limits.

import { Meter } from './meter.ts';
import type { MemoryGauge } from './meter.ts';
import { checkLimits } from './options.ts';
import type { LimitOptions } from './options.ts';

export interface RunLimits {
  readonly options: LimitOptions;
  /** `callOut` calls the embedder's onLimit; what that throws passes through the script. */
  readonly makeMeter: (callOut: <Value>(work: () => Value) => Value) => Meter;
}

/** `memory` is null where nothing measures the heap. Throws HostError for what is no limit. */
export function runLimits(given: unknown, memory: MemoryGauge | null): RunLimits {
  const options = checkLimits(given);
  return { options, makeMeter: (callOut) => new Meter(options, memory, callOut) };
}
