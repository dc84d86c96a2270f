// The methods of string in the reference interpreter, by their ids in the registry. Positions count characters, so that
// most methods take a text apart first.

import { Failure, position, text } from './values.ts';
import type { ArrayValue, Value } from './values.ts';

type Method = (receiver: string, ...operands: readonly never[]) => Value;

const characters = (value: string): string[] => Array.from(value);
const count = (value: string): number => characters(value).length;
const arrayOf = (elements: Value[]): ArrayValue => ({ kind: 'array', elements });

const whole = '(?:0[xX][0-9a-fA-F](?:_?[0-9a-fA-F])*|0[bB][01](?:_?[01])*|0|[1-9](?:_?[0-9])*)';
const digits = '[0-9](?:_?[0-9])*';
const exponent = `[eE][+-]?${digits}`;
const intLiteral = new RegExp(`^([+-]?)(${whole})$`);
const doubleLiteral = new RegExp(`^[+-]?(?:0|[1-9](?:_?[0-9])*)(?:\\.${digits}(?:${exponent})?|${exponent})?$`);

/** What an int literal with a sign stands for; null if it is none, or beyond 64 bits. */
export function readInt(value: string): bigint | null {
  const found = intLiteral.exec(value);
  if (found === null) return null;
  const size = BigInt(found[2]!.replaceAll('_', ''));
  const signed = found[1] === '-' ? -size : size;
  return BigInt.asIntN(64, signed) === signed ? signed : null;
}

function readDouble(value: string): number | null {
  if (!doubleLiteral.test(value)) {
    const int = readInt(value);
    return int === null ? null : Number(int);
  }
  const read = Number(value.replaceAll('_', ''));
  return Number.isFinite(read) ? read : null;
}

/** Ascending by code point. */
export function compareTexts(a: string, b: string): number {
  const [left, right] = [characters(a), characters(b)];
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const order = left[at]!.codePointAt(0)! - right[at]!.codePointAt(0)!;
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Units before a position are whole characters, since no text holds half of one. */
function characterAtUnit(value: string, unit: number): bigint {
  return BigInt(unit < 0 ? -1 : count(value.slice(0, unit)));
}

function range(length: number, from: bigint, to: bigint): [number, number] {
  if (from < 0n || from > to || to > BigInt(length))
    throw new Failure('IndexOutOfBoundsError', `range ${from} to ${to} is out of bounds for length ${length}`);
  return [Number(from), Number(to)];
}

function padding(value: string, wanted: bigint, fill: string): string {
  const missing = wanted - BigInt(count(value));
  if (missing <= 0n || fill === '') return '';
  const row = characters(text(fill.repeat(Math.min(Number(missing), 30_000))));
  return row.slice(0, Number(missing)).join('');
}

export const stringMethods: Readonly<Record<string, Method>> = {
  length: (s) => BigInt(count(s)),
  isEmpty: (s) => s === '',
  upper: (s) => text(s.toUpperCase()),
  lower: (s) => s.toLowerCase(),
  contains: (s, sub: string) => s.includes(sub),
  split: (s, delim: string) => arrayOf(delim === '' ? characters(s) : s.split(delim)),
  toInt: (s, otherwise: bigint) => readInt(s) ?? otherwise,
  toDouble: (s, otherwise: number) => readDouble(s) ?? otherwise,
  substring: (s, from: bigint, to: bigint) =>
    characters(s)
      .slice(...range(count(s), from, to))
      .join(''),
  indexOf: (s, sub: string) => characterAtUnit(s, s.indexOf(sub)),
  lastIndexOf: (s, sub: string) => characterAtUnit(s, s.lastIndexOf(sub)),
  startsWith: (s, start: string) => s.startsWith(start),
  endsWith: (s, end: string) => s.endsWith(end),
  trim: (s) => s.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, ''),
  replace: (s, from: string, to: string) =>
    text(
      from === ''
        ? to +
            characters(s)
              .map((one) => one + to)
              .join('')
        : s.split(from).join(to),
    ),
  repeat: (s, times: bigint) =>
    text(times <= 0n || s === '' ? '' : s.repeat(Number(times < 30_000n ? times : 30_000n))),
  charAt: (s, index: bigint) => characters(s)[position(index, count(s))]!,
  codeAt: (s, index: bigint) => BigInt(characters(s)[position(index, count(s))]!.codePointAt(0)!),
  padStart: (s, wanted: bigint, fill: string) => padding(s, wanted, fill) + s,
  padEnd: (s, wanted: bigint, fill: string) => s + padding(s, wanted, fill),
  toString: (s: string) => s,
};

export { range };
