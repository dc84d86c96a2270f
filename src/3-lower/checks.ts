// Tests that the language leaves implicit.

import type { Expression } from '../2-check/typed-tree.ts';
import type { Span } from '../source.ts';
import type * as mir from '../mir/mir.ts';
import type { FunctionLowering } from './function-lowering.ts';

/** Tests a value for null; the NullAccessError says in which use the value was null. */
export function checkNull(to: FunctionLowering, node: Expression, use: string, span: Span = node.span): mir.Expression {
  const operand = to.expression(node);
  // A constant or a new object is never null, and the runtime passes no null to itself.
  if (to.isRuntime || operand.kind === 'string' || operand.kind === 'concat' || operand.kind === 'to-text')
    return operand;
  return { kind: 'check-null', operand, use, type: node.type, span };
}
