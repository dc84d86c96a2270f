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
    help: null,
  }),
  // A loop around it counts the last index.
  checkedColumnStore: reason<{ what: Span }>({
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
  indexElement: reason<{ what: Span; variable: string; array: string }>({
    pass,
    outcome: 'missed',
    text: ({ what, variable, array }) => checks(what, `'${variable}' is an element of '${array}'`),
    help: null,
  }),
  indexRead: reason<{ what: Span; source: string }>({
    pass,
    outcome: 'missed',
    text: ({ what, source }) => checks(what, `the index comes out of ${source}`),
    help: null,
  }),
  indexPart: reason<{ what: Span; part: string }>({
    pass,
    outcome: 'missed',
    text: ({ what, part }) => checks(what, `'${part}' in the index is worked out each time`),
    help: 'Work it out in front of the loop, as int last = xs.length() - 1; and have the variable in the index.',
  }),
  indexVaries: reason<{ what: Span; variable: string }>({
    pass,
    outcome: 'missed',
    text: ({ what, variable }) => checks(what, `'${variable}' does not change by the same amount each time`),
    help: null,
  }),
  indexOtherStep: reason<{ what: Span; variable: string }>({
    pass,
    outcome: 'missed',
    text: ({ what, variable }) => checks(what, `'${variable}' does not change by a multiple of the step of the loop`),
    help: null,
  }),
  indexInMemory: reason<{ what: Span; place: string }>({
    pass,
    outcome: 'missed',
    text: ({ what, place }) => checks(what, `'${place}' is set in it, and is no variable of the function`),
    help: 'Have a variable of the function in its place, and set it once, behind the loop.',
  }),
  indexIrregular: reason<{ what: Span }>({
    pass,
    outcome: 'missed',
    text: ({ what }) => checks(what, 'the index does not change by the same amount each time'),
    help: 'Where you can, count another variable in its place, by the same amount each time.',
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
