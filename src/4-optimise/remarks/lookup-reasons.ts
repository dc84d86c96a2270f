// Where arrays and texts are looked up: said by loop-invariant code motion of loops without another in them.

import type { Span } from '../../source.ts';
import { reason } from './reason.ts';

const pass = 'loop-invariant-code-motion';
const inFront = 'Put the array into a variable in front of the loop, and index that.';

export const lookupReasons = {
  hoisted: reason<{ what: Span }>({
    pass,
    outcome: 'applied',
    text: ({ what }) => `looks up once, in front of it: ${what}`,
    help: null,
  }),
  hoistedFurther: reason<{ what: Span; outer: Span }>({
    pass,
    outcome: 'applied',
    text: ({ what, outer }) => `looks up once, in front of the loop at ${outer}: ${what}`,
    help: null,
  }),
  arrayReplaced: reason<{ what: Span; before: string; at: Span; behind: string }>({
    pass,
    outcome: 'missed',
    text: ({ what, before, at, behind }) =>
      `looks up anew in each iteration: ${what}, since ${before} at ${at}${behind}`,
    help: inFront,
  }),
  arrayResized: reason<{ what: Span; before: string; at: Span; behind: string }>({
    pass,
    outcome: 'missed',
    text: ({ what, before, at, behind }) =>
      `looks up anew in each iteration: ${what}, since ${before} at ${at}${behind}`,
    help: 'Let arrays grow and shrink, and yield, in a loop apart: what one variable may hold counts as one array.',
  }),
  arrayWorkedOut: reason<{ what: Span }>({
    pass,
    outcome: 'missed',
    text: ({ what }) => `looks up anew in each iteration: ${what}, which is worked out there`,
    help: inFront,
  }),
  pathTooLong: reason<{ what: Span }>({
    pass,
    outcome: 'missed',
    text: ({ what }) => `looks up anew in each iteration: ${what}, which is more than three steps away`,
    help: inFront,
  }),
  jsonArray: reason<{ what: Span }>({
    pass,
    outcome: 'missed',
    text: ({ what }) => `looks up anew in each iteration: ${what}, an array of json`,
    help: 'Make an array of a type of them in front of the loop, and go through that.',
  }),
  jsonRead: reason<{ what: Span }>({
    pass,
    outcome: 'missed',
    text: ({ what }) => `searches json in each iteration: ${what}`,
    help: 'Make a struct or an array of it in front of the loop, as Row[] rows = j as Row[]; and read that.',
  }),
};
