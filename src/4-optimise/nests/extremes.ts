// The least and the greatest value of an affine form in loops: their bounds are put in from the inside out, by the signs
// of their coefficients.
//
// Source: Banerjee, "Dependence Analysis" (1997), section 4.3 (extreme values of affine functions).

import { coefficientOf, plus, substitute } from './affine-forms.ts';
import type { AffineForm } from './affine-forms.ts';
import type { LoopHead } from './tree.ts';

/** The least, or the greatest, value of a form, by what does not change in the loops. */
export function extremeOf(form: AffineForm, loops: readonly LoopHead[], isGreatest: boolean): AffineForm {
  return loops.reduceRight((bounded, { variable, goesUp, first, end }) => {
    const coefficient = coefficientOf(bounded, variable);
    const takesLast = goesUp === (coefficient > 0n === isGreatest);
    return substitute(bounded, variable, takesLast ? plus(end, goesUp ? -1n : 1n) : first);
  }, form);
}
