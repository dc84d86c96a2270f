// Fuel: a unit for each call of a function of the script, and one for each iteration of a loop.
//
//   int f(int n) { return g(n); }
// makes calls, so it asks at its beginning whether the program may go on; a function that calls nothing need not, since
// whoever calls it does. Notes that here; emit counts.

import type { MirFunction } from '../../mir/mir.ts';
import { visitAll } from '../../mir/children.ts';
import { calleeOf } from '../../mir/locals.ts';
import type { Pass } from '../pass.ts';

export const fuel: Pass = {
  name: 'fuel',
  summary: 'functions that make calls ask whether the program may go on',
  isRequired: true,
  keeps: ['mod-ref', 'recursion', 'ranges'],
  run: (program, { settings }) => {
    if (!settings.countsFuel) return program;
    // The entry is called once.
    const functions = [...program.functions].map(
      ([id, fn]) => [id, makesCalls(fn) ? { ...fn, makesCalls: true } : fn] as const,
    );
    return { ...program, functions: new Map(functions) };
  },
};

function makesCalls({ body }: MirFunction): boolean {
  let found = false;
  visitAll(body, (node) => (found ||= calleeOf(node) !== null));
  return found;
}
