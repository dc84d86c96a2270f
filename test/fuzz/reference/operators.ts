// The operators of the reference interpreter, by their ids in the table of operators.

import { sameJson } from './json.ts';
import { compareTexts } from './strings.ts';
import { Failure, text, wrap } from './values.ts';
import type { Json, Value } from './values.ts';

type Operation = (a: never, b: never) => Value;

function divisor(value: bigint): bigint {
  if (value === 0n) throw new Failure('DivisionByZeroError', 'division by zero');
  return value;
}

/** Only the lowest six bits of a count matter. */
const shift = (count: bigint): bigint => BigInt.asUintN(6, count);

const onInts: Readonly<Record<string, (a: bigint, b: bigint) => Value>> = {
  '+': (a, b) => wrap(a + b),
  '-': (a, b) => wrap(a - b),
  '*': (a, b) => wrap(a * b),
  '/': (a, b) => wrap(a / divisor(b)),
  '%': (a, b) => a % divisor(b),
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '<<': (a, b) => wrap(a << shift(b)),
  '>>': (a, b) => a >> shift(b),
  '>>>': (a, b) => wrap(BigInt.asUintN(64, a) >> shift(b)),
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
};

const onDoubles: Readonly<Record<string, (a: number, b: number) => Value>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
};

const onBooleans: Readonly<Record<string, (a: boolean, b: boolean) => Value>> = {
  '&': (a, b) => a && b,
  '|': (a, b) => a || b,
  '^': (a, b) => a !== b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
};

const onTexts: Readonly<Record<string, (a: string, b: string) => Value>> = {
  '+': (a, b) => text(a + b),
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => compareTexts(a, b) < 0,
  '<=': (a, b) => compareTexts(a, b) <= 0,
  '>': (a, b) => compareTexts(a, b) > 0,
  '>=': (a, b) => compareTexts(a, b) >= 0,
};

const onJson: Readonly<Record<string, (a: Json, b: Json) => Value>> = {
  '==': (a, b) => sameJson(a, b),
  '!=': (a, b) => !sameJson(a, b),
};

const pairs = (type: string, rows: Readonly<Record<string, Operation>>): [string, Operation][] =>
  Object.entries(rows).map(([symbol, run]) => [`${symbol}(${type},${type})`, run]);

export const operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ...pairs('int', onInts),
  ...pairs('double', onDoubles),
  ...pairs('boolean', onBooleans),
  ...pairs('string', onTexts),
  ...pairs('json', onJson),
  ['-(int)', (a: bigint) => wrap(-a)],
  ['~(int)', (a: bigint) => ~a],
  ['-(double)', (a: number) => -a],
  ['!(boolean)', (a: boolean) => !a],
]);

/** Operators of texts that take no null. */
export function takesNull(operator: string): boolean {
  return !operator.endsWith('(string,string)') || operator.startsWith('==') || operator.startsWith('!=');
}
