// Ctrl-C while a script runs. Nothing of JavaScript hears of it while the script computes, so the engine is asked to
// break off then, which Node does for code that it evaluates; while the script waits, it is an event like others.

import { Script } from 'node:vm';

const workKey = Symbol.for('sluice.work');
const source = "globalThis[Symbol.for('sluice.work')]()";

/**
 * Runs what was due after an event, and is there in every Node, if without a promise; without it, a script that has
 * waited is ended unheard.
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
   * What comes before is ended as any program is, and so are waits where `listens` is false: while code of others has
   * the thread that may never give it back, an event would not be heard either.
   */
  begin(listens: boolean): void {
    if (listens && runDue !== undefined) process.on('SIGINT', this.#listen);
  }

  /** Does what may take long. */
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

  /** Does it after the events that are there, with everything that is due then: a script goes on. */
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
