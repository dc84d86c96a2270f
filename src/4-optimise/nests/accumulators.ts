// The accumulators of reductions: what they begin with in front of a loop, and how they are combined behind it.
//
//   $c, $nan = splat(-Infinity), splat(0.0)
//   loop …   $v = …   $c = select lanes($v, $c, $v > $c)   $nan = $nan | ($v != $v)
//   $c = select lanes(splat(NaN), $c, $nan)   change = double.max(change, lane 0 of $c) …
//
// The greatest of two vectors with NaNs in them takes an engine eight instructions, one after the other; the greatest by
// a comparison takes one, and one that notes NaNs waits for nothing.

import { getLocal, int } from '../../mir/builders.ts';
import type { Expression, LocalId, Statement } from '../../mir/mir.ts';
import { booleanType, doubleType } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import type { Span } from '../../source.ts';
import type { Reduction, Reductions } from './reductions.ts';
import type { Straight } from './tree.ts';

/** By operator: what it makes no difference to combine with. */
const identities: Readonly<Record<string, bigint | number>> = {
  '+(int,int)': 0n,
  '*(int,int)': 1n,
  '|(int,int)': 0n,
  '&(int,int)': -1n,
  '^(int,int)': 0n,
  'int.max': -(1n << 63n),
  'int.min': (1n << 63n) - 1n,
  'double.max': -Infinity,
  'double.min': Infinity,
  'Math.max': -Infinity,
  'Math.min': Infinity,
  '>(double,double)': -Infinity,
  '<(double,double)': Infinity,
};

/** The locals of a copy, by those of the loop that is copied. */
type Names = ReadonlyMap<LocalId, LocalId>;

/** The vector whose last lane has what a local of this type hands on. */
export interface HandedOn {
  readonly last: LocalId;
  readonly type: Type;
  readonly span: Span;
}

/** What is done in front of a loop, or of what several of its iterations do, and behind it. */
export interface Accumulation {
  readonly before: readonly Straight[];
  readonly behind: readonly Straight[];
}

/** For copies of the loop with accumulators of their own. */
export function accumulate(reductions: Reductions, copies: readonly Names[], span: Span): Accumulation {
  const [before, behind]: [Statement[], Statement[]] = [[], []];
  for (const [local, reduction] of reductions) {
    const own = copies.flatMap((names) => names.get(local) ?? []);
    for (const accumulator of own) before.push(set(accumulator, startOf(reduction, span)));
    behind.push(...own.map((accumulator) => combine(reduction, getLocal(accumulator, reduction.type, span))));
  }
  return { before: alone(before), behind: alone(behind) };
}

/** For vectors; `flags` has the local that notes NaNs, by that of the accumulator. */
export function accumulateVectors(
  reductions: Reductions,
  copies: readonly Names[],
  flags: Names,
  span: Span,
): Accumulation {
  const [before, behind]: [Statement[], Statement[]] = [[], []];
  for (const [local, reduction] of reductions) {
    const own = copies.flatMap((names) => names.get(local) ?? []);
    const flag = flags.get(local);
    const noted = flag === undefined ? [] : copies.map((names) => names.get(flag)!);
    for (const accumulator of own) before.push(set(accumulator, splat(startOf(reduction, span))));
    for (const accumulator of noted) before.push(set(accumulator, splat(double(0, span))));
    behind.push(...combineVectors(reduction, own, noted, span));
  }
  return { before: alone(before), behind: alone(behind) };
}

/** For locals that hand a value on (first-order-recurrences.ts). */
export function handOnVectors(handedOn: ReadonlyMap<LocalId, HandedOn>): Accumulation {
  const [before, behind]: [Statement[], Statement[]] = [[], []];
  for (const [local, { last, type, span }] of handedOn) {
    const operand = getLocal(last, { kind: 'vector', element: type }, span);
    before.push(set(last, splat(getLocal(local, type, span))));
    behind.push(set(local, { kind: 'extract-lane', operand, lane: 1, type, span }));
  }
  return { before: alone(before), behind: alone(behind) };
}

function alone(statements: readonly Statement[]): readonly Straight[] {
  return statements.length === 0 ? [] : [{ kind: 'straight', statements }];
}

function set(local: LocalId, value: Expression): Statement {
  return { kind: 'set-local', local, value, span: value.span };
}

function double(value: number, span: Span): Expression {
  return { kind: 'double', value, type: doubleType, span };
}

function splat(operand: Expression): Expression {
  return { kind: 'splat', operand, type: { kind: 'vector', element: operand.type }, span: operand.span };
}

function startOf({ operator }: Reduction, span: Span): Expression {
  const value = identities[operator]!;
  return typeof value === 'bigint' ? int(value, span) : double(value, span);
}

/** Combines vectors with each other, and then their lanes into the local. */
function combineVectors(
  reduction: Reduction,
  [first, ...others]: readonly LocalId[],
  flags: readonly LocalId[],
  span: Span,
): readonly Statement[] {
  if (first === undefined) return [];
  const { operator, isChoice, type } = reduction;
  const vector: Type = { kind: 'vector', element: type };
  const inLanes = (name: string, ...operands: readonly Expression[]): Expression => ({
    kind: 'lane-wise',
    operator: name,
    operands,
    type: vector,
    span,
  });
  const read = (local: LocalId): Expression => getLocal(local, vector, span);
  const sum = read(first);
  const comparison = isChoice ? operator : flags.length > 0 ? reduction.comparison : null;
  const noted = flags.map(read);
  const isNaN = noted.length === 0 ? null : noted.reduce((one, other) => inLanes('|(boolean,boolean)', one, other));
  return [
    ...others.map((local) => {
      const other = read(local);
      const isKept = comparison === null ? null : inLanes(comparison, other, sum);
      return set(first, isKept === null ? inLanes(operator, sum, other) : inLanes('select', other, sum, isKept));
    }),
    ...(isNaN === null ? [] : [set(first, inLanes('select', splat(double(NaN, span)), sum, isNaN))]),
    ...([0, 1] as const).map((lane) => combine(reduction, { kind: 'extract-lane', operand: sum, lane, type, span })),
  ];
}

/** Combines what an accumulator has come to into the local. */
function combine({ local, operator, isChoice, type }: Reduction, value: Expression): Statement {
  const { span } = value;
  const own = getLocal(local, type, span);
  if (isChoice) {
    const condition: Expression = { kind: 'operate', operator, operands: [value, own], type: booleanType, span };
    return set(local, { kind: 'conditional', condition, then: value, otherwise: own, type, span });
  }
  const combined: Expression = operator.includes('(')
    ? { kind: 'operate', operator, operands: [own, value], type, span }
    : { kind: 'library-call', function: operator, arguments: [own, value], typeArgument: null, type, span };
  return set(local, combined);
}
