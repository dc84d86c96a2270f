// What the passes say that work on memory, code and texts, of all loops.

import type { Span } from '../../source.ts';
import { reason } from './reason.ts';

const promotion = 'scalar-promotion';
const inMemory = (what: string, since: string): string => `sets in memory in each iteration: ${what}, since ${since}`;
const variableOfFunction = 'Have a variable of the function in its place, and set it once, behind the loop.';

export const otherReasons = {
  promoted: reason<{ what: Span }>({
    pass: promotion,
    outcome: 'applied',
    text: ({ what }) => `keeps in a variable until it ends: ${what}`,
    help: null,
  }),
  mayBeSame: reason<{ what: Span; other: string; at: Span }>({
    pass: promotion,
    outcome: 'missed',
    text: ({ what, other, at }) => inMemory(what, `'${other}' at ${at} may be the same`),
    help: variableOfFunction,
  }),
  limitObserved: reason<{ what: Span; at: Span }>({
    pass: promotion,
    outcome: 'missed',
    text: ({ what, at }) => inMemory(what, `${at} may see how far it came when a limit ends it`),
    help: variableOfFunction,
  }),
  callBetween: reason<{ what: Span; call: string; at: Span }>({
    pass: promotion,
    outcome: 'missed',
    text: ({ what, call, at }) => inMemory(what, `'${call}' is called at ${at}`),
    help: variableOfFunction,
  }),
  mayFailBetween: reason<{ what: Span; other: string; at: Span }>({
    pass: promotion,
    outcome: 'missed',
    text: ({ what, other, at }) => inMemory(what, `'${other}' at ${at} may fail, or be seen from outside`),
    help: variableOfFunction,
  }),
  workedOutInFront: reason<{ what: Span }>({
    pass: 'invariant-arithmetic',
    outcome: 'applied',
    text: ({ what }) => `works out in front of it what stays the same: ${what}`,
    help: null,
  }),
  dividedInFront: reason<{ what: Span }>({
    pass: 'invariant-division',
    outcome: 'applied',
    text: ({ what }) => `divides in front of it what stays the same: ${what}`,
    help: null,
  }),
  unrolledInRecursion: reason<{ iterations: string }>({
    pass: 'complete-unrolling',
    outcome: 'applied',
    text: ({ iterations }) => `is written out as its ${iterations} iterations, since the function calls itself`,
    help: null,
  }),
  peeled: reason<{ ends: string }>({
    pass: 'loop-peeling',
    outcome: 'applied',
    text: ({ ends }) => `does its ${ends} iterations apart, since positions or conditions are others there`,
    help: null,
  }),
  boundsSplit: reason<object>({
    pass: 'loop-bound-splitting',
    outcome: 'applied',
    text: () => 'looks for borders near its ends alone, not in the iterations between',
    help: null,
  }),
  unrolledInLoop: reason<{ iterations: string }>({
    pass: 'complete-unrolling',
    outcome: 'applied',
    text: ({ iterations }) => `is written out as its ${iterations} iterations, since there are always so few`,
    help: null,
  }),
  countsBits: reason<object>({
    pass: 'bit-idioms',
    outcome: 'applied',
    text: () => 'counts bits by one instruction, without going round',
    help: null,
  }),
  interleaved: reason<object>({
    pass: 'loop-interleaving',
    outcome: 'applied',
    text: () => 'runs beside that of the next iteration of the loop around, since it waits for its own values',
    help: null,
  }),
  outlined: reason<object>({
    pass: 'loop-outlining',
    outcome: 'applied',
    text: () => 'runs as a function of its own where it is long, so that it is fast in the first run too',
    help: null,
  }),
  outlinedNotInTry: reason<object>({
    pass: 'loop-outlining',
    outcome: 'missed',
    text: () => 'may be slow in the first run, since it is in a try',
    help: 'Put it into a function, and call that in the try.',
  }),
  outlinedNotLeaving: reason<{ at: Span }>({
    pass: 'loop-outlining',
    outcome: 'missed',
    text: ({ at }) => `may be slow in the first run, since ${at} returns from the function`,
    help: 'Leave it with break, and return behind it.',
  }),
  outlinedNotTexts: reason<{ what: string }>({
    pass: 'loop-outlining',
    outcome: 'missed',
    text: ({ what }) => `may be slow in the first run, since it sets a text: ${what}`,
    help: null,
  }),
  outlinedNotMany: reason<object>({
    pass: 'loop-outlining',
    outcome: 'missed',
    text: () => 'may be slow in the first run, since it has more than a hundred variables',
    help: 'Put it into a function that has those variables alone that it needs.',
  }),
  strips: reason<{ iterations: string }>({
    pass: 'strip-mining',
    outcome: 'applied',
    text: ({ iterations }) => `looks every ${iterations} iterations whether a limit stops it`,
    help: null,
  }),
  noStrips: reason<object>({
    pass: 'strip-mining',
    outcome: 'missed',
    text: () => 'looks in each iteration whether a limit stops it, since it is not counted',
    help: null,
  }),
  textGrows: reason<{ what: string }>({
    pass: 'string-builder',
    outcome: 'applied',
    text: ({ what }) => `lets a text grow in place: ${what}`,
    help: null,
  }),
  textRead: reason<{ text: string; at: Span }>({
    pass: 'string-builder',
    outcome: 'missed',
    text: ({ text, at }) => `puts a text that grows together in each iteration: '${text}', since it is read at ${at}`,
    help: 'Read it behind the loop; its length may be read at any time.',
  }),
  textTemplate: reason<{ what: string; at: Span }>({
    pass: 'string-builder',
    outcome: 'missed',
    text: ({ what, at }) => `makes a new text in each iteration: ${what}, which ${at} does not append to with +=`,
    help: 'Write s += …; then it grows in place.',
  }),
  textPrepended: reason<{ what: string; at: Span }>({
    pass: 'string-builder',
    outcome: 'missed',
    text: ({ what, at }) => `makes a new text in each iteration: ${what}, which ${at} puts something in front of`,
    help: 'Append with s += …; or push the pieces to a string[], and join them behind the loop.',
  }),
  textElsewhere: reason<{ what: Span }>({
    pass: 'string-builder',
    outcome: 'missed',
    text: ({ what }) => `makes a new text in each iteration: ${what}, which is no variable of the function`,
    help: 'Append to a variable of the function, and set it once, behind the loop.',
  }),
  selected: reason<{ what: Span }>({
    pass: 'if-conversion',
    outcome: 'applied',
    text: ({ what }) => `chooses without a branch: ${what}`,
    help: null,
  }),
  selectedDouble: reason<{ what: Span }>({
    pass: 'if-conversion',
    outcome: 'analysis',
    text: ({ what }) => `chooses between doubles: ${what}, for which engines branch on x64`,
    help: null,
  }),
  foreseen: reason<{ what: Span }>({
    pass: 'if-conversion',
    outcome: 'analysis',
    text: ({ what }) =>
      `chooses by a branch: ${what}, which is mostly foreseen, so that no iteration waits for another`,
    help: null,
  }),
  branches: reason<{ what: Span }>({
    pass: 'if-conversion',
    outcome: 'analysis',
    text: ({ what }) => `chooses by a branch: ${what}, since one of the two may fail or takes long`,
    help: null,
  }),
};
