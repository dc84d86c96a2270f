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
};
