// Which accesses look whether their index is in range: said by bounds-check elimination of loops without another in
// them.

import type { Span } from '../../source.ts';
import { reason } from './reason.ts';

const pass = 'bounds-check-elimination';
const checks = (what: string, since: string): string => `checks the index in each iteration: ${what}, since ${since}`;

export const boundsReasons = {
  unchecked: reason<{ what: Span }>({
    pass,
    outcome: 'applied',
    text: ({ what }) => `checks indices in front of it, not inside: ${what}`,
    help: null,
  }),
  // Of a later pass: it counts as done where bounds-check elimination could not.
  keptInRange: reason<{ what: Span }>({
    pass,
    outcome: 'applied',
    text: ({ what }) => `checks in front of it what it keeps in range itself: ${what}`,
    help: null,
  }),
  // Likewise.
  keptInWindow: reason<{ what: Span }>({
    pass,
    outcome: 'applied',
    text: ({ what }) => `checks once for each iteration what it reads of texts: ${what}`,
    help: null,
  }),
  checkedUncounted: reason<{ what: Span }>({
    pass,
    outcome: 'missed',
    text: ({ what }) => checks(what, 'it is not counted'),
    help: null,
  }),
  checkedMoving: reason<{ what: Span }>({
    pass,
    outcome: 'missed',
    text: ({ what }) => checks(what, 'the array is looked up there'),
    help: null,
  }),
  checkedRowStore: reason<{ what: Span }>({
    pass,
    outcome: 'missed',
    text: ({ what }) => checks(what, 'each iteration sets it in another row'),
    help: 'Have the innermost loop count the last index.',
  }),
  rowsDiffer: reason<{ what: Span; before: string; at: Span; behind: string }>({
    pass,
    outcome: 'missed',
    text: ({ what, before, at, behind }) => checks(what, `rows may differ in length: ${before} at ${at}${behind}`),
    help: 'Make the matrix with new double[n][m], and set its elements: b[i][j] = …, never a whole row.',
  }),
  indexIrregular: reason<{ what: Span; variable: string }>({
    pass,
    outcome: 'missed',
    text: ({ what, variable }) =>
      checks(what, `the index is not made of '${variable}' and of variables that stay the same by +, - and *`),
    help: 'Work out in front of the loop what stays the same, such as a length, and have the variable in the index.',
  }),
  readUnderCondition: reason<{ what: Span }>({
    pass,
    outcome: 'missed',
    text: ({ what }) => checks(what, 'it is done under a condition alone'),
    help: null,
  }),
  fewIterations: reason<{ what: Span }>({
    pass,
    outcome: 'analysis',
    text: ({ what }) => checks(what, 'there are few of them'),
    help: null,
  }),
  limitUnknown: reason<{ what: Span }>({
    pass,
    outcome: 'missed',
    text: ({ what }) => checks(what, 'the last index is not known in front of it'),
    help: 'Work the limit out in front of the loop: int end = …; and compare with end.',
  }),
  checkNegligible: reason<{ what: Span }>({
    pass,
    outcome: 'analysis',
    text: ({ what }) => checks(what, 'that takes next to nothing beside the rest'),
    help: null,
  }),
};
