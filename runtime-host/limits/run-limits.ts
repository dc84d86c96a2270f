// The limits of a script's runs and their enforcement: loaded only for scripts with limits.

import type { Guard, Manifest } from '../../src/abi/manifest.ts';
import { HostError } from '../errors/errors.ts';
import { Enforcement } from './enforcement.ts';
import type { EnforcedRun } from './enforcement.ts';
import { Meter } from './meter.ts';
import type { MemoryGauge } from './meter.ts';
import { checkLimits } from './options.ts';
import type { LimitOptions } from './options.ts';
import type { LimitEnforcement } from './unlimited.ts';

export interface RunLimits {
  readonly options: LimitOptions;
  /** Throws HostError if the module lacks what a limit needs; `isolation` says where it will run. */
  readonly checkGuards: (manifest: Manifest, isolation: unknown) => void;
  /** `callOut` calls the embedder's onLimit; an error that it throws passes through the script. */
  readonly enforce: (callOut: <Value>(work: () => Value) => Value, run: EnforcedRun) => LimitEnforcement;
}

/** `memory` is null if nothing measures the heap. Throws HostError for an invalid limit. */
export function runLimits(given: unknown, memory: MemoryGauge | null): RunLimits {
  return limitsOf(checkLimits(given), memory);
}

/** Like `runLimits`, for options that have been checked: a worker gets them from its owner. */
export function limitsOf(options: LimitOptions, memory: MemoryGauge | null): RunLimits {
  return {
    options,
    checkGuards: (manifest, isolation) => checkGuards(manifest, options, isolation),
    enforce: (callOut, run) => new Enforcement(new Meter(options, memory, callOut), run),
  };
}

/** The guard that a limit needs in the module. */
const guardOf: Readonly<Partial<Record<keyof LimitOptions, Guard>>> = {
  fuel: 'use',
  timeMs: 'use',
  memoryBytes: 'memory',
  depthBytes: 'depth',
};

function checkGuards({ guards = [] }: Manifest, options: LimitOptions, isolation: unknown): void {
  for (const [name, guard] of Object.entries(guardOf)) {
    const limit = options[name as keyof LimitOptions];
    if (limit === undefined || limit === null || limit === 0 || guards.includes(guard)) continue;
    // A worker or process is ended from outside, so no guard is needed.
    if (name === 'timeMs' && (isolation === 'worker' || isolation === 'process')) continue;
    if (name === 'memoryBytes' && isolation === 'process') continue;
    throw new HostError(
      `this module was compiled without the guards that limits.${name} ` +
        'needs: compile it without --no-guards, or set no such limit',
    );
  }
}
