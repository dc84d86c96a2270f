// Whether a loop is counted: said by loop canonicalisation of loops without another in them. All are of the loop itself, and
// so have no `what`: counted in one version it is counted.

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
  countedWhile: reason<{ variable: string; direction: string; condition: string; step: string }>({
    pass,
    outcome: 'applied',
    text: ({ variable, direction, condition, step }) =>
      `counts '${variable}' ${direction}${step}, while '${condition}'`,
    help: null,
  }),
  countedElements: reason<{ array: string }>({
    pass,
    outcome: 'applied',
    text: ({ array }) => `counts the elements of '${array}'`,
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
  noComparison: reason<{ condition: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ condition, at }) =>
      `is not counted: '${condition}' at ${at} does not compare two ints with <, <=, > or >=`,
    help: asFor,
  }),
  comparisonNotFirst: reason<{ condition: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ condition, at }) => `is not counted: '${condition}' at ${at} is not the first part of the condition`,
    help: 'Put it first: while (i < n && …).',
  }),
  noVariable: reason<{ condition: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ condition, at }) =>
      `is not counted: neither side of '${condition}' at ${at} is a variable that the loop changes`,
    help: asFor,
  }),
  sumMayWrap: reason<{ sum: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ sum, at }) => `is not counted: '${sum}' at ${at} may wrap around, as far as can be seen`,
    help: 'Have the variable by itself on one side: int end = n - lag; and compare with end.',
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
  elementsChange: reason<{ array: string; before: string; at: Span; behind: string }>({
    pass,
    outcome: 'missed',
    text: ({ array, before, at, behind }) => `is not counted: '${array}' may change, since ${before} at ${at}${behind}`,
    help: 'Let arrays grow and shrink, and yield, in a loop apart: what one variable may hold counts as one array.',
  }),
  limitWorkedOut: reason<{ limit: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ limit, at }) => `is not counted: its limit '${limit}' at ${at} is worked out for each iteration`,
    help: variableInFront,
  }),
  jsonElements: reason<{ json: string }>({
    pass,
    outcome: 'missed',
    text: ({ json }) => `is not counted: '${json}' is json, whose elements are found out one by one`,
    help: 'Make an array of it in front of the loop: double[] xs = j as double[]; and go through xs.',
  }),
};
