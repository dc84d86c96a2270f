// A pool: the workers and processes of the scripts that share it.

import { AbortError } from '../errors/errors.ts';
import type { WorkerStarter } from './machine.ts';
import type { PoolOptions, PoolStats } from './pool-options.ts';
import { ThreadPool } from './thread-pool.ts';

/** The state of a pool once a script uses it. */
export class WorkerPool {
  readonly workers: ThreadPool;
  readonly processes: ThreadPool;

  /** `options` without a prototype. */
  constructor(options: PoolOptions, cores: number, makeContext: WorkerStarter['makeContext']) {
    const {
      maxWorkers = cores,
      maxWaiting = 32,
      maxQueue: mostQueued = 10_000,
      maxQueueMs: mostQueuedMs = null,
      maxProcesses = 8,
      idleMs = 10_000,
    } = options;
    this.workers = new ThreadPool({
      what: 'worker',
      mostComputing: maxWorkers,
      most: maxWorkers + maxWaiting,
      mostQueued,
      mostQueuedMs,
      idleMs,
      context: makeContext?.() ?? null,
    });
    // Processes take much more memory, and one that waits is ready for a single script.
    this.processes = new ThreadPool({
      what: 'process',
      mostComputing: Math.min(maxWorkers, maxProcesses),
      most: maxProcesses,
      mostQueued,
      mostQueuedMs,
      idleMs: Math.min(idleMs, 1_000),
      context: makeContext?.() ?? null,
    });
  }

  get stats(): PoolStats {
    const [workers, processes] = [this.workers.stats, this.processes.stats];
    return {
      workers: workers.threads,
      processes: processes.threads,
      idle: workers.idle + processes.idle,
      running: workers.running + processes.running,
      waiting: workers.waiting + processes.waiting,
      queued: workers.queued + processes.queued,
      served: workers.served + processes.served,
      refused: workers.refused + processes.refused,
      started: workers.started + processes.started,
      // Every process serves one run only, so ended ones do not count.
      replaced: workers.replaced,
    };
  }

  /** Ends every run; resolves when no thread is left. */
  async close(): Promise<void> {
    const error = new AbortError('the pool of this run was closed');
    await Promise.all([this.workers.close(error), this.processes.close(error)]);
  }
}
