// What one run uses, and whether it may go on. Compiled code asks now and then; calls of the host and yields ask too.

import { createObject, disregard, floor, freeze, max, min, partOf, round, timeNow } from '../primordials/untampered.ts';
import { limitKinds, trafficKinds } from './options.ts';
import type { LimitKind, LimitOptions, LimitRequest, TrafficKind } from './options.ts';
import { describeRefusal, rules } from './rules.ts';
import type { Refusal } from './rules.ts';

/** What an engine says of the heap that scripts allocate in. */
export interface MemoryGauge {
  /** In bytes, garbage included. */
  readonly used: () => number;
  /** Collects garbage, so that `used` is what lives. */
  readonly collect?: () => void;
}

/** How much more of each there may be, without a word from the meter. */
export type Traffic = Readonly<Record<TrafficKind, number>>;

/** Values that nobody has read. */
export interface Unread {
  readonly items: number;
  /** As ValueWriter counts them. */
  readonly bytes: number;
}

/** A value that is about to be handed over. */
export interface Handing {
  /** As it is printed. */
  readonly text: () => string;
  /** That has so many characters at least. */
  readonly leastText: number;
  /** As ValueWriter counts them. */
  readonly bytes: number;
}

const outputKinds: readonly LimitKind[] = ['outputItems', 'outputBytes', 'unreadItems', 'unreadBytes', 'memoryBytes'];

const mostExtensions = 100;

/**
 * About so many milliseconds should pass between two polls: few enough to end in time, and so many that polling costs
 * nothing that can be measured.
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
  /** Without prototypes, like `#used`: nothing that becomes of maps changes a limit. */
  readonly #limits = createObject(null) as Partial<Record<LimitKind, number>>;
  readonly #used = createObject(null) as Record<LimitKind, number>;
  readonly #options: LimitOptions;
  readonly #gauge: MemoryGauge | null;
  /** Calls the embedder's onLimit; what it throws passes through the script. */
  readonly #callOut: <Value>(work: () => Value) => Value;
  #started = 0;
  #heapAtStart = 0;
  #pausedFor = 0;
  #pausedSince: number | null = null;
  #extensions = 0;
  #units = firstUnits;
  /** Units of those that were granted last that have been counted already. */
  #settled = 0;
  #lastPoll = 0;
  #lastGauge = 0;
  /** A heap of up to so many bytes may be garbage in part, and is not worth a collection. */
  #collectAbove = 0;
  #refusal: Refusal | null = null;
  #isExhausted = false;
  #limitsOutput = false;
  /** Bytes of values that were made since the heap was measured last. */
  #handed = 0;

  constructor(options: LimitOptions, gauge: MemoryGauge | null, callOut: <Value>(work: () => Value) => Value) {
    this.#options = options;
    this.#gauge = gauge;
    this.#callOut = callOut;
  }

  /** A run begins, or a call of an instance: each has the limits for itself. */
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

  /** What goes beyond the limit even in its clause: it ends the run without asking the script. */
  get isExhausted(): boolean {
    return this.#isExhausted;
  }

  /** Notes units that were used: how many more may be until the next time, or why the run must end. */
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

  /** Notes the units that were used since the last poll; nothing is refused. */
  settle(units: number): void {
    // Counters of 32 bits that have gone round say how far they are from where they were.
    this.#add('fuel', (units - this.#settled) >>> 0);
    this.#settled = units;
  }

  /** Before so many bytes are allocated: how many more may be until the next time, or why they may not. */
  reserve(bytes: number): number | Refusal {
    const limit = this.#limits.memoryBytes;
    const now = timeNow();
    // What is large takes long to fill, whatever it counts as.
    const refusal = this.#checkTime(now) ?? (limit === undefined ? null : this.#checkMemory(bytes, now));
    if (refusal !== null || limit === undefined) return refusal ?? mostBytes;
    return min(max(floor(limit / 16), fewestBytes), mostBytes);
  }

  /** A value that leaves the script has grown to so many bytes: why it may not. */
  grow(bytes: number): Refusal | null {
    return this.time() ?? this.#checkHeld(bytes, bytes);
  }

  /** Before a value is handed over, and how many are unread without it. */
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
    // What is surely too long is not even printed.
    const isTooLong = leastText > this.#left('outputBytes');
    const size = isTooLong ? leastText : new TextEncoder().encode(text()).length;
    this.#add('outputBytes', size);
    return this.#check('outputBytes', size);
  }

  /**
   * Before so much is read, written or asked for; `held` is what the call has had for itself so far, outside of the
   * heap.
   */
  use(kind: TrafficKind, amount: number, held: number): Refusal | null {
    this.#add(kind, amount);
    return this.#check(kind, amount) ?? (kind === 'requests' ? null : this.#checkMemory(held, timeNow()));
  }

  /** So much was read, written and asked for, of what `room` had. */
  note(used: Traffic): void {
    for (let at = 0; at < trafficKinds.length; at++) this.#add(trafficKinds[at]!, used[trafficKinds[at]!]);
  }

  /** What may be read, written and asked for before `use` wants to know. */
  room(): Traffic {
    const limit = this.#limits.memoryBytes;
    const memory =
      limit === undefined ? Infinity : limit - (this.#gauge === null ? 0 : this.#gauge.used() - this.#heapAtStart);
    const left = (kind: TrafficKind): number => max(min(this.#left(kind), kind === 'requests' ? Infinity : memory), 0);
    return { inputBytes: left('inputBytes'), writtenBytes: left('writtenBytes'), requests: left('requests') };
  }

  /** Before the host is called. */
  time(): Refusal | null {
    return this.#checkTime(timeNow());
  }

  /** Milliseconds that are left; null where time is not limited. */
  get timeLeft(): number | null {
    const limit = this.#limits.timeMs;
    return limit === undefined ? null : max(limit - this.#elapsed(timeNow()), 0);
  }

  /** Around what is not the script's own time: a person who is asked, a consumer that takes its time. */
  pause(): void {
    this.#pausedSince ??= timeNow();
  }

  resume(): void {
    if (this.#pausedSince === null) return;
    this.#pausedFor += timeNow() - this.#pausedSince;
    this.#pausedSince = null;
  }

  /** So many milliseconds were not the script's own time. */
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

  /** What is kept for whoever reads, which the heap may not show, is held to the limit by itself. */
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
   * One allocation is held to the limit exactly, all of them by what the heap has grown, garbage left out where that is
   * known.
   */
  #checkMemory(pending: number, now: number): Refusal | null {
    const limit = this.#limits.memoryBytes;
    if (limit === undefined) return null;
    this.#used.memoryBytes = pending;
    if (pending > limit) return this.#check('memoryBytes', pending);
    if (this.#gauge === null) return null;
    this.#lastGauge = now;
    let heap = this.#gauge.used() + pending;
    // What was garbage at the start is not the run's.
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

  /** So much of it is used now, if it is limited. */
  #count(kind: LimitKind, used: number, pending: number): Refusal | null {
    if (this.#limits[kind] === undefined) return null;
    this.#used[kind] = used;
    return this.#check(kind, pending);
  }

  /** `pending` of what is used is what somebody is about to use: it is not, if it is refused. */
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
      // Nothing here can wait for it, and its failure is no reason to end the host.
      disregard(answer);
      return typeof answer === 'object' && answer !== null ? partOf(answer, 'newLimit') : null;
    });
    this.resume();
    // What cannot be counted exactly is no limit.
    if (typeof wanted !== 'number' || wanted > Number.MAX_SAFE_INTEGER) return false;
    const granted = min(wanted, most?.[kind] || Infinity);
    if (!(granted > limit)) return false;
    this.#limits[kind] = granted;
    return true;
  }

  /** The first refusal leaves a clause some grace; the second is the end. */
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

/** A collection is worth its time once so much may have become garbage. */
function slackOf(limit: number): number {
  return min(limit / 2, 1 << 25);
}
