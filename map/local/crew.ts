// The threads of a run: each has one partition at a time. A thread is never ended in the middle of DuckDB's work, which
// would take the process with it: they are told to stop, and are waited for.

import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { Counts } from '../commit/store.ts';
import { MapError, TooManyErrors } from '../errors.ts';
import type { Partition } from '../plan/plan.ts';
import type { PartitionReport, ThreadData } from './worker-main.ts';

export type { ThreadData };

const workerFile = new URL(import.meta.url.endsWith('.ts') ? './worker-main.ts' : './worker-main.js', import.meta.url);

export class Crew {
  readonly #pool: Piscina;
  readonly #shared = new BigInt64Array(new SharedArrayBuffer(16));
  readonly #waiting: Partition[];
  readonly #onDone: (partition: Partition, done: Counts) => void;
  readonly #running = new Set<Promise<void>>();
  /** The first is what the run ends with. */
  readonly #faults: unknown[] = [];
  #wake = (): void => {};

  /** `onDone` may throw, which ends the run. */
  constructor(
    data: Omit<ThreadData, 'shared'>,
    threads: number,
    partitions: readonly Partition[],
    onDone: (partition: Partition, done: Counts) => void,
  ) {
    this.#waiting = [...partitions];
    this.#onDone = onDone;
    this.#pool = new Piscina({
      filename: fileURLToPath(workerFile),
      name: 'work',
      minThreads: threads,
      maxThreads: threads,
      idleTimeout: Infinity,
      workerData: { ...data, shared: this.#shared } satisfies ThreadData,
      execArgv: ['--no-warnings'],
    });
    for (let thread = 0; thread < threads; thread++) this.#start();
  }

  /** Records that were read, in all partitions. */
  get rows(): bigint {
    return Atomics.load(this.#shared, 0);
  }

  /** Waits for the end, but not long. Throws what the run ends with. */
  async isDone(milliseconds: number): Promise<boolean> {
    const isOver = (): boolean => this.#faults.length > 0 || this.#running.size === 0;
    if (!isOver()) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        if (isOver()) resolve();
      };
      await promise;
      clearTimeout(timer);
    }
    if (this.#faults.length > 0) throw this.#faults[0];
    return this.#running.size === 0;
  }

  /** No further partition begins, and those that run end at their next batch. */
  stop(reason: unknown): void {
    this.#faults.push(reason);
    this.#waiting.length = 0;
    Atomics.store(this.#shared, 1, 1n);
    this.#wake();
  }

  /** Stops what runs, and waits for it. */
  async end(): Promise<void> {
    if (this.#running.size > 0) this.stop(new MapError('the run was left'));
    await Promise.all(this.#running);
    await this.#pool.destroy();
  }

  #start(): void {
    const partition = this.#waiting.shift();
    if (partition === undefined) return;
    const task = this.#work(partition).finally(() => {
      this.#running.delete(task);
      this.#start();
      this.#wake();
    });
    this.#running.add(task);
  }

  async #work(partition: Partition): Promise<void> {
    try {
      const report = (await this.#pool.run(partition)) as PartitionReport;
      if (report.kind === 'done') this.#onDone(partition, report);
      else if (report.kind === 'fault')
        throw report.isTooMany ? new TooManyErrors(report.message) : new MapError(report.message);
    } catch (error) {
      this.stop(error);
    }
  }
}
