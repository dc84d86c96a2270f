// The ranges of ints that go on from one iteration of a loop to the next, and are set to others only in some of them: what
// they hold in front of the loop, and all that it sets them to, lies between the bounds.
//
//   int pivot = k;  loop i from k + 1 to n  if (…) pivot = i;      k … n - 1, inside and behind it
//
// Source: Cousot, Cousot, "Abstract interpretation" (1977), for intervals that are joined where ways meet; nothing that is
// set comes out of what is carried, so that no widening is needed.

import { flatten, visitAll } from '../../mir/children.ts';
import type { Expression, LocalId, Loop } from '../../mir/mir.ts';
import type { AffineForm } from './affine-forms.ts';
import { extremeOf } from './extremes.ts';
import type { Names } from './reading.ts';
import { joinRanges } from './symbolic-ranges.ts';
import type { SymbolicRange } from './tree.ts';

export type CarriedRanges = ReadonlyMap<LocalId, SymbolicRange>;

export interface CarriedContext {
  /** The affine form of an int, of nothing that has but a range. */
  readonly affineInts: (node: Expression, names: Names) => AffineForm | null;
  readonly isInvariant: (local: LocalId) => boolean;
}

/** Of a loop, in front of which are `names`; inside are others, which know nothing of what it sets. */
export function findCarried(loop: Loop, names: Names, inside: Names, context: CarriedContext): CarriedRanges {
  const values = new Map<LocalId, Expression[]>();
  visitAll(flatten(loop.body), (node) => {
    if (node.kind !== 'set-local' || !names.ranges.has(node.local)) return;
    values.set(node.local, [...(values.get(node.local) ?? []), ...choicesIn(node.value)]);
  });
  const found = new Map<LocalId, SymbolicRange>();
  for (const [local, set] of values) {
    const others = set.filter((value) => value.kind !== 'get-local' || value.local !== local);
    const ranges = others.map((value) => rangeInLoop(value, inside, context));
    const joined = joinRanges([names.ranges.get(local)!, ...ranges], context.isInvariant, names.loops);
    if (joined !== null) found.set(local, joined);
  }
  return found;
}

/** The values of which one is chosen. */
function choicesIn(value: Expression): readonly Expression[] {
  return value.kind === 'conditional' || value.kind === 'select'
    ? [value.then, value.otherwise].flatMap(choicesIn)
    : [value];
}

/** Of a value in all iterations of the loop right around it. */
function rangeInLoop(value: Expression, inside: Names, context: CarriedContext): SymbolicRange | null {
  const form = context.affineInts(value, inside);
  if (form === null) return null;
  const head = inside.loops.slice(-1);
  return {
    least: extremeOf(form, head, false),
    greatest: extremeOf(form, head, true),
    requirements: [],
    guarding: [...form.terms.keys()].filter(context.isInvariant),
  };
}
