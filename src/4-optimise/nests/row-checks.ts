// Matrices whose rows nobody has seen being made: from the host, from a function of the library, or built row by row.
// The nest cannot store a row or resize one, so that what holds in front of it holds all the time: that all rows are
// there and equally long, and, where it sets elements of such matrices, that no two rows are the same array.
//
// Source: the inspector and the executor of Saltz, Mirchandaney, Crowley, "Run-time parallelization and scheduling of
// loops" (1991); docs/decisions/0098-functions-and-rows-in-nests.md.

import type { Expression } from '../../mir/mir.ts';
import { getLocal, int } from '../../mir/builders.ts';
import { booleanType, intType } from '../../language/types.ts';
import { rootOf } from '../analysis/alias-classes.ts';
import { elementsOf } from './conditions.ts';
import type { Packing } from './packing.ts';
import type { Nest, NestArray } from './tree.ts';

/** As many as there can be. */
const mostRows = 1n << 31n;

/** The matrices whose rows are looked at in front of the nest. */
function lookedAt({ arrays }: Nest): readonly NestArray[] {
  return [...arrays.values()].filter(({ hasKnownRows }) => !hasKnownRows);
}

/** Those of them of which the nest sets elements, or of matrices that may share rows with them, by class. */
function written(nest: Nest): readonly (readonly NestArray[])[] {
  const set = [...nest.accesses.values()].flatMap(({ array, isWrite }) => (isWrite ? [rootOf(array.class)] : []));
  const looked = lookedAt(nest);
  return [...new Set(set)].flatMap((one) => {
    const own = looked.filter((array) => rootOf(array.class) === one);
    return own.length === 0 ? [] : [own];
  });
}

/** The first matrix that can only be set in the scratch memory, beside a copy; null where there is none. */
export function needsCopies(nest: Nest): NestArray | null {
  return written(nest)[0]?.[0] ?? null;
}

/**
 * The length of the rows of a matrix along a dimension. All rows are looked at where they are not known to be even: not
 * where the nest has less work to do than that, if its bounds do not need the length.
 */
export function rowLengthOf(
  { measured, span }: Nest,
  array: NestArray,
  dimension: number,
  work: () => Expression,
): Expression {
  const counts = countsOf(array).slice(0, dimension);
  const most = array.hasKnownRows ? null : measured.has(array) ? int(mostRows, span) : work();
  return { kind: 'row-length', elements: elementsOf(array, span), counts, most, type: intType, span };
}

/** That rows whose lengths are bounds of loops are there, and even; of others no element is in range. */
export function listEvenRows(nest: Nest): readonly Expression[] {
  return lookedAt(nest)
    .filter((array) => nest.measured.has(array))
    .flatMap((array) => array.lengths.slice(1))
    .map((length) => isAbove0(getLocal(length, intType, nest.span)));
}

function isAbove0(value: Expression): Expression {
  const operands = [value, int(0n, value.span)];
  return { kind: 'operate', operator: '>(int,int)', operands, type: booleanType, span: value.span };
}

/** That no two rows of matrices of a class are the same, behind the copies of them. */
export function listDistinctRows(nest: Nest, { arrays }: Packing): readonly Expression[] {
  const { span } = nest;
  return written(nest).flatMap((all): readonly Expression[] => {
    const packed = all.flatMap(({ key }) => arrays.get(key) ?? []);
    const operands = packed.flatMap(({ array, address }) => [
      elementsOf(array, span),
      getLocal(address, intType, span),
      ...countsOf(array),
    ]);
    const dimensions = packed.map(({ array }) => array.dimensions);
    return [{ kind: 'distinct-rows', operands, dimensions, type: booleanType, span }];
  });
}

function countsOf({ base, lengths }: NestArray): readonly Expression[] {
  return lengths.map((length) => getLocal(length, intType, base.span));
}
