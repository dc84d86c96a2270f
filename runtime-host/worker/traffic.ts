// The owner's side of what the calls of a run in a worker take in and give out. The limits are in the worker: each
// question brings how much the call may take without a word, and what is beyond that is asked on the way, in place of
// an answer.

import { Failure } from '../errors/failures.ts';
import type { Awaitable } from '../errors/failures.ts';
import type { Traffic } from '../limits/meter.ts';
import type { LimitKind, LimitOptions, TrafficKind } from '../limits/options.ts';
import { describeRefusal } from '../limits/rules.ts';
import type { Wanted } from './reply.ts';

const nothing: Traffic = { inputBytes: 0, writtenBytes: 0, requests: 0 };

/**
 * What a run may have beyond its limits before this side ends it: it has its own word about clauses and what is on the
 * way.
 */
const beside: Readonly<Record<TrafficKind | 'memoryBytes', number>> = {
  inputBytes: 2 ** 17,
  writtenBytes: 2 ** 17,
  requests: 20,
  memoryBytes: 2 ** 23,
};

export class CallTraffic {
  readonly #limits: LimitOptions | null;
  readonly #ask: (wanted: Wanted) => void;
  /** As far as this side has raised them. */
  #extended: LimitOptions = {};
  /** Of this run. */
  #sum: Traffic = nothing;
  /** What the call may still take. */
  #room: Traffic = nothing;
  /** What it has taken since the worker was told. */
  #used: Traffic = nothing;
  #open: { readonly goOn: () => void; readonly giveUp: (failure: unknown) => void } | null = null;

  /** `ask` asks the worker. */
  constructor(limits: LimitOptions | null, ask: (wanted: Wanted) => void) {
    this.#limits = limits;
    this.#ask = ask;
  }

  /** Another run or call begins. */
  begin(): void {
    this.#extended = {};
    this.#sum = nothing;
  }

  /** A limit was raised. */
  extend(kind: LimitKind, limit: number): void {
    this.#extended = { ...this.#extended, [kind]: limit };
  }

  /** So many bytes of values may be unread at most. */
  get mostUnread(): number {
    return 2 * this.#limitOf('memoryBytes') + beside.memoryBytes;
  }

  #limitOf(kind: LimitKind): number {
    return this.#extended[kind] || this.#limits?.[kind] || Infinity;
  }

  /** Whether the worker has been asked and has not answered. */
  get isAsking(): boolean {
    return this.#open !== null;
  }

  get room(): Traffic {
    return this.#room;
  }

  /** As the scope of a call asks. */
  allow(kind: TrafficKind, amount: number, held: number): Awaitable<void> {
    const room = this.#room[kind];
    if (amount <= room) {
      this.#take(kind, amount, held);
      this.#room = { ...this.#room, [kind]: room - amount };
      this.note({ ...nothing, [kind]: amount });
      return undefined;
    }
    return new Promise<void>((goOn, giveUp) => {
      this.#open = { goOn, giveUp };
      this.#ask({ wants: { kind, amount, held }, used: this.takeUsed() });
    }).then(() => this.#take(kind, amount, held));
  }

  /** What the worker says is held to the limits once more: somebody may have taken its place. */
  #take(kind: TrafficKind, amount: number, held: number): void {
    const sum = this.#sum[kind] + amount;
    if (sum > this.#limitOf(kind) + beside[kind])
      throw new Failure('QuotaExceededError', describeRefusal(kind, this.#limitOf(kind)), true);
    if (held > this.#limitOf('memoryBytes') + beside.memoryBytes)
      throw new Failure('MemoryLimitError', describeRefusal('memoryBytes', this.#limitOf('memoryBytes')), true);
    this.#sum = { ...this.#sum, [kind]: sum };
  }

  /** Takes what the worker says; false where that is no answer to a question of this side. */
  take(called: string, values: readonly unknown[], room: Traffic | null): boolean {
    if (room !== null) this.#room = room;
    const open = this.#open;
    if (open === null || (called !== 'goOn' && called !== 'giveUp')) return false;
    this.#open = null;
    if (called === 'goOn') open.goOn();
    else open.giveUp(failureOf(values[0]));
    return true;
  }

  note(used: Traffic): void {
    const { inputBytes, writtenBytes, requests } = this.#used;
    this.#used = {
      inputBytes: inputBytes + used.inputBytes,
      writtenBytes: writtenBytes + used.writtenBytes,
      requests: requests + used.requests,
    };
  }

  /** What is told to the worker. */
  takeUsed(): Traffic {
    const used = this.#used;
    this.#used = nothing;
    return used;
  }

  /** The worker answers no more: what waits for it fails with this. */
  end(error: unknown): void {
    this.#open?.giveUp(error);
    this.#open = null;
  }
}

/** Why the worker has a call given up. */
function failureOf(text: unknown): Failure {
  const { error, message, endsRun } = JSON.parse(String(text)) as {
    readonly error?: unknown;
    readonly message?: unknown;
    readonly endsRun?: unknown;
  };
  return new Failure(error === 'MemoryLimitError' ? error : 'QuotaExceededError', String(message), endsRun === true);
}
