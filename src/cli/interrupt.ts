// Ctrl-C while a script runs. JavaScript gets no event while the script computes, so Node is asked to stop the
// computation, which it does for code that it evaluates; while the script waits, Ctrl-C is an ordinary event.

import { Script } from 'node:vm';

const workKey = Symbol.for('sluice.work');
const source = "globalThis[Symbol.for('sluice.work')]()";

/**
 * Node's function that runs the callbacks and promises that are due after an event. Every Node has it, but it is not
 * documented; without it, Ctrl-C ends a script that has waited without a message.
 */
const { _tickCallback: runDue } = process as { _tickCallback?: () => void };

export class Interrupt {
  readonly #script = new Script(source);
  readonly #onInterrupt: () => never;
  readonly #listen = (): never => this.#onInterrupt();

  /** `onInterrupt` ends the process. */
  constructor(onInterrupt: () => never) {
    this.#onInterrupt = onInterrupt;
  }

  /**
   * Before this call, Ctrl-C ends the process as usual. With `listens` false, that stays so while a script waits: code
   * of a plugin may block the thread for ever, and then no event would arrive.
   */
  begin(listens: boolean): void {
    if (listens && runDue !== undefined) process.on('SIGINT', this.#listen);
  }

  /** Runs work that may take long. */
  enter<Value>(work: () => Value): Value {
    let value: Value;
    const keep = (): void => {
      value = work();
    };
    Object.defineProperty(globalThis, workKey, { value: keep, configurable: true });
    try {
      this.#script.runInThisContext({ breakOnSigint: true, displayErrors: false });
      return value!;
    } catch (error) {
      if ((error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED') this.#onInterrupt();
      throw error;
    } finally {
      Reflect.deleteProperty(globalThis, workKey);
    }
  }

  /** Runs the work after the pending events, and then everything that is due: so a script resumes. */
  readonly goOn = (work: () => void): void => {
    setImmediate(() =>
      this.enter(() => {
        work();
        runDue?.();
      }),
    );
  };

  close(): void {
    process.off('SIGINT', this.#listen);
  }
}
