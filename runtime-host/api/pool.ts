// Pools as embedders use them. The code that does the work is loaded with the first script that uses a pool.

import { checkPoolOptions, noStats } from '../worker/pool-options.ts';
import type { PoolOptions, PoolStats } from '../worker/pool-options.ts';
import type { WorkerPool } from '../worker/pool.ts';

/**
 * The workers and processes for all scripts that are loaded with it as the option `pool`. However many runs there are
 * at once, it never has more of them than its limit; the other runs wait, and the scripts take turns.
 */
export class Pool {
  readonly #options: PoolOptions;
  #work: WorkerPool | null = null;
  #isClosed = false;

  /** @internal */
  constructor(options?: PoolOptions) {
    this.#options = checkPoolOptions(options);
  }

  /** Its state at this moment, and its counters. */
  get stats(): PoolStats {
    return this.#work?.stats ?? noStats;
  }

  /**
   * Ends all runs and instances that use it, waiting ones too: they reject with AbortError. Resolves once no worker and
   * no process is left. Scripts that were loaded with it cannot run any more.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#work?.close();
  }

  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** @internal Whether a value is a pool. */
  static is(this: void, value: unknown): value is Pool {
    return typeof value === 'object' && value !== null && #options in value;
  }

  /** @internal For `loadScript`: null for a value that is no pool, or for a closed pool. */
  static open(pool: unknown, make: (options: PoolOptions) => WorkerPool): WorkerPool | null {
    if (!Pool.is(pool) || pool.#isClosed) return null;
    return (pool.#work ??= make(pool.#options));
  }
}

/** The pool of scripts that have no pool option. */
export const defaultPool = new Pool();

/** Makes a pool for the option `pool` of `loadScript`. Throws HostError for invalid options. */
export function createPool(options?: PoolOptions): Pool {
  return new Pool(options);
}
