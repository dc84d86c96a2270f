// Whether anybody sees what a function has come to when a limit ends it in the midst of a loop.

import { errorTypeOf } from '../../language/errors.ts';
import { nodesOf, visitAll } from '../../mir/children.ts';
import type { MirProgram } from '../../mir/program.ts';
import type { Span } from '../../source.ts';
import { functionsOf } from './analyses.ts';

/**
 * Whether somebody can see what a loop has come to when a limit ends it: a clause that takes such an error, or a call of
 * the same instance after it, by what a global leads to.
 */
export function seesLimits(program: MirProgram): boolean {
  return limitObserverOf(program) !== null;
}

/** Where that is: a `try` with such a clause, or a function that the host may call; null where there is none. */
export function limitObserverOf(program: MirProgram): Span | null {
  const [first] = program.exports;
  if (first !== undefined && program.globals.size > 0) return program.functions.get(first.function)!.span;
  let at: Span | null = null;
  for (const fn of functionsOf(program))
    visitAll(nodesOf(fn), (node) => {
      if (node.kind !== 'try') return;
      const sees = node.clauses.some(({ errorType }) => errorType !== null && errorTypeOf(errorType)?.guard === true);
      if (sees && (at === null || node.span.start < at.start)) at = node.span;
    });
  return at;
}
