// What unroll and jam says: of the loops of a nest what it did with them, of the outermost of others why they are none.

import type { Span } from '../../source.ts';
import { reason } from './reason.ts';

export const unrollAndJam = 'unroll-and-jam';
const pass = unrollAndJam;

export const oneByOne = (since: string): string => `works on one of its iterations at a time, since ${since}`;
const made = 'made of the variables of loops, and of variables that stay the same, by +, - and *';

export const nestReasons = {
  jammed: reason<{ iterations: string }>({
    pass,
    outcome: 'applied',
    text: ({ iterations }) => `works on ${iterations} of its iterations at once`,
    help: null,
  }),
  calleesInNest: reason<{ what: Span }>({
    pass,
    outcome: 'applied',
    text: ({ what }) => `does in one with its loops what it calls: ${what}`,
    help: null,
  }),
  rotated: reason<{ iterations: string; what: Span }>({
    pass,
    outcome: 'applied',
    text: ({ iterations, what }) =>
      `does ${iterations} of its iterations in one, behind which arrays are back where they were: ${what}`,
    help: null,
  }),
  vectorised: reason<{ iterations: string }>({
    pass,
    outcome: 'applied',
    text: ({ iterations }) => `works on ${iterations} of its iterations in one instruction`,
    help: null,
  }),
  transposed: reason<{ elements: string }>({
    pass,
    outcome: 'applied',
    text: ({ elements }) => `works on ${elements} elements of each row in one instruction`,
    help: null,
  }),
  unrolled: reason<{ iterations: string }>({
    pass,
    outcome: 'applied',
    text: ({ iterations }) =>
      `does ${iterations} of its iterations one behind another before it looks whether to go on`,
    help: null,
  }),
  packed: reason<{ what: Span }>({
    pass,
    outcome: 'applied',
    text: ({ what }) => `copies to linear memory in front of it, where its work is worth that: ${what}`,
    help: null,
  }),
  resident: reason<{ what: Span }>({
    pass,
    outcome: 'applied',
    text: ({ what }) => `works on what lies in linear memory: ${what}`,
    help: null,
  }),
  rowsLookedAt: reason<{ what: Span }>({
    pass,
    outcome: 'applied',
    text: ({ what }) =>
      `makes sure in front of it that rows are equally long, and no two the same where it sets some: ${what}`,
    help: null,
  }),
  nestUnchecked: reason<{ what: Span; at: Span }>({
    pass,
    outcome: 'applied',
    text: ({ what, at }) => `checks indices in front of the loop at ${at}, not inside: ${what}`,
    help: null,
  }),
  nestPromoted: reason<{ what: Span }>({
    pass,
    outcome: 'applied',
    text: ({ what }) => `keeps in a variable until it ends: ${what}`,
    help: null,
  }),
  nestCalls: reason<{ call: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ call, at }) => oneByOne(`'${call}' is called at ${at}`),
    help: 'Call it in a loop apart, or write what it does in its place.',
  }),
  nestLibraryCalls: reason<{ call: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ call, at }) => oneByOne(`'${call}' is called at ${at}`),
    help: 'Call it in a loop apart.',
  }),
  nestCallInside: reason<{ call: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ call, at }) => oneByOne(`'${call}' at ${at} is called in the middle of a statement`),
    help: 'Call it in a statement of its own, as double d = f(x); then what it does becomes part of the nest.',
  }),
  nestCallUnderCondition: reason<{ call: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ call, at }) => oneByOne(`'${call}' at ${at} is called under a condition alone`),
    help: 'Call it in front of the condition, in a statement of its own: double d = f(x);',
  }),
  nestWaits: reason<{ call: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ call, at }) => oneByOne(`'${call}' at ${at} lets the host run`),
    help: 'Compute in one loop, and hand over in another.',
  }),
  nestLeaves: reason<{ statement: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ statement, at }) => oneByOne(`${statement} at ${at} leaves a loop, or an iteration, before its end`),
    help: 'Have all loops go on to their ends, with an if around what is not always done.',
  }),
  nestMayFail: reason<{ value: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ value, at }) => oneByOne(`'${value}' at ${at} may fail`),
    help: 'Work it out in front of the loop, or in a loop apart; a division of doubles cannot fail.',
  }),
  nestToInt: reason<{ value: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ value, at }) => oneByOne(`'${value}' at ${at} may fail`),
    help: 'Ints have functions of their own, which cannot fail: i.max(0), i.min(n - 1), i.abs().',
  }),
  nestRowStored: reason<{ matrix: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ matrix, at }) => oneByOne(`a row of '${matrix}' is stored at ${at}`),
    help: 'Set its elements one by one: for (int j = 0; j < m; j++) b[i][j] = …',
  }),
  nestElements: reason<{ array: string; at: Span; elements: string }>({
    pass,
    outcome: 'missed',
    text: ({ array, at, elements }) => oneByOne(`'${array}' at ${at} is an array of ${elements}`),
    help: 'Have arrays of numbers in front of the loop, for structs one for each field: double[] xs, ys.',
  }),
  nestArraySetOften: reason<{ variable: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ variable, at }) => oneByOne(`'${variable}', which is set at ${at}, is set at another place too`),
    help: 'Have a variable for each array.',
  }),
  nestLength: reason<{ length: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ length, at }) => oneByOne(`'${length}' at ${at} is asked for in it`),
    help: 'Ask for it in front of the loop: int length = xs.length();',
  }),
  nestText: reason<{ value: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ value, at }) => oneByOne(`'${value}' at ${at} works with a text`),
    help: 'Do it in front of the loop, where its characters may be put into an array: codes[i] = s.codeAt(i);',
  }),
  nestFieldSet: reason<{ field: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ field, at }) => oneByOne(`'${field}', which is set at ${at}, is a field`),
    help: 'Have a variable of the function in its place, and set it once, behind the loop.',
  }),
  nestGlobalSet: reason<{ variable: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ variable, at }) => oneByOne(`'${variable}', which is set at ${at}, is seen by other functions`),
    help: 'Have a variable of the function in its place, and set it once, behind the loop.',
  }),
  nestDoes: reason<{ other: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ other, at }) =>
      oneByOne(`${other} at ${at} does something else than to work on numbers, in variables and in elements of arrays`),
    help: 'Do it in a loop apart.',
  }),
  nestIndex: reason<{ index: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ index, at }) => oneByOne(`the index '${index}' at ${at} is not ${made}`),
    help: 'Count another variable instead; work out what stays the same in front of the loop.',
  }),
  nestIndexSetOften: reason<{ variable: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ variable, at }) => oneByOne(`'${variable}', in the index at ${at}, is set several times`),
    help: 'Have a variable for each value, or write that in its place.',
  }),
  nestIndexChosen: reason<{ variable: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ variable, at }) =>
      oneByOne(`'${variable}', in the index at ${at}, does not change by the same amount each time`),
    help: 'Where it is the place of the greatest so far, have that element in a variable, and compare with it.',
  }),
  nestIndexRead: reason<{ index: string; at: Span; source: string }>({
    pass,
    outcome: 'missed',
    text: ({ index, at, source }) => oneByOne(`the index '${index}' at ${at} comes out of ${source}`),
    help: null,
  }),
  nestReadsOwn: reason<{ element: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ element, at }) =>
      oneByOne(
        `'${element}' at ${at}, whose place is worked out or comes out of an array, may be one that the loop sets`,
      ),
    help: 'Set the elements of another array, and copy them behind the loop.',
  }),
  nestLimit: reason<{ limit: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ limit, at }) => oneByOne(`'${limit}' at ${at}, where a loop begins or ends, is not ${made}`),
    help: 'Work it out in front of all of the loops: int end = …; and compare with end.',
  }),
  nestLimitVaries: reason<{ limit: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ limit, at }) => oneByOne(`'${limit}' at ${at}, where a loop begins or ends, is not ${made}`),
    help: null,
  }),
  nestUncounted: reason<{ loop: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ loop, at }) => oneByOne(`'${loop}' at ${at} does not count by the same amount from a start to a limit`),
    help: 'Where the numbers of iterations are known in front of the loops, write for (int i = 0; i < n; i++).',
  }),
  nestVariable: reason<{ variable: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ variable, at }) => oneByOne(`'${variable}' is read outside of the loop at ${at}, which counts it`),
    help: 'Declare it in the loop: for (int j = 0; …).',
  }),
  nestArrayChanges: reason<{ array: string; before: string; at: Span; behind: string }>({
    pass,
    outcome: 'missed',
    text: ({ array, before, at, behind }) =>
      oneByOne(`'${array}' may be another array each time: ${before} at ${at}${behind}`),
    help: 'Put arrays into variables in front of the loop, and do not set those in it.',
  }),
  nestArrayWorkedOut: reason<{ array: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ array, at }) => oneByOne(`the array '${array}' at ${at} is worked out each time`),
    help: 'Put it into a variable in front of the loop; have a matrix for arrays that belong together.',
  }),
  nestArrayVaries: reason<{ array: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ array, at }) => oneByOne(`the array '${array}' at ${at} is another one each time`),
    help: 'Where they are as long as each other, have them as the rows of a matrix that is made in front of the loop.',
  }),
  nestRowsDiffer: reason<{ matrix: string; before: string; at: Span; behind: string }>({
    pass,
    outcome: 'missed',
    text: ({ matrix, before, at, behind }) =>
      oneByOne(`rows of '${matrix}' may differ in length, or be the same: ${before} at ${at}${behind}`),
    help: 'Make the matrix with new double[n][m], and set its elements: b[i][j] = …, never a whole row.',
  }),
};
