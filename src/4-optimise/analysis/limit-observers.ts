// Whether anybody sees what a function has come to when a limit ends it in the midst of a loop.

import { errorTypeOf } from '../../language/errors.ts';
import { nodesOf, visitAll } from '../../mir/children.ts';
import type { MirProgram } from '../../mir/program.ts';
import { functionsOf } from './analyses.ts';

/**
 * Whether somebody can see what a loop has come to when a limit ends it: a clause that takes such an error, or a call of
 * the same instance after it, by what a global leads to.
 */
export function seesLimits(program: MirProgram): boolean {
  if (program.exports.length > 0 && program.globals.size > 0) return true;
  let sees = false;
  for (const fn of functionsOf(program))
    visitAll(nodesOf(fn), (node) => {
      if (node.kind !== 'try') return;
      sees ||= node.clauses.some(({ errorType }) => errorType !== null && errorTypeOf(errorType)?.guard === true);
    });
  return sees;
}
