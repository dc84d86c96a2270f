// How a reached limit is reported to the script: first as an error that it can catch, and once its grace is used up as
// the end of the run.

import { findErrorType } from '../../src/language/errors.ts';
import { Failure } from '../errors/failures.ts';
import type { Handing, Meter, Unread } from './meter.ts';
import type { TrafficKind } from './options.ts';
import type { Refusal } from './rules.ts';
import type { LimitEnforcement } from './unlimited.ts';

/** In milliseconds; a longer timer would fire at once. */
const longestTimer = 0x7fff_ffff;

/** How the run makes errors. */
export interface EnforcedRun {
  /** Keeps a message for the module to read. */
  readonly tell: (message: string) => void;
  /** An error of the language, for the script. */
  readonly makeError: (refusal: Refusal) => unknown;
  /** An error that no clause of the script can catch. */
  readonly makeEnd: (refusal: Refusal) => unknown;
}

export class Enforcement implements LimitEnforcement {
  readonly meter: Meter;
  readonly #run: EnforcedRun;

  constructor(meter: Meter, run: EnforcedRun) {
    this.meter = meter;
    this.#run = run;
  }

  poll(units: number): number {
    return this.#answer(this.meter.poll(units));
  }

  reserve(bytes: number): number {
    return this.#answer(this.meter.reserve(bytes));
  }

  grow(bytes: number): void {
    this.#throw(this.meter.grow(bytes));
  }

  output(value: Handing, unread: () => Unread): void {
    this.#throw(this.meter.output(value, unread));
  }

  use(kind: TrafficKind, amount: number, held: number): void {
    const refusal = this.meter.use(kind, amount, held);
    if (refusal !== null) throw new Failure(refusal.type, refusal.message, this.meter.isExhausted);
  }

  time(): void {
    this.#throw(this.meter.time());
  }

  endInTime(): void {
    const refusal = this.meter.time();
    if (refusal !== null) throw this.#run.makeEnd(refusal);
  }

  watch(reject: (error: unknown) => void): () => void {
    const { meter } = this;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wind = (): void => {
      const left = meter.timeLeft;
      if (left === null) return;
      timer = setTimeout(
        () => {
          const refusal = meter.time();
          if (refusal === null) wind();
          else reject(this.#errorOf(refusal));
        },
        Math.min(left + 1, longestTimer),
      );
    };
    wind();
    return () => clearTimeout(timer);
  }

  #answer(answer: number | Refusal): number {
    if (typeof answer === 'number') return answer;
    if (this.meter.isExhausted) this.#throw(answer);
    this.#run.tell(answer.message);
    return -findErrorType(answer.type)!.id;
  }

  #throw(refusal: Refusal | null): void {
    if (refusal !== null) throw this.#errorOf(refusal);
  }

  #errorOf(refusal: Refusal): unknown {
    return this.meter.isExhausted ? this.#run.makeEnd(refusal) : this.#run.makeError(refusal);
  }
}
