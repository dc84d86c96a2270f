// Pools as embedders have them. What does the work is loaded with the first script that uses one.

import { checkPoolOptions, noStats } from '../worker/pool-options.ts';
import type { PoolOptions, PoolStats } from '../worker/pool-options.ts';
import type { WorkerPool } from '../worker/pool.ts';

/**
 * The workers and processes that scripts share which are loaded with it as the option `pool`: however many runs there
 * are at once, it has no more of them than it was told, and the other runs wait, each script in its turn.
 */
export class Pool {
  readonly #options: PoolOptions;
  #work: WorkerPool | null = null;
  #isClosed = false;

  /** @internal */
  constructor(options?: PoolOptions) {
    this.#options = checkPoolOptions(options);
  }

  /** How it is at this moment, and what it has done so far. */
  get stats(): PoolStats {
    return this.#work?.stats ?? noStats;
  }

  /**
   * Ends all runs and instances that use it, those that wait too: they reject with AbortError. Gives when no worker and
   * no process is left. Scripts that were loaded with it cannot run any more.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#work?.close();
  }

  /** As `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** @internal Whether a value is one. */
  static is(this: void, value: unknown): value is Pool {
    return typeof value === 'object' && value !== null && #options in value;
  }

  /** @internal For `loadScript`: null for what is no pool, or is one that was closed. */
  static open(pool: unknown, make: (options: PoolOptions) => WorkerPool): WorkerPool | null {
    if (!Pool.is(pool) || pool.#isClosed) return null;
    return (pool.#work ??= make(pool.#options));
  }
}

/** Of the scripts that are given none. */
export const defaultPool = new Pool();

/** Makes a pool: give it to `loadScript` as the option `pool`. Throws HostError for options that are none. */
export function createPool(options?: PoolOptions): Pool {
  return new Pool(options);
}
