// Whether a loop is counted: said by loop canonicalisation of loops without another in them.

import type { Span } from '../../source.ts';
import { reason } from './reason.ts';

const pass = 'loop-canonicalisation';
const asFor = 'Where the number of iterations is known in front of the loop, write for (int i = 0; i < n; i++).';
const variableInFront = 'Work the limit out in front of the loop: int end = …; and compare with end.';

export const countReasons = {
  counted: reason<{ variable: string; direction: string; limit: string; step: string }>({
    pass,
    outcome: 'applied',
    text: ({ variable, direction, limit, step }) => `counts '${variable}' ${direction} to ${limit}${step}`,
    help: null,
  }),
  countedWhile: reason<{ variable: string; direction: string; what: Span; step: string }>({
    pass,
    outcome: 'applied',
    text: ({ variable, direction, what, step }) => `counts '${variable}' ${direction}${step}, while ${what}`,
    help: null,
  }),
  countedElements: reason<{ what: Span }>({
    pass,
    outcome: 'applied',
    text: ({ what }) => `counts the elements of ${what}`,
    help: null,
  }),
  countedBoth: reason<{ variable: string; other: string }>({
    pass,
    outcome: 'applied',
    text: ({ variable, other }) => `counts '${variable}' and '${other}' towards each other`,
    help: null,
  }),
  endless: reason<object>({
    pass,
    outcome: 'missed',
    text: () => 'is not counted: it has no condition that ends it',
    help: asFor,
  }),
  testedBehind: reason<object>({
    pass,
    outcome: 'missed',
    text: () => 'is not counted: its condition is tested behind the body',
    help: 'Write while or for, with the condition in front.',
  }),
  noComparison: reason<{ what: Span; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ what, at }) => `is not counted: ${what} at ${at} does not compare two ints with <, <=, > or >=`,
    help: asFor,
  }),
  comparisonNotFirst: reason<{ what: Span; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ what, at }) => `is not counted: ${what} at ${at} is not the first part of the condition`,
    help: 'Put it first: while (i < n && …).',
  }),
  noVariable: reason<{ what: Span; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ what, at }) => `is not counted: neither side of ${what} at ${at} is a variable that the loop changes`,
    help: asFor,
  }),
  globalVariable: reason<{ variable: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ variable, at }) => `is not counted: '${variable}', which is set at ${at}, is a global variable`,
    help: 'Count with a variable of the function: for (int i = …).',
  }),
  variableSetBesides: reason<{ variable: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ variable, at }) => `is not counted: '${variable}' is set at ${at} besides`,
    help: 'Change it once in each iteration, and leave the loop with break; or have another variable for the rest.',
  }),
  stepNotLast: reason<{ variable: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ variable, at }) => `is not counted: '${variable}' is set at ${at}, which is not the end of each iteration`,
    help: 'Make it the last statement of the loop, or the step of a for.',
  }),
  stepSkipped: reason<{ variable: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ variable, at }) => `is not counted: continue at ${at} leaves '${variable}' as it is`,
    help: 'Write for (…; …; i++): its step is done by continue too.',
  }),
  stepVaries: reason<{ variable: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ variable, at }) => `is not counted: at ${at} '${variable}' does not change by the same amount each time`,
    help: 'Count the iterations with a variable of their own.',
  }),
  stepAway: reason<{ variable: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ variable, at }) =>
      `is not counted: at ${at} '${variable}' goes away from its limit, or in too large steps`,
    help: null,
  }),
  limitChanges: reason<{ limit: string; before: string; at: Span; behind: string }>({
    pass,
    outcome: 'missed',
    text: ({ limit, before, at, behind }) =>
      `is not counted: its limit '${limit}' may change, since ${before} at ${at}${behind}`,
    help: variableInFront,
  }),
  elementsChange: reason<{ what: Span; before: string; at: Span; behind: string }>({
    pass,
    outcome: 'missed',
    text: ({ what, before, at, behind }) => `is not counted: ${what} may change, since ${before} at ${at}${behind}`,
    help: 'Let arrays grow and shrink, and yield, in a loop apart: what one variable may hold counts as one array.',
  }),
  limitWorkedOut: reason<{ what: Span; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ what, at }) => `is not counted: its limit ${what} at ${at} is worked out for each iteration`,
    help: variableInFront,
  }),
  jsonElements: reason<{ what: Span }>({
    pass,
    outcome: 'missed',
    text: ({ what }) => `is not counted: ${what} is json, whose elements are found out one by one`,
    help: 'Make an array of it in front of the loop: double[] xs = j as double[]; and go through xs.',
  }),
};
