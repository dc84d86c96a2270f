// Counts what one run uses, and decides whether it may go on. Compiled code asks from time to time; calls of the host
// and yields ask too.

import { createObject, disregard, floor, freeze, max, min, partOf, round, timeNow } from '../primordials/untampered.ts';
import { limitKinds, trafficKinds } from './options.ts';
import type { LimitKind, LimitOptions, LimitRequest, TrafficKind } from './options.ts';
import { describeRefusal, rules } from './rules.ts';
import type { Refusal } from './rules.ts';

/** The engine's figures about the heap of scripts. */
export interface MemoryGauge {
  /** In bytes, garbage included. */
  readonly used: () => number;
  /** Collects garbage, so that `used` counts live objects only. */
  readonly collect?: () => void;
}

/** How much more of each kind may be used without asking the meter again. */
export type Traffic = Readonly<Record<TrafficKind, number>>;

/** Yielded values that nobody has read. */
export interface Unread {
  readonly items: number;
  /** Counted as by ValueWriter. */
  readonly bytes: number;
}

/** A value before it is handed over. */
export interface Handing {
  /** Its printed text. */
  readonly text: () => string;
  /** A lower bound of the text's length. */
  readonly leastText: number;
  /** Counted as by ValueWriter. */
  readonly bytes: number;
}

const outputKinds: readonly LimitKind[] = ['outputItems', 'outputBytes', 'unreadItems', 'unreadBytes', 'memoryBytes'];

const mostExtensions = 100;

/**
 * The intended time between two polls, in milliseconds: short enough to end a run in time, and long enough that polling
 * costs nothing measurable.
 */
const betweenPollsMs = 0.2;
const firstUnits = 16_384;
const fewestUnits = 1024;
const mostUnits = 1 << 17;

/** Milliseconds between two measurements of the heap. */
const betweenGauges = 1;
const fewestBytes = 1 << 16;
const mostBytes = 1 << 22;

export class Meter {
  /** Without prototypes, like `#used`, so that changes to Object.prototype do not change a limit. */
  readonly #limits = createObject(null) as Partial<Record<LimitKind, number>>;
  readonly #used = createObject(null) as Record<LimitKind, number>;
  readonly #options: LimitOptions;
  readonly #gauge: MemoryGauge | null;
  /** Calls the embedder's onLimit; an error that it throws passes through the script. */
  readonly #callOut: <Value>(work: () => Value) => Value;
  #started = 0;
  #heapAtStart = 0;
  #pausedFor = 0;
  #pausedSince: number | null = null;
  #extensions = 0;
  #units = firstUnits;
  /** How many of the units that were granted last have been counted already. */
  #settled = 0;
  #lastPoll = 0;
  #lastGauge = 0;
  /** Below this size the heap may be partly garbage, but a collection is not worth its time. */
  #collectAbove = 0;
  #refusal: Refusal | null = null;
  #isExhausted = false;
  #limitsOutput = false;
  /** Bytes of the values that were made since the last measurement of the heap. */
  #handed = 0;

  constructor(options: LimitOptions, gauge: MemoryGauge | null, callOut: <Value>(work: () => Value) => Value) {
    this.#options = options;
    this.#gauge = gauge;
    this.#callOut = callOut;
  }

  /** Called at the start of a run, or of a call of an instance: the limits hold for each of them separately. */
  begin(): void {
    this.#limitsOutput = false;
    for (let at = 0; at < limitKinds.length; at++) {
      const kind = limitKinds[at]!;
      this.#used[kind] = 0;
      const limit = this.#options[kind] ?? 0;
      if (limit > 0) this.#limits[kind] = limit;
    }
    for (let at = 0; at < outputKinds.length; at++)
      if (this.#limits[outputKinds[at]!] !== undefined) this.#limitsOutput = true;
    this.#extensions = 0;
    this.#refusal = null;
    this.#isExhausted = false;
    this.#handed = 0;
    this.#pausedFor = 0;
    this.#pausedSince = null;
    this.#started = timeNow();
    this.#lastPoll = this.#started;
    if (this.#gauge !== null && this.#limits.memoryBytes !== undefined) this.#heapAtStart = this.#gauge.used();
    this.#collectAbove = this.#heapAtStart + slackOf(this.#limits.memoryBytes ?? 0);
  }

  /** Units of fuel that were used. */
  get fuel(): number {
    return this.#used.fuel;
  }

  /** Whether the script has gone beyond the limit even in its clause: then the run ends without asking the script. */
  get isExhausted(): boolean {
    return this.#isExhausted;
  }

  /** Counts used units: answers how many more may be used before the next poll, or why the run must end. */
  poll(units: number): number | Refusal {
    this.settle(units);
    this.#settled = 0;
    const now = timeNow();
    const refusal =
      this.#check('fuel') ??
      this.#checkTime(now) ??
      (now - this.#lastGauge >= betweenGauges ? this.#checkMemory(0, now) : null);
    if (refusal !== null) return refusal;
    const elapsed = max(now - this.#lastPoll, 0.001);
    this.#lastPoll = now;
    this.#units = min(max(round(this.#units * min(max(betweenPollsMs / elapsed, 0.5), 2)), fewestUnits), mostUnits);
    return max(min(this.#units, this.#left('fuel')), 0);
  }

  /** Counts the units used since the last poll, without refusing anything. */
  settle(units: number): void {
    // The counters have 32 bits and wrap around, so the difference is taken modulo 2^32.
    this.#add('fuel', (units - this.#settled) >>> 0);
    this.#settled = units;
  }

  /**
   * Called before so many bytes are allocated: answers how many more may be allocated before the next call, or why they
   * may not.
   */
  reserve(bytes: number): number | Refusal {
    const limit = this.#limits.memoryBytes;
    const now = timeNow();
    // A large allocation takes long to fill, so the time is checked too.
    const refusal = this.#checkTime(now) ?? (limit === undefined ? null : this.#checkMemory(bytes, now));
    if (refusal !== null || limit === undefined) return refusal ?? mostBytes;
    return min(max(floor(limit / 16), fewestBytes), mostBytes);
  }

  /** Checks a value that leaves the script and has grown to so many bytes. */
  grow(bytes: number): Refusal | null {
    return this.time() ?? this.#checkHeld(bytes, bytes);
  }

  /** Called before a value is handed over; `unread` counts the unread values without it. */
  output({ text, leastText, bytes }: Handing, unread: () => Unread): Refusal | null {
    if (!this.#limitsOutput) return null;
    const before = unread();
    const refusal =
      this.#count('unreadItems', before.items + 1, 1) ??
      this.#count('unreadBytes', before.bytes + bytes, bytes) ??
      this.#checkHanded(before.bytes + bytes, bytes);
    if (refusal !== null) return refusal;
    if (this.#limits.outputItems !== undefined) {
      this.#add('outputItems', 1);
      const refusal = this.#check('outputItems');
      if (refusal !== null) return refusal;
    }
    if (this.#limits.outputBytes === undefined) return null;
    // A text that is surely too long is not even printed.
    const isTooLong = leastText > this.#left('outputBytes');
    const size = isTooLong ? leastText : new TextEncoder().encode(text()).length;
    this.#add('outputBytes', size);
    return this.#check('outputBytes', size);
  }

  /**
   * Called before so much is read, written or requested; `held` is the memory that the call has used so far outside of
   * the heap.
   */
  use(kind: TrafficKind, amount: number, held: number): Refusal | null {
    this.#add(kind, amount);
    return this.#check(kind, amount) ?? (kind === 'requests' ? null : this.#checkMemory(held, timeNow()));
  }

  /** Counts what was read, written and requested within the amounts of `room`. */
  note(used: Traffic): void {
    for (let at = 0; at < trafficKinds.length; at++) this.#add(trafficKinds[at]!, used[trafficKinds[at]!]);
  }

  /** How much may be read, written and requested before `use` must be called. */
  room(): Traffic {
    const limit = this.#limits.memoryBytes;
    const memory =
      limit === undefined ? Infinity : limit - (this.#gauge === null ? 0 : this.#gauge.used() - this.#heapAtStart);
    const left = (kind: TrafficKind): number => max(min(this.#left(kind), kind === 'requests' ? Infinity : memory), 0);
    return { inputBytes: left('inputBytes'), writtenBytes: left('writtenBytes'), requests: left('requests') };
  }

  /** Called before each call of the host. */
  time(): Refusal | null {
    return this.#checkTime(timeNow());
  }

  /** The remaining milliseconds; null if time is not limited. */
  get timeLeft(): number | null {
    const limit = this.#limits.timeMs;
    return limit === undefined ? null : max(limit - this.#elapsed(timeNow()), 0);
  }

  /** Stops the clock during time that is not the script's own: while a person is asked, or a consumer reads a value. */
  pause(): void {
    this.#pausedSince ??= timeNow();
  }

  resume(): void {
    if (this.#pausedSince === null) return;
    this.#pausedFor += timeNow() - this.#pausedSince;
    this.#pausedSince = null;
  }

  /** Subtracts milliseconds that were not the script's own time. */
  discount(milliseconds: number): void {
    this.#pausedFor += milliseconds;
  }

  #elapsed(now: number): number {
    return (this.#pausedSince ?? now) - this.#started - this.#pausedFor;
  }

  #add(kind: LimitKind, amount: number): void {
    this.#used[kind] = this.#used[kind] + amount;
  }

  #left(kind: LimitKind): number {
    return (this.#limits[kind] ?? Infinity) - this.#used[kind];
  }

  #checkTime(now: number): Refusal | null {
    if (this.#limits.timeMs === undefined) return null;
    this.#used.timeMs = this.#elapsed(now);
    return this.#check('timeMs');
  }

  /** Unread values may be outside of the heap, so they are checked against the limit on their own. */
  #checkHeld(bytes: number, pending: number): Refusal | null {
    const limit = this.#limits.memoryBytes;
    if (limit === undefined || bytes <= limit) return null;
    this.#used.memoryBytes = bytes;
    return this.#check('memoryBytes', pending);
  }

  #checkHanded(held: number, more: number): Refusal | null {
    this.#handed += more;
    const refusal = this.#checkHeld(held, more);
    if (refusal !== null || this.#handed < fewestBytes) return refusal;
    this.#handed = 0;
    return this.#checkMemory(0, timeNow());
  }

  /**
   * Checks one allocation exactly, and all of them by the growth of the heap, without garbage if the engine can collect
   * it.
   */
  #checkMemory(pending: number, now: number): Refusal | null {
    const limit = this.#limits.memoryBytes;
    if (limit === undefined) return null;
    this.#used.memoryBytes = pending;
    if (pending > limit) return this.#check('memoryBytes', pending);
    if (this.#gauge === null) return null;
    this.#lastGauge = now;
    let heap = this.#gauge.used() + pending;
    // Garbage from before the run must not count for it.
    this.#heapAtStart = min(this.#heapAtStart, heap);
    if (heap - this.#heapAtStart <= limit || heap <= this.#collectAbove) return null;
    if (this.#gauge.collect !== undefined) {
      this.#gauge.collect();
      heap = this.#gauge.used() + pending;
      this.#heapAtStart = min(this.#heapAtStart, heap);
      this.#collectAbove = heap + slackOf(limit);
    }
    this.#used.memoryBytes = heap - this.#heapAtStart;
    return this.#check('memoryBytes', pending);
  }

  /** Sets the used amount and checks it, if the kind is limited. */
  #count(kind: LimitKind, used: number, pending: number): Refusal | null {
    if (this.#limits[kind] === undefined) return null;
    this.#used[kind] = used;
    return this.#check(kind, pending);
  }

  /** `pending` is the part of the used amount that is not used yet; a refusal takes it off again. */
  #check(kind: LimitKind, pending = 0): Refusal | null {
    const limit = this.#limits[kind];
    const used = this.#used[kind];
    if (limit === undefined || used <= limit) return null;
    while (this.#refusal === null && this.#extend(kind, used)) if (used <= this.#limits[kind]!) return null;
    this.#add(kind, -pending);
    return this.#refuse(kind, this.#limits[kind]!);
  }

  /** Asks whether the limit may be raised; true if it was. */
  #extend(kind: LimitKind, used: number): boolean {
    const { onLimit, most } = this.#options;
    const limit = this.#limits[kind]!;
    if (onLimit === undefined || this.#extensions >= mostExtensions) return false;
    const request: LimitRequest = freeze({ kind, used, limit, times: this.#extensions });
    this.#extensions += 1;
    this.pause();
    const wanted: unknown = this.#callOut(() => {
      const answer: unknown = onLimit(request);
      // This call cannot wait for the promise, and its rejection must not end the host.
      disregard(answer);
      return typeof answer === 'object' && answer !== null ? partOf(answer, 'newLimit') : null;
    });
    this.resume();
    // A number that is not exact is no limit.
    if (typeof wanted !== 'number' || wanted > Number.MAX_SAFE_INTEGER) return false;
    const granted = min(wanted, most?.[kind] || Infinity);
    if (!(granted > limit)) return false;
    this.#limits[kind] = granted;
    return true;
  }

  /** After the first refusal a clause has some grace; the second one is the end. */
  #refuse(kind: LimitKind, limit: number): Refusal {
    if (this.#refusal !== null) {
      this.#isExhausted = true;
      return this.#refusal;
    }
    this.#refusal = { type: rules[kind].type, message: describeRefusal(kind, limit) };
    for (let at = 0; at < limitKinds.length; at++) {
      const each = limitKinds[at]!;
      const known = this.#limits[each];
      if (known !== undefined) this.#limits[each] = max(known, this.#used[each]) + rules[each].grace;
    }
    return this.#refusal;
  }
}

/** A collection pays once this much may have become garbage. */
function slackOf(limit: number): number {
  return min(limit / 2, 1 << 25);
}
