// yield and return.

import type { Statement as StatementSyntax } from '../1-parse/syntax-tree.ts';
import { formatType } from '../language/types.ts';
import { isInvalid } from './checker.ts';
import type { FunctionChecker } from './checker.ts';
import { checkAs, checkValue } from './conversions.ts';
import type { Statement } from './typed-tree.ts';

/** Any value but void goes to the host, from any function. */
export function checkYield(fc: FunctionChecker, node: StatementSyntax & { readonly kind: 'yield' }): Statement[] {
  const value = checkValue(fc, node.value);
  return isInvalid(value) ? [] : [{ kind: 'yield', value, span: node.span }];
}

/** In the entry, `return` ends the program with a result of any type; elsewhere it ends the function with its value. */
export function checkReturn(fc: FunctionChecker, node: StatementSyntax & { readonly kind: 'return' }): Statement[] {
  const { span } = node;
  const rule = fc.returnRule;
  if (rule.kind === 'entry') {
    const value = node.value === null ? null : checkValue(fc, node.value);
    fc.reachable = false;
    return value !== null && isInvalid(value) ? [] : [{ kind: 'finish', value, span }];
  }
  fc.reachable = false;
  const labels =
    rule.declared === undefined ? [] : [{ span: rule.declared, text: `the function returns ${formatType(rule.type)}` }];
  if (rule.type.kind === 'void') {
    if (node.value !== null) {
      fc.checker.dispatch.expression(fc, node.value, null);
      fc.report('returnsNothing', node.value.span, {}, { labels });
    }
    return [{ kind: 'return', value: null, span }];
  }
  if (node.value === null) {
    if (rule.type.kind !== 'invalid')
      fc.report('returnWithoutValue', span, { type: formatType(rule.type) }, { labels });
    return [];
  }
  const value = checkAs(fc, node.value, rule.type, labels);
  return isInvalid(value) ? [] : [{ kind: 'return', value, span }];
}
