// What one run uses, and whether it may go on. Compiled code asks now and then; calls of the host and yields ask too.

import { limitKinds } from './options.ts';
import type { LimitKind, LimitOptions, LimitRequest } from './options.ts';

/** What an engine says of the heap that scripts allocate in. */
export interface MemoryGauge {
  /** In bytes, garbage included. */
  readonly used: () => number;
  /** Collects garbage, so that `used` is what lives. */
  readonly collect?: () => void;
}

/** Why a run must end: an error type of the language, and its message. */
export interface Refusal {
  readonly type: 'QuotaExceededError' | 'TimeoutError' | 'MemoryLimitError';
  readonly message: string;
}

interface Rule {
  readonly type: Refusal['type'];
  readonly describe: (limit: number) => string;
  /** What a clause that takes the error may use beyond the limit. */
  readonly grace: number;
}

const count = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 0 });

const rules: Readonly<Record<LimitKind, Rule>> = {
  fuel: { type: 'QuotaExceededError', describe: (limit) => `use more than ${count(limit)} calls and turns of loops`, grace: 100_000 },
  timeMs: { type: 'TimeoutError', describe: (limit) => `take longer than ${describeTime(limit)}`, grace: 100 },
  memoryBytes: { type: 'MemoryLimitError', describe: (limit) => `use more memory than ${describeBytes(limit)}`, grace: 1 << 20 },
  outputItems: { type: 'QuotaExceededError', describe: (limit) => `yield more than ${count(limit)} values`, grace: 100 },
  outputBytes: { type: 'QuotaExceededError', describe: (limit) => `yield more than ${describeBytes(limit)}`, grace: 65_536 },
  unreadItems: { type: 'QuotaExceededError', describe: (limit) => `yield more than ${count(limit)} values that nobody has read`, grace: 100 },
};

function describeTime(milliseconds: number): string {
  return milliseconds < 1000 ? `${count(milliseconds)} ms` : `${Number((milliseconds / 1000).toFixed(3))} s`;
}

function describeBytes(bytes: number): string {
  const units = [[1 << 30, 'GiB'], [1 << 20, 'MiB'], [1 << 10, 'KiB']] as const;
  const [size, name] = units.find(([unit]) => bytes >= unit && bytes % unit === 0) ?? [1, 'bytes'];
  return `${count(bytes / size)} ${name}`;
}

/** What a run is told that has reached a limit. */
export function describeRefusal(kind: LimitKind, limit: number): string {
  return `this run may not ${rules[kind].describe(limit)}`;
}

const outputKinds = ['outputItems', 'outputBytes', 'unreadItems'] as const satisfies readonly LimitKind[];

const mostExtensions = 100;

/** Between two looks there should pass about so much time, in milliseconds: little enough to end in time, enough not to show. */
const betweenLooks = 0.2;
const firstUnits = 16_384;
const fewestUnits = 1024;
const mostUnits = 1 << 24;

/** Between two looks at the heap, in milliseconds. */
const betweenGauges = 1;
const fewestBytes = 1 << 16;
const mostBytes = 1 << 22;

export class Meter {
  readonly #limits = new Map<LimitKind, number>();
  readonly #used = new Map<LimitKind, number>(limitKinds.map((kind) => [kind, 0]));
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
  #lastLook = 0;
  #lastGauge = 0;
  /** A heap of up to so many bytes may be garbage in part, and is not worth a collection. */
  #collectAbove = 0;
  #refusal: Refusal | null = null;
  #isExhausted = false;
  #limitsOutput = false;

  constructor(options: LimitOptions, gauge: MemoryGauge | null, callOut: <Value>(work: () => Value) => Value) {
    this.#options = options;
    this.#gauge = gauge;
    this.#callOut = callOut;
  }

  /** A run begins, or a call of an instance: each has the limits for itself. */
  begin(): void {
    for (const kind of limitKinds) {
      this.#used.set(kind, 0);
      const limit = this.#options[kind] ?? 0;
      if (limit > 0) this.#limits.set(kind, limit);
    }
    this.#limitsOutput = outputKinds.some((kind) => this.#limits.has(kind));
    this.#extensions = 0;
    this.#refusal = null;
    this.#isExhausted = false;
    this.#pausedFor = 0;
    this.#pausedSince = null;
    this.#started = performance.now();
    this.#lastLook = this.#started;
    if (this.#gauge !== null && this.#limits.has('memoryBytes')) this.#heapAtStart = this.#gauge.used();
    this.#collectAbove = this.#heapAtStart + slackOf(this.#limits.get('memoryBytes') ?? 0);
  }

  /** Units of fuel that were used. */
  get fuel(): number {
    return this.#used.get('fuel')!;
  }

  /** What goes beyond the limit even in its clause: it ends the run without asking the script. */
  get isExhausted(): boolean {
    return this.#isExhausted;
  }

  /** Notes units that were used: how many more may be until the next time, or why the run must end. */
  look(units: number): number | Refusal {
    this.settle(units);
    this.#settled = 0;
    const now = performance.now();
    const refusal = this.#check('fuel') ?? this.#checkTime(now) ?? (now - this.#lastGauge >= betweenGauges ? this.#checkMemory(0, now) : null);
    if (refusal !== null) return refusal;
    const elapsed = Math.max(now - this.#lastLook, 0.001);
    this.#lastLook = now;
    this.#units = Math.min(Math.max(Math.round(this.#units * Math.min(Math.max(betweenLooks / elapsed, 0.5), 2)), fewestUnits), mostUnits);
    return Math.max(Math.min(this.#units, this.#left('fuel')), 0);
  }

  /** Notes the units that were used since the last look; nothing is refused. */
  settle(units: number): void {
    this.#add('fuel', units - this.#settled);
    this.#settled = units;
  }

  /** Before so many bytes are allocated: how many more may be until the next time, or why they may not. */
  reserve(bytes: number): number | Refusal {
    const limit = this.#limits.get('memoryBytes');
    const now = performance.now();
    // What is large takes long to fill, whatever it counts as.
    const refusal = this.#checkTime(now) ?? (limit === undefined ? null : this.#checkMemory(bytes, now));
    if (refusal !== null || limit === undefined) return refusal ?? mostBytes;
    return Math.min(Math.max(Math.floor(limit / 16), fewestBytes), mostBytes);
  }

  /** Before a value is handed over, which is printed so, and how many are unread without it. */
  output(text: () => string, unread: () => number): Refusal | null {
    if (!this.#limitsOutput) return null;
    if (this.#limits.has('unreadItems')) {
      this.#used.set('unreadItems', unread() + 1);
      const refusal = this.#check('unreadItems');
      if (refusal !== null) return refusal;
    }
    if (this.#limits.has('outputItems')) {
      this.#add('outputItems', 1);
      const refusal = this.#check('outputItems');
      if (refusal !== null) return refusal;
    }
    if (!this.#limits.has('outputBytes')) return null;
    this.#add('outputBytes', new TextEncoder().encode(text()).length);
    return this.#check('outputBytes');
  }

  /** Before the host is called. */
  time(): Refusal | null {
    return this.#checkTime(performance.now());
  }

  /** Milliseconds that are left; null where time is not limited. */
  get timeLeft(): number | null {
    const limit = this.#limits.get('timeMs');
    return limit === undefined ? null : Math.max(limit - this.#elapsed(performance.now()), 0);
  }

  /** Around what is not the script's own time: a person who is asked, a consumer that takes its time. */
  pause(): void {
    this.#pausedSince ??= performance.now();
  }

  resume(): void {
    if (this.#pausedSince === null) return;
    this.#pausedFor += performance.now() - this.#pausedSince;
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
    this.#used.set(kind, this.#used.get(kind)! + amount);
  }

  #left(kind: LimitKind): number {
    return (this.#limits.get(kind) ?? Infinity) - this.#used.get(kind)!;
  }

  #checkTime(now: number): Refusal | null {
    if (!this.#limits.has('timeMs')) return null;
    this.#used.set('timeMs', this.#elapsed(now));
    return this.#check('timeMs');
  }

  /** One allocation is held to the limit exactly, all of them by what the heap has grown, garbage left out where that is known. */
  #checkMemory(pending: number, now: number): Refusal | null {
    const limit = this.#limits.get('memoryBytes');
    if (limit === undefined) return null;
    this.#used.set('memoryBytes', pending);
    if (pending > limit) return this.#check('memoryBytes');
    if (this.#gauge === null) return null;
    this.#lastGauge = now;
    let heap = this.#gauge.used() + pending;
    // What was garbage at the start is not the run's.
    this.#heapAtStart = Math.min(this.#heapAtStart, heap);
    if (heap - this.#heapAtStart <= limit || heap <= this.#collectAbove) return null;
    if (this.#gauge.collect !== undefined) {
      this.#gauge.collect();
      heap = this.#gauge.used() + pending;
      this.#heapAtStart = Math.min(this.#heapAtStart, heap);
      this.#collectAbove = heap + slackOf(limit);
    }
    this.#used.set('memoryBytes', heap - this.#heapAtStart);
    return this.#check('memoryBytes');
  }

  #check(kind: LimitKind): Refusal | null {
    const limit = this.#limits.get(kind);
    const used = this.#used.get(kind)!;
    if (limit === undefined || used <= limit) return null;
    while (this.#refusal === null && this.#extend(kind, used)) if (used <= this.#limits.get(kind)!) return null;
    return this.#refuse(kind, this.#limits.get(kind)!);
  }

  /** Asks whether the limit may be raised; true if it was. */
  #extend(kind: LimitKind, used: number): boolean {
    const { onLimit, most } = this.#options;
    const limit = this.#limits.get(kind)!;
    if (onLimit === undefined || this.#extensions >= mostExtensions) return false;
    const request: LimitRequest = Object.freeze({ kind, used, limit, times: this.#extensions });
    this.#extensions += 1;
    this.pause();
    const wanted: unknown = this.#callOut(() => {
      const answer: unknown = onLimit(request);
      // Nothing here can wait for it, and its failure is no reason to end the host.
      if (answer instanceof Promise) answer.catch(() => {});
      return typeof answer === 'object' && answer !== null ? (answer as { readonly newLimit?: unknown }).newLimit : null;
    });
    this.resume();
    // What cannot be counted exactly is no limit.
    if (typeof wanted !== 'number' || wanted > Number.MAX_SAFE_INTEGER) return false;
    const granted = Math.min(wanted, most?.[kind] || Infinity);
    if (!(granted > limit)) return false;
    this.#limits.set(kind, granted);
    return true;
  }

  /** The first refusal leaves a clause some grace; the second is the end. */
  #refuse(kind: LimitKind, limit: number): Refusal {
    if (this.#refusal !== null) {
      this.#isExhausted = true;
      return this.#refusal;
    }
    this.#refusal = { type: rules[kind].type, message: describeRefusal(kind, limit) };
    for (const each of limitKinds) {
      const known = this.#limits.get(each);
      if (known !== undefined) this.#limits.set(each, Math.max(known, this.#used.get(each)!) + rules[each].grace);
    }
    return this.#refusal;
  }
}

/** A collection is worth its time once so much may have become garbage. */
function slackOf(limit: number): number {
  return Math.min(limit / 2, 1 << 25);
}
