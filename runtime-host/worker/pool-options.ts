// What a pool may be told, and what it tells of itself.

import { HostError } from '../errors/errors.ts';
import { checkOptionNames, ownOptions } from '../primordials/own-options.ts';

/** How many workers a pool has, and who waits for one. */
export interface PoolOptions {
  /** How many workers compute at once; as many as the machine has cores, if left out. */
  readonly maxWorkers?: number;
  /**
   * How many workers there may be beyond `maxWorkers` while scripts wait: for an answer of the host, for whoever reads
   * what they yield, or, as instances do, for their next call. 32 if left out.
   */
  readonly maxWaiting?: number;
  /** How many runs may wait for a worker, and how many for a process; one more gets a BusyError. 10,000 if left out. */
  readonly maxQueue?: number;
  /**
   * How long a run may wait for a worker or process, in milliseconds; then it gets a BusyError. As long as it takes, if
   * left out.
   */
  readonly maxQueueMs?: number;
  /** How many processes there are at once, of which `maxWorkers` compute; 8 if left out. */
  readonly maxProcesses?: number;
  /** How long a worker without work is kept, in milliseconds; 10,000 if left out. It keeps no process alive. */
  readonly idleMs?: number;
}

/** A pool at this moment, and what it has done so far. */
export interface PoolStats {
  /** Workers that are there, those without work included. */
  readonly workers: number;
  readonly processes: number;
  /** Workers and processes that have no work. */
  readonly idle: number;
  /** Runs and instances that have a worker or process to themselves. */
  readonly running: number;
  /** Of those, how many wait for the host, a reader or their next call. */
  readonly waiting: number;
  /** Runs and calls that have to wait for a worker or process. */
  readonly queued: number;
  /** Runs and instances that were given a worker or process. */
  readonly served: number;
  /** Those that got a BusyError instead. */
  readonly refused: number;
  /** Workers and processes that were started. */
  readonly started: number;
  /**
   * Workers that were ended for what they had run, foreign modules, runs that were ended or failed unforeseen, a heap
   * that has grown, or for others that were needed in their place.
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
