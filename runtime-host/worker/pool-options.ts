// The options of a pool, and its statistics.

import { HostError } from '../errors/errors.ts';
import { checkOptionNames, ownOptions } from '../primordials/own-options.ts';

/** How many workers a pool has, and how many runs may wait for one. */
export interface PoolOptions {
  /** How many workers compute at once; the default is the machine's number of cores. */
  readonly maxWorkers?: number;
  /**
   * How many workers there may be beyond `maxWorkers` while scripts wait: for an answer of the host, for a consumer of
   * their values, or, as instances do, for their next call. The default is 32.
   */
  readonly maxWaiting?: number;
  /**
   * How many runs may wait for a worker, and how many for a process; one more gets a BusyError. The default is 10,000.
   */
  readonly maxQueue?: number;
  /**
   * How long a run may wait for a worker or process, in milliseconds; after that it gets a BusyError. No limit if left
   * out.
   */
  readonly maxQueueMs?: number;
  /** How many processes there are at once; at most `maxWorkers` of them compute. The default is 8. */
  readonly maxProcesses?: number;
  /** How long an idle worker is kept, in milliseconds; the default is 10,000. It does not keep the process alive. */
  readonly idleMs?: number;
}

/** The state of a pool at this moment, and its counters. */
export interface PoolStats {
  /** Existing workers, idle ones included. */
  readonly workers: number;
  readonly processes: number;
  /** Idle workers and processes. */
  readonly idle: number;
  /** Runs and instances that have a worker or process. */
  readonly running: number;
  /** How many of those wait for the host, a consumer or their next call. */
  readonly waiting: number;
  /** Runs and calls that wait for a worker or process. */
  readonly queued: number;
  /** Runs and instances that got a worker or process. */
  readonly served: number;
  /** Runs and instances that got a BusyError instead. */
  readonly refused: number;
  /** Workers and processes that were started. */
  readonly started: number;
  /**
   * Workers that were ended because of what they had run (foreign modules, runs that were ended or failed unexpectedly,
   * a heap that has grown), or to make room for others.
   */
  readonly replaced: number;
}

export const noStats: PoolStats = {
  workers: 0,
  processes: 0,
  idle: 0,
  running: 0,
  waiting: 0,
  queued: 0,
  served: 0,
  refused: 0,
  started: 0,
  replaced: 0,
};

const least: Readonly<Record<keyof PoolOptions, number>> = {
  maxWorkers: 1,
  maxWaiting: 0,
  maxQueue: 0,
  maxQueueMs: 0,
  maxProcesses: 1,
  idleMs: 0,
};

/** Throws HostError. */
export function checkPoolOptions(given: PoolOptions | undefined): PoolOptions {
  const options = ownOptions(given);
  checkOptionNames(options, least);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || (Number.isSafeInteger(value) && value >= least[name as keyof PoolOptions])) continue;
    throw new HostError(
      `${name}: the options of a pool are whole numbers, ${Object.entries(least)
        .map(([each, smallest]) => `${each} of at least ${smallest}`)
        .join(', ')}`,
    );
  }
  return options;
}
