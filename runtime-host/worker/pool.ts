// The workers of one script. One that has done its work and was never ended may serve another instance of the same script
// soon after: nothing that an instance had is left there, since it reached nothing but its own memory. A process does one
// thing and is gone: it is for those who do not rely on that.

import type { StartWorker, WorkerThread } from './messages.ts';

/** So many wait for work, and so long. */
const mostIdle = 2;
const idleMs = 1_000;

export class WorkerPool {
  readonly #start: StartWorker;
  /** Whether a worker serves more than one instance. */
  readonly #reuses: boolean;
  readonly #idle: { readonly thread: WorkerThread; readonly timer: ReturnType<typeof setTimeout> }[] = [];

  constructor(start: StartWorker, reuses: boolean) {
    this.#start = start;
    this.#reuses = reuses;
    // The first is ready by the time that it is wanted.
    this.#keep(start());
  }

  take(): WorkerThread {
    const idle = this.#idle.pop();
    if (idle === undefined) return this.#start();
    clearTimeout(idle.timer);
    return idle.thread;
  }

  /** Takes a worker back that has nothing to do. */
  give(thread: WorkerThread): void {
    if (this.#reuses) this.#keep(thread);
    else thread.end();
  }

  #keep(thread: WorkerThread): void {
    thread.keepAlive(false);
    if (this.#idle.length >= mostIdle) {
      thread.end();
      return;
    }
    const drop = (): void => {
      const at = this.#idle.findIndex((idle) => idle.thread === thread);
      if (at < 0) return;
      clearTimeout(this.#idle[at]!.timer);
      this.#idle.splice(at, 1);
      thread.end();
    };
    thread.listen(() => {}, drop);
    const timer = setTimeout(drop, idleMs);
    // Node's timers keep the process alive; those of browsers are numbers.
    if (typeof timer === 'object') timer.unref();
    this.#idle.push({ thread, timer });
  }
}
