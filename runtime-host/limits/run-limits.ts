// The limits of a script's runs, and what enforces them in each: loaded for scripts that have limits.

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
  /** Throws HostError for a module that has not what a limit needs; `isolation` says where it is to run. */
  readonly checkGuards: (manifest: Manifest, isolation: unknown) => void;
  /** `callOut` calls the embedder's onLimit; what that throws passes through the script. */
  readonly enforce: (callOut: <Value>(work: () => Value) => Value, run: EnforcedRun) => LimitEnforcement;
}

/** `memory` is null where nothing measures the heap. Throws HostError for what is no limit. */
export function runLimits(given: unknown, memory: MemoryGauge | null): RunLimits {
  return limitsOf(checkLimits(given), memory);
}

/** As `runLimits`, of what has been checked: a worker has it from its owner. */
export function limitsOf(options: LimitOptions, memory: MemoryGauge | null): RunLimits {
  return {
    options,
    checkGuards: (manifest, isolation) => checkGuards(manifest, options, isolation),
    enforce: (callOut, run) => new Enforcement(new Meter(options, memory, callOut), run),
  };
}

/** What a limit needs of the module that it binds. */
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
    // The worker is ended, and so is the process that uses too much.
    if (name === 'timeMs' && (isolation === 'worker' || isolation === 'process')) continue;
    if (name === 'memoryBytes' && isolation === 'process') continue;
    throw new HostError(
      `this module was compiled without the guards that limits.${name} ` +
        'needs: compile it without --no-guards, or set no such limit',
    );
  }
}
