// One call of a script to the library while it goes on: whether anybody waits for it still, and what it may take in and
// give out. A call is given up when its run is aborted, and when its time is up, which a clause of the script may take.

import { AbortError } from '../errors/errors.ts';
import type { Awaitable } from '../errors/failures.ts';
import type { TrafficKind } from '../limits/options.ts';

/**
 * Before so much is read, written or asked for: throws, or rejects with, a Failure if it is too much. `held` is how
 * many bytes the call has had for itself so far.
 */
export type Allow = (kind: TrafficKind, amount: number, held: number) => Awaitable<void>;

export class CallScope {
  readonly #run: AbortSignal;
  readonly #allow: Allow | null;
  #isOver = false;
  /** Made when somebody wants its signal. */
  #controller: AbortController | null = null;
  #held = 0;
  #read = 0;
  /** What was asked last and is not yet answered. */
  #pending: Promise<void> | null = null;
  readonly #giveUp = (): void => this.giveUp();

  /** `run` is aborted when the run is; `allow` is null where nothing is limited. */
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

  /** Throws what no script sees once nobody waits for the call any more. */
  readonly throwIfOver = (): void => {
    if (this.#isOver || this.#run.aborted) throw new AbortError('the run was aborted');
  };

  /** Before so many bytes more come in. */
  readonly read = (bytes: number): Awaitable<void> => {
    this.#read += bytes;
    return this.use('inputBytes', bytes);
  };

  /** Before so many bytes are written or sent, or a request is made. */
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
   * The answer is so large, of which a part may have been asked for already. What is not yet answered is waited for.
   */
  answer(size: () => number): Awaitable<void> {
    if (this.#allow === null) return undefined;
    return this.read(Math.max(size() - this.#read, 0)) ?? this.#pending ?? undefined;
  }

  /** Nobody waits for the call any more: nothing is begun for it, and what it waits for ends. */
  giveUp(): void {
    this.#isOver = true;
    this.#controller?.abort();
    this.close();
  }

  /** The call has answered or failed. */
  close(): void {
    if (this.#controller !== null) this.#run.removeEventListener('abort', this.#giveUp);
  }
}
