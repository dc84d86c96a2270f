// The workers of one script. One that has done its work and was never ended may serve another instance of the same script
// soon after: nothing that an instance had is left there, since it reached nothing but its own memory.

import type { StartWorker, WorkerThread } from './messages.ts';

/** So many wait for work, and so long. */
const mostIdle = 2;
const idleMs = 1_000;

export class WorkerPool {
  readonly #start: StartWorker;
  readonly #idle: { readonly thread: WorkerThread; readonly timer: ReturnType<typeof setTimeout> }[] = [];

  constructor(start: StartWorker) {
    this.#start = start;
  }

  take(): WorkerThread {
    const idle = this.#idle.pop();
    if (idle === undefined) return this.#start();
    clearTimeout(idle.timer);
    return idle.thread;
  }

  /** Takes a worker back that has nothing to do, or a new one, so that it is there when it is wanted. */
  give(thread: WorkerThread): void {
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
