// What unroll and jam says of loops of a nest that it works on one iteration at a time.

import type { Span } from '../../source.ts';
import { oneByOne, unrollAndJam as pass } from './nest-reasons.ts';
import { reason } from './reason.ts';

export const obstacleReasons = {
  nestNoGain: reason<object>({
    pass,
    outcome: 'analysis',
    text: () => 'works on one of its iterations at a time, as fast as on several: nothing in it has to be waited for',
    help: null,
  }),
  nestFew: reason<{ iterations: string }>({
    pass,
    outcome: 'missed',
    text: ({ iterations }) => oneByOne(`it never makes as many as ${iterations}`),
    help: 'Where that order is as good, have a loop that makes more iterations outermost.',
  }),
  nestUnfit: reason<object>({
    pass,
    outcome: 'missed',
    text: () => oneByOne('the loops in it never make enough iterations for more, or make too many'),
    help: null,
  }),
  nestDirection: reason<object>({
    pass,
    outcome: 'missed',
    text: () => oneByOne('it does not go up by one'),
    help: 'Where that order is as good, write for (int i = 0; i < n; i++), with n - 1 - i to go down, or 2 * i for steps of two.',
  }),
  nestBounds: reason<{ at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ at }) => oneByOne(`the loop at ${at} begins or ends elsewhere in each of them`),
    help: 'Where they have most of it in common, do that in one nest, i < n - lags, and what is left in another.',
  }),
  nestBranch: reason<{ condition: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ condition, at }) => oneByOne(`the loops behind '${condition}' at ${at} are not done in all of them`),
    help: 'Where most need it, do it in all, and keep it under the condition: if (i != j) c[i][j] = sum.',
  }),
  nestRowsChange: reason<{ condition: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ condition, at }) =>
      oneByOne(`rows change places behind '${condition}' at ${at}, which is not so in all of them`),
    help: null,
  }),
  nestSize: reason<object>({
    pass,
    outcome: 'missed',
    text: () => oneByOne('there is too much in it'),
    help: 'Do parts of it in loops apart.',
  }),
  nestElementNeeded: reason<{ one: string; at: Span; other: string; there: Span }>({
    pass,
    outcome: 'missed',
    text: ({ one, at, other, there }) =>
      oneByOne(`'${other}' at ${there} may be the same element as '${one}' at ${at} of an iteration before`),
    help: 'Where an iteration does not need what those before have set, set elements of another array.',
  }),
  nestValueNeeded: reason<{ variable: string; at: Span }>({
    pass,
    outcome: 'missed',
    text: ({ variable, at }) => oneByOne(`'${variable}', which is set at ${at}, goes from each iteration to the next`),
    help: 'Declare a variable in the loop, sum up in that, and add it behind the inner loop, if that order is as good.',
  }),
};
