// Index-set splitting: an innermost loop that sets the elements of a row, and reads one of them again and again, in three:
// up to that element, the iteration that sets it, and behind it. In the first and the last the element stays what it is.
//
//   loop j from 0 to n  p[i][j] = p[i][k] …        loop j from 0 to k …   j = k …   loop j from k + 1 to n …
//
// Applies where the bounds of the loops around say that the iteration is one of the loop's. Source: Allen, Kennedy,
// "Optimizing Compilers for Modern Architectures", section 5.7.

import { visitAll } from '../../mir/children.ts';
import { add, coefficientOf, constantForm, keyOf, plus, substitute } from './affine-forms.ts';
import type { AffineForm } from './affine-forms.ts';
import { domainOf, relate } from './dependences.ts';
import { isSatisfiable } from './difference-constraints.ts';
import type { Access, Accesses, NestLoop } from './tree.ts';

/** Further than any bound. */
const far = 1n << 40n;

/** The loop in three; null where it has no such iteration. */
export function splitLoop(loop: NestLoop, around: readonly NestLoop[], accesses: Accesses): readonly NestLoop[] | null {
  if (!loop.goesUp || loop.step !== 1n || loop.ranges !== undefined) return null;
  const point = pointsOf(loop, accesses).find((form) => isInside(form, loop, around));
  if (point === undefined) return null;
  return [
    { ...loop, end: point },
    { ...loop, first: point, end: plus(point, 1n) },
    { ...loop, first: plus(point, 1n) },
  ];
}

/** The iterations in which an element is set that is read in all of them. */
function pointsOf(loop: NestLoop, accesses: Accesses): readonly AffineForm[] {
  const { variable } = loop;
  const found: Access[] = [];
  for (const part of loop.parts)
    visitAll(part.kind === 'straight' ? part.statements : [], (node) => {
      const access = accesses.get(node);
      if (access !== undefined) found.push(access);
    });
  const moves = ({ subscripts }: Access): boolean => subscripts.some((form) => coefficientOf(form, variable) !== 0n);
  const points = new Map<string, AffineForm>();
  for (const written of found.filter((access) => access.isWrite && moves(access)))
    for (const read of found.filter((access) => !access.isWrite && !moves(access))) {
      if (relate(written.array, read.array) !== 'same') continue;
      written.subscripts.forEach((form, dimension) => {
        if (coefficientOf(form, variable) !== 1n) return;
        const rest = substitute(form, variable, constantForm(0n));
        const point = add(read.subscripts[dimension]!, rest, -1n);
        points.set(keyOf(point), point);
      });
    }
  return [...points.values()];
}

/** Whether `first <= point < end` whatever the loops around do. */
function isInside(point: AffineForm, loop: NestLoop, around: readonly NestLoop[]): boolean {
  const name = String;
  const at = { ...loop, variable: -1 };
  const known = [
    ...around.flatMap((outer) => domainOf(outer, name)),
    ...domainOf({ ...at, first: point, end: plus(point, 1n) }, name),
  ];
  const before = domainOf({ ...at, first: constantForm(-far), end: loop.first }, name);
  const behind = domainOf({ ...at, first: loop.end, end: constantForm(far) }, name);
  // A bound that is no difference says nothing: two constraints each, or it is not known.
  return [before, behind].every((outside) => outside.length === 2 && !isSatisfiable([...known, ...outside]));
}
