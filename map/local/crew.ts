// The threads of a run: each has one task at a time. A thread is never ended in the middle of DuckDB's work, which
// would take the process with it: they are told to stop, and are waited for.

import { MapError } from '../errors.ts';
import type { PlannedTask } from './tasks.ts';
import { Signals, Threads } from './threads.ts';
import type { Done, ThreadRun } from './threads.ts';

export class Crew {
  readonly #run: ThreadRun;
  readonly #threads: Threads;
  readonly #signals = new Signals();
  readonly #waiting: PlannedTask[];
  /** Ids of tasks that are committed. */
  readonly #done: Set<string>;
  readonly #most: number;
  readonly #onDone: (task: PlannedTask, done: Done) => void;
  readonly #running = new Set<Promise<void>>();
  /** The first is what the run ends with. */
  readonly #faults: unknown[] = [];
  #wake = (): void => {};

  /** `done`: ids of tasks that were committed before. `onDone` may throw, which ends the run. */
  constructor(
    run: ThreadRun,
    threads: number,
    tasks: readonly PlannedTask[],
    done: Iterable<string>,
    onDone: (task: PlannedTask, done: Done) => void,
  ) {
    this.#run = run;
    this.#waiting = [...tasks];
    this.#done = new Set(done);
    this.#most = threads;
    this.#onDone = onDone;
    this.#threads = new Threads(threads, run);
    this.#fill();
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

  /** No further task begins, and those that run end at their next batch. */
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

  /** Gives tasks to free threads: in order, and those alone whose inputs are committed. */
  #fill(): void {
    while (this.#running.size < this.#most) {
      const at = this.#waiting.findIndex(({ after }) => after.every((id) => this.#done.has(id)));
      if (at < 0) return;
      const [task] = this.#waiting.splice(at, 1);
      const running = this.#work(task!).finally(() => {
        this.#running.delete(running);
        this.#fill();
        this.#wake();
      });
      this.#running.add(running);
    }
  }

  async #work(planned: PlannedTask): Promise<void> {
    try {
      const done = await this.#threads.work(this.#run, planned.task, this.#signals);
      if (done === null) return;
      this.#done.add(planned.id);
      this.#onDone(planned, done);
    } catch (error) {
      this.stop(error);
    }
  }
}
