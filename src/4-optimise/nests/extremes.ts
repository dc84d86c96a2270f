// The least and the greatest value of an affine form in loops: their bounds are put in from the inside out, by the signs
// of their coefficients.
//
// Source: Banerjee, "Dependence Analysis" (1997), section 4.3 (extreme values of affine functions).

import type { LocalId } from '../../mir/mir.ts';
import { coefficientOf, plus, substitute } from './affine-forms.ts';
import type { AffineForm } from './affine-forms.ts';
import type { LoopHead, SymbolicRange } from './tree.ts';

/** A form with the least, or the greatest, value of each local that has but a range. */
export function boundOf(
  form: AffineForm,
  ranges: ReadonlyMap<LocalId, SymbolicRange> | undefined,
  isGreatest: boolean,
): AffineForm {
  let bound = form;
  for (const [local, coefficient] of form.terms) {
    const range = ranges?.get(local);
    if (range !== undefined)
      bound = substitute(bound, local, coefficient > 0n === isGreatest ? range.greatest : range.least);
  }
  return bound;
}

/** The bounds between which a loop stays, whatever the locals are that have but a range. */
export function hullOf<Head extends LoopHead>(head: Head): Head {
  const { goesUp, first, end, ranges } = head;
  if (ranges === undefined) return head;
  return { ...head, first: boundOf(first, ranges, !goesUp), end: boundOf(end, ranges, goesUp) };
}

/** The least, or the greatest, value of a form, by what does not change in the loops. */
export function extremeOf(form: AffineForm, loops: readonly LoopHead[], isGreatest: boolean): AffineForm {
  return loops.reduceRight((bounded, loop) => {
    const { variable, goesUp, first, end } = hullOf(loop);
    const coefficient = coefficientOf(bounded, variable);
    const takesLast = goesUp === (coefficient > 0n === isGreatest);
    return substitute(bounded, variable, takesLast ? plus(end, goesUp ? -1n : 1n) : first);
  }, form);
}
