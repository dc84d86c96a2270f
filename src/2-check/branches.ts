// `if` and its chain of `else if`.

import type { Statement as StatementSyntax } from '../1-parse/syntax-tree.ts';
import { isInvalid } from './checker.ts';
import type { FunctionChecker } from './checker.ts';
import { checkBody, warnOfEmptyBody } from './bodies.ts';
import { checkCondition } from './conversions.ts';
import type { Expression, If, Statement } from './typed-tree.ts';

/** A chain of `else if` may be long, so it is checked in a loop and put together from its end. */
export function checkIf(fc: FunctionChecker, node: StatementSyntax & { readonly kind: 'if' }): Statement[] {
  const before = fc.reachable;
  const links: { condition: Expression; then: Statement[]; span: If['span'] }[] = [];
  let reachable = false;
  let rest: StatementSyntax | null = node;
  while (rest?.kind === 'if') {
    const condition = checkCondition(fc, rest.condition);
    fc.reachable = before;
    warnOfEmptyBody(fc, 'if', rest.then);
    const then = checkBody(fc, rest.then);
    reachable ||= fc.reachable;
    links.push({ condition, then, span: rest.span });
    rest = rest.otherwise;
  }
  if (rest !== null) warnOfEmptyBody(fc, 'else', rest);
  fc.reachable = before;
  let otherwise = rest === null ? [] : checkBody(fc, rest);
  fc.reachable = reachable || fc.reachable;
  for (const { condition, then, span } of links.reverse()) {
    otherwise = isInvalid(condition) ? [] : [{ kind: 'if', condition, then, otherwise, span }];
  }
  return otherwise;
}
