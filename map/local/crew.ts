// The threads of a run: each has one partition at a time. A thread is never ended in the middle of DuckDB's work, which
// would take the process with it: they are told to stop, and are waited for.

import type { Counts } from '../commit/store.ts';
import { MapError } from '../errors.ts';
import type { Partition } from '../plan/plan.ts';
import { Signals, Threads } from './threads.ts';
import type { ThreadRun } from './threads.ts';

export class Crew {
  readonly #run: ThreadRun;
  readonly #threads: Threads;
  readonly #signals = new Signals();
  readonly #waiting: Partition[];
  readonly #onDone: (partition: Partition, done: Counts) => void;
  readonly #running = new Set<Promise<void>>();
  /** The first is what the run ends with. */
  readonly #faults: unknown[] = [];
  #wake = (): void => {};

  /** `onDone` may throw, which ends the run. */
  constructor(
    run: ThreadRun,
    threads: number,
    partitions: readonly Partition[],
    onDone: (partition: Partition, done: Counts) => void,
  ) {
    this.#run = run;
    this.#waiting = [...partitions];
    this.#onDone = onDone;
    this.#threads = new Threads(threads);
    for (let thread = 0; thread < threads; thread++) this.#start();
  }

  /** Records that were read, in all partitions. */
  get rows(): number {
    return this.#signals.rows;
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
    this.#signals.stop();
    this.#wake();
  }

  /** Stops what runs, and waits for it. */
  async end(): Promise<void> {
    if (this.#running.size > 0) this.stop(new MapError('the run was left'));
    await Promise.all(this.#running);
    await this.#threads.end();
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
      const done = await this.#threads.work(this.#run, partition, this.#signals);
      if (done !== null) this.#onDone(partition, done);
    } catch (error) {
      this.stop(error);
    }
  }
}
