// The owner's side of the traffic limits for a run in a worker. The limits themselves are in the worker: each question
// includes how much the call may use without asking. For more, the owner asks the worker with a reply in place of the
// answer.

import { Failure } from '../errors/failures.ts';
import type { Awaitable } from '../errors/failures.ts';
import type { Traffic } from '../limits/meter.ts';
import type { LimitKind, LimitOptions, TrafficKind } from '../limits/options.ts';
import { describeRefusal } from '../limits/rules.ts';
import type { Wanted } from './reply.ts';

const nothing: Traffic = { inputBytes: 0, writtenBytes: 0, requests: 0 };

/**
 * How far a run may exceed its limits before this side ends it: the worker enforces its clauses' grace itself, and
 * messages may be on their way.
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
  /** The limits that this side has raised. */
  #extended: LimitOptions = {};
  /** The sum of this run. */
  #sum: Traffic = nothing;
  /** What the call may still use. */
  #room: Traffic = nothing;
  /** What it has used since the last report to the worker. */
  #used: Traffic = nothing;
  #open: { readonly goOn: () => void; readonly giveUp: (failure: unknown) => void } | null = null;

  /** `ask` sends a question to the worker. */
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

  /** The largest number of bytes in unread values. */
  get mostUnread(): number {
    return 2 * this.#limitOf('memoryBytes') + beside.memoryBytes;
  }

  #limitOf(kind: LimitKind): number {
    return this.#extended[kind] || this.#limits?.[kind] || Infinity;
  }

  /** Whether a question to the worker has no answer yet. */
  get isAsking(): boolean {
    return this.#open !== null;
  }

  get room(): Traffic {
    return this.#room;
  }

  /** Called by the scope of a call. */
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

  /** Checks the worker's answer against the limits again: other code may have taken control of the worker. */
  #take(kind: TrafficKind, amount: number, held: number): void {
    const sum = this.#sum[kind] + amount;
    if (sum > this.#limitOf(kind) + beside[kind])
      throw new Failure('QuotaExceededError', describeRefusal(kind, this.#limitOf(kind)), true);
    if (held > this.#limitOf('memoryBytes') + beside.memoryBytes)
      throw new Failure('MemoryLimitError', describeRefusal('memoryBytes', this.#limitOf('memoryBytes')), true);
    this.#sum = { ...this.#sum, [kind]: sum };
  }

  /** Takes the worker's answer; false if it answers no question of this side. */
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

  /** The used traffic to report to the worker. */
  takeUsed(): Traffic {
    const used = this.#used;
    this.#used = nothing;
    return used;
  }

  /** The worker will not answer any more: open questions fail with this error. */
  end(error: unknown): void {
    this.#open?.giveUp(error);
    this.#open = null;
  }
}

/** The reason why the worker refuses a call. */
function failureOf(text: unknown): Failure {
  const { error, message, endsRun } = JSON.parse(String(text)) as {
    readonly error?: unknown;
    readonly message?: unknown;
    readonly endsRun?: unknown;
  };
  return new Failure(error === 'MemoryLimitError' ? error : 'QuotaExceededError', String(message), endsRun === true);
}
