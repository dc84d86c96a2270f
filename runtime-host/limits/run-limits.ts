// The limits of a script's runs, and what enforces them in each: loaded for scripts that have limits.

import { Enforcement } from './enforcement.ts';
import type { EnforcedRun } from './enforcement.ts';
import { Meter } from './meter.ts';
import type { MemoryGauge } from './meter.ts';
import { checkLimits } from './options.ts';
import type { LimitOptions } from './options.ts';
import type { LimitEnforcement } from './unlimited.ts';

export interface RunLimits {
  readonly options: LimitOptions;
  /** `callOut` calls the embedder's onLimit; what that throws passes through the script. */
  readonly enforce: (callOut: <Value>(work: () => Value) => Value, run: EnforcedRun) => LimitEnforcement;
}

/** `memory` is null where nothing measures the heap. Throws HostError for what is no limit. */
export function runLimits(given: unknown, memory: MemoryGauge | null): RunLimits {
  const options = checkLimits(given);
  return { options, enforce: (callOut, run) => new Enforcement(new Meter(options, memory, callOut), run) };
}
