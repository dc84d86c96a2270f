// One running library call of a script: whether its result is still needed, and how much it may read and write. A call
// is given up if its run is aborted, or if its time is up; the script can catch the latter error.

import { AbortError } from '../errors/errors.ts';
import type { Awaitable } from '../errors/failures.ts';
import type { TrafficKind } from '../limits/options.ts';

/**
 * Called before so much is read, written or requested: throws, or rejects with, a Failure if it is too much. `held` is
 * the memory in bytes that the call has used so far.
 */
export type Allow = (kind: TrafficKind, amount: number, held: number) => Awaitable<void>;

export class CallScope {
  readonly #run: AbortSignal;
  readonly #allow: Allow | null;
  #isOver = false;
  /** Made when its signal is first needed. */
  #controller: AbortController | null = null;
  #held = 0;
  #read = 0;
  /** The last question, while it has no answer. */
  #pending: Promise<void> | null = null;
  readonly #giveUp = (): void => this.giveUp();

  /** `run` is aborted with the run; `allow` is null if there are no limits. */
  constructor(run: AbortSignal, allow: Allow | null = null) {
    this.#run = run;
    this.#allow = allow;
  }

  /** Aborted when the call is given up. */
  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.#isOver || this.#run.aborted) this.#controller.abort();
      else this.#run.addEventListener('abort', this.#giveUp, { once: true });
    }
    return this.#controller.signal;
  }

  /** Throws once the call's result is not needed any more; no script sees the error. */
  readonly throwIfOver = (): void => {
    if (this.#isOver || this.#run.aborted) throw new AbortError('the run was aborted');
  };

  /** Called before so many more bytes are read. */
  readonly read = (bytes: number): Awaitable<void> => {
    this.#read += bytes;
    return this.use('inputBytes', bytes);
  };

  /** Called before so many bytes are written or sent, or a request is made. */
  use(kind: TrafficKind, amount: number): Awaitable<void> {
    if (this.#allow === null || amount === 0) return undefined;
    this.throwIfOver();
    if (kind !== 'requests') this.#held += amount;
    const asked =
      this.#pending === null
        ? this.#allow(kind, amount, this.#held)
        : this.#pending.then(() => this.#allow!(kind, amount, this.#held));
    if (!(asked instanceof Promise)) return undefined;
    this.#pending = asked;
    const done = (): void => {
      if (this.#pending === asked) this.#pending = null;
    };
    asked.then(done, () => {});
    return asked;
  }

  /**
   * Asks for the size of the whole answer, of which a part may have been allowed already. A pending question is awaited
   * first.
   */
  answer(size: () => number): Awaitable<void> {
    if (this.#allow === null) return undefined;
    return this.read(Math.max(size() - this.#read, 0)) ?? this.#pending ?? undefined;
  }

  /** The call's result is not needed any more: it begins nothing new, and its waits end. */
  giveUp(): void {
    this.#isOver = true;
    this.#controller?.abort();
    this.close();
  }

  /** The call has returned or failed. */
  close(): void {
    if (this.#controller !== null) this.#run.removeEventListener('abort', this.#giveUp);
  }
}
