// Fuel: a unit for each call of a function of the script, and one for each iteration of a loop.
//
//   int f(int n) { return g(n); }
// makes calls, so it asks at its beginning whether the program may go on; a function that calls nothing need not, since
// whoever calls it does. Notes that here; emit counts.

import type { MirFunction } from '../../mir/mir.ts';
import { visitAll } from '../../mir/children.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';

export const fuel: Pass = {
  name: 'fuel',
  summary: 'functions that make calls ask whether the program may go on',
  isRequired: true,
  keeps: ['mod-ref', 'recursion', 'ranges'],
  run: (program, context) =>
    context.settings.countsFuel
      ? mapFunctions(program, context, (fn) => (makesCalls(fn) ? { ...fn, makesCalls: true } : fn))
      : program,
};

function makesCalls({ body }: MirFunction): boolean {
  let found = false;
  visitAll(body, ({ kind }) => (found ||= kind === 'call'));
  return found;
}
