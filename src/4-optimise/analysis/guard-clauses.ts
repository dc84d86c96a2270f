// Whether a program goes on behind an error of a limit, which can come in the middle of what is one statement in the
// script: a push, an iteration of a nest. Its clause then sees how far that has come.

import { visitStatements } from '../../mir/children.ts';
import type { CatchClause } from '../../mir/mir.ts';
import type { MirProgram } from '../../mir/program.ts';
import { errorTypes } from '../../language/errors.ts';
import { functionsOf } from './analyses.ts';

/** Whether a clause of the program takes errors of limits: only one that names them does. */
export function takesGuardErrors(program: MirProgram): boolean {
  let takes = false;
  for (const { body } of functionsOf(program))
    visitStatements(body, (node) => void (takes ||= node.kind === 'try' && node.clauses.some(isGuardClause)));
  return takes;
}

function isGuardClause({ errorType }: CatchClause): boolean {
  return errorTypes.some(({ id, guard }) => guard && id === errorType);
}
