// Intervals of ints whose upper end may be relative to a value that is not known: `0 to n - 1`. What inductive ranges
// compute with.

/** From `low` to `symbol + high`, both included; without a symbol up to `high`. */
export interface Interval {
  readonly low: bigint;
  /** Key of an int that stays the same; it is at most 2^31. */
  readonly symbol: string | null;
  readonly high: bigint;
}

/** An int that stays the same: a symbol and a constant. */
export interface Exact {
  readonly symbol: string | null;
  readonly plus: bigint;
}

const lowest = -(2n ** 63n);
const highest = 2n ** 63n - 1n;

/** Ends beyond this are not followed, so that no sum of two can wrap around. */
const furthest = 2n ** 40n;

export const anything: Interval = { low: lowest, symbol: null, high: highest };

export function constant(value: bigint): Interval {
  return normal({ low: value, symbol: null, high: value });
}

function normal({ low, symbol, high }: Interval): Interval {
  const isHigh = high > furthest || high < -furthest;
  return {
    low: low < -furthest || low > furthest ? lowest : low,
    symbol: isHigh ? null : symbol,
    high: isHigh ? highest : high,
  };
}

function isBounded({ low, high }: Interval): boolean {
  return low !== lowest && high !== highest;
}

/** Whether no int is in it, so that what it is of cannot be reached. */
export function isEmpty({ low, symbol, high }: Interval): boolean {
  return symbol === null && high < low;
}

/** What holds of both. `least` says how small a symbol can be. */
export function join(one: Interval, other: Interval, least: (symbol: string) => bigint): Interval {
  const low = one.low < other.low ? one.low : other.low;
  if (one.symbol === other.symbol)
    return { low, symbol: one.symbol, high: one.high > other.high ? one.high : other.high };
  const [known, relative] = one.symbol === null ? [one, other] : [other, one];
  if (known.symbol !== null || known.high === highest) return { low, symbol: null, high: highest };
  // A constant `c` is at most `symbol + (c - least)`.
  const above = known.high - least(relative.symbol!);
  return normal({ low, symbol: relative.symbol, high: above > relative.high ? above : relative.high });
}

export function add(one: Interval, other: Interval): Interval {
  if (!isBounded(one) || !isBounded(other) || (one.symbol !== null && other.symbol !== null)) return anything;
  return normal({ low: one.low + other.low, symbol: one.symbol ?? other.symbol, high: one.high + other.high });
}

export function subtract(one: Interval, other: Interval): Interval {
  if (!isBounded(one) || !isBounded(other) || other.symbol !== null) return anything;
  return normal({ low: one.low - other.high, symbol: one.symbol, high: one.high - other.low });
}

/** The remainder by a number that is not 0; it has the sign of what is divided. */
export function remainder(one: Interval, by: Exact): Interval {
  if (by.symbol === null && by.plus <= 0n) return anything;
  const high = by.plus - 1n;
  if (one.low >= 0n) return { low: 0n, symbol: by.symbol, high };
  return by.symbol === null ? { low: -high, symbol: null, high } : anything;
}

/** The bits of a mask: `value & 15` is from 0 to 15. */
export function masked(mask: bigint): Interval {
  return mask < 0n ? anything : normal({ low: 0n, symbol: null, high: mask });
}

export type Comparison = '<' | '<=' | '>' | '>=' | '==' | '!=';

export const negated: Readonly<Record<Comparison, Comparison>> = {
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  '==': '!=',
  '!=': '==',
};

export const mirrored: Readonly<Record<Comparison, Comparison>> = {
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
  '==': '==',
  '!=': '!=',
};

/** What is left of an interval where the comparison with the number holds. */
export function refine(
  value: Interval,
  comparison: Comparison,
  { symbol, plus }: Exact,
  least: (symbol: string) => bigint,
): Interval {
  const atMost = (high: bigint): Interval => {
    // One relative end says more of an index than a constant.
    const isTighter = value.symbol === symbol ? high < value.high : symbol !== null || value.high === highest;
    return isTighter ? normal({ low: value.low, symbol, high }) : value;
  };
  const atLeast = (from: Interval, low: bigint): Interval => {
    const known = symbol === null ? low : low + least(symbol);
    return known > from.low ? normal({ ...from, low: known }) : from;
  };
  switch (comparison) {
    case '<':
      return atMost(plus - 1n);
    case '<=':
      return atMost(plus);
    case '>':
      return atLeast(value, plus + 1n);
    case '>=':
      return atLeast(value, plus);
    case '==':
      return atLeast(atMost(plus), plus);
    case '!=':
      if (value.symbol === symbol && value.high === plus) return atMost(plus - 1n);
      return symbol === null && value.low === plus ? atLeast(value, plus + 1n) : value;
  }
}

/** Whether every number of the one is in the other. */
export function isWithin(one: Interval, other: Interval, least: (symbol: string) => bigint): boolean {
  const both = join(one, other, least);
  return both.low === other.low && both.symbol === other.symbol && both.high === other.high;
}
