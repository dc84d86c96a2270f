// Matrices whose rows nobody has seen being made: from the host, from a function of the library, or built row by row.
// The nest cannot store a row or resize one, so that what holds in front of it holds all the time: that all rows are
// there and equally long, and, where it sets elements of such matrices, that no two rows are the same array.
//
// Source: the inspector and the executor of Saltz, Mirchandaney, Crowley, "Run-time parallelization and scheduling of
// loops" (1991); docs/decisions/0098-functions-and-rows-in-nests.md.

import type { Expression } from '../../mir/mir.ts';
import { getLocal } from '../../mir/builders.ts';
import { booleanType, intType } from '../../language/types.ts';
import { rootOf } from '../analysis/alias-classes.ts';
import { elementsOf, rowLengthOf } from './conditions.ts';
import type { Packing } from './packing.ts';
import { hasRange } from './symbolic-ranges.ts';
import { visitParts } from './tree.ts';
import type { Nest, NestArray, Reference } from './tree.ts';

/** How many of its dimensions matter of a matrix whose rows are not known: 0 where it is never gone into. */
function depthOf({ accesses, rows, measured, root }: Nest, array: NestArray): number {
  let depth = measured.get(array) ?? 0;
  const note = ({ array: one, subscripts }: Reference, inside: number): void => {
    if (one === array) depth = Math.max(depth, subscripts.length - inside);
  };
  for (const access of accesses.values()) note(access, 1);
  for (const row of rows.values()) note(row, 0);
  visitParts([root], (part) => part.kind === 'loop' && part.rows.forEach((row) => note(row, 0)));
  return Math.min(depth, array.dimensions - 1);
}

/** Matrices of which the nest sets elements, with those that may share rows with them, if rows are not known, by class. */
function written({ accesses }: Nest): readonly (readonly NestArray[])[] {
  const set = [...accesses.values()].flatMap(({ array, isWrite }) => (isWrite ? [rootOf(array.class)] : []));
  const used = new Set([...accesses.values()].map(({ array }) => array));
  return [...new Set(set)].flatMap((one) => {
    const own = [...used].filter((array) => array.elements.length > 1 && rootOf(array.class) === one);
    return own.every(({ hasKnownRows }) => hasKnownRows) ? [] : [own];
  });
}

/** The first matrix that can only be set in the scratch memory, beside a copy; null where there is none. */
export function needsCopies(nest: Nest): NestArray | null {
  return written(nest)[0]?.find(({ hasKnownRows }) => !hasKnownRows) ?? null;
}

/** The first matrix whose rows are wherever a local says that has but a range; they are looked up in no loop. */
export function findRowAnywhere({ accesses }: Nest): NestArray | null {
  const isAnywhere = ({ subscripts, ranges }: Reference): boolean =>
    subscripts.slice(0, -1).some((form) => hasRange(form, ranges));
  return [...accesses.values()].find(isAnywhere)?.array ?? null;
}

/** That all rows are there, and as long as the first: no more of them than the nest makes iterations, which is `work`. */
export function listEvenRows(nest: Nest, work: () => Expression): readonly Expression[] {
  const { arrays, span } = nest;
  return [...arrays.values()].flatMap((array) => {
    const dimensions = array.hasKnownRows ? 0 : depthOf(nest, array);
    return Array.from({ length: dimensions }, (_, index): Expression => {
      const operands = [
        rowLengthOf(array, index + 1, work(), span),
        getLocal(array.lengths[index + 1]!, intType, span),
      ];
      return { kind: 'operate', operator: '==(int,int)', operands, type: booleanType, span };
    });
  });
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
