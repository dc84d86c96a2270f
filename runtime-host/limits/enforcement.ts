// How a limit that is reached gets to the script: as an error that it may take, and once its grace is over as the end.

import { depthExport } from '../../src/abi/imports.ts';
import { findErrorType } from '../../src/language/errors.ts';
import { Failure } from '../errors/failures.ts';
import type { Handing, Meter, Unread } from './meter.ts';
import type { LimitOptions, TrafficKind } from './options.ts';
import type { Refusal } from './rules.ts';

/** What a module may use or allocate that asks where nothing is limited. */
const unlimited = 1 << 30;

/** So many units in a row leave an engine the chance to put optimised code in place. */
const unlimitedUnits = 1 << 17;

/** In milliseconds; a longer one would fire at once. */
const longestTimer = 0x7fff_ffff;

/** How the run makes errors. */
export interface EnforcedRun {
  /** Keeps a message for the module to read. */
  readonly tell: (message: string) => void;
  /** An error of the language, for the script. */
  readonly makeError: (refusal: Refusal) => unknown;
  /** An error that no clause of the script takes. */
  readonly makeEnd: (refusal: Refusal) => unknown;
}

export class Enforcement {
  /** Null where nothing is limited. */
  readonly meter: Meter | null;
  readonly #run: EnforcedRun;

  constructor(meter: Meter | null, run: EnforcedRun) {
    this.meter = meter;
    this.#run = run;
  }

  /** The import of this name: how many more units, or minus an error type, of which the reads give the message. */
  look(units: number): number {
    return this.#answer(this.meter?.look(units) ?? unlimitedUnits);
  }

  /** The import of this name, likewise. */
  reserve(bytes: number): number {
    return this.#answer(this.meter?.reserve(bytes) ?? unlimited);
  }

  /** A value that leaves the script has grown to so many bytes. Throws. */
  grow(bytes: number): void {
    if (this.meter !== null) this.#throw(this.meter.grow(bytes));
  }

  /** Before a value is handed over, while others are unread. Throws. */
  output(value: Handing, unread: () => Unread): void {
    if (this.meter !== null) this.#throw(this.meter.output(value, unread));
  }

  /** As Meter has it. Throws a Failure, which the script may take, or which ends the run. */
  use(kind: TrafficKind, amount: number, held: number): void {
    const refusal = this.meter?.use(kind, amount, held) ?? null;
    if (refusal !== null) throw new Failure(refusal.type, refusal.message, this.meter!.isExhausted);
  }

  /** Throws when the time is up. */
  time(): void {
    this.#throw(this.meter?.time() ?? null);
  }

  /** Throws what no clause takes when the time is up. */
  endInTime(): void {
    const refusal = this.meter?.time() ?? null;
    if (refusal !== null) throw this.#run.makeEnd(refusal);
  }

  /** Rejects a wait once the time is up; the answer ends the watch. */
  watch(reject: (error: unknown) => void): () => void {
    const { meter } = this;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wind = (): void => {
      const left = meter?.timeLeft ?? null;
      if (left === null) return;
      timer = setTimeout(() => {
        const refusal = meter!.time();
        if (refusal === null) wind();
        else reject(this.#errorOf(refusal));
      }, Math.min(left + 1, longestTimer));
    };
    wind();
    return () => clearTimeout(timer);
  }

  #answer(answer: number | Refusal): number {
    if (typeof answer === 'number') return answer;
    if (this.meter!.isExhausted) this.#throw(answer);
    this.#run.tell(answer.message);
    return -findErrorType(answer.type)!.id;
  }

  #throw(refusal: Refusal | null): void {
    if (refusal !== null) throw this.#errorOf(refusal);
  }

  #errorOf(refusal: Refusal): unknown {
    return this.meter!.isExhausted ? this.#run.makeEnd(refusal) : this.#run.makeError(refusal);
  }
}

/** Tells a new instance how deep calls may nest. */
export function setDepth(exports: Readonly<Record<string, unknown>>, limits: LimitOptions | null): void {
  const depthBytes = limits?.depthBytes;
  if (depthBytes === undefined || depthBytes === null || !(depthExport in exports)) return;
  (exports[depthExport] as WebAssembly.Global).value = depthBytes === 0 ? unlimited : Math.min(depthBytes, unlimited);
}
