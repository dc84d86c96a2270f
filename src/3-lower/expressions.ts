// Dispatch on the kind of an expression.

import type { Expression, LibraryCall } from '../2-check/typed-tree.ts';
import type { Type } from '../language/types.ts';
import type * as mir from '../mir/mir.ts';
import { checkNull } from './checks.ts';
import type { FunctionLowering } from './function-lowering.ts';
import { lowerLogical, lowerOperation, lowerTexts } from './operators.ts';

export function lowerExpression(to: FunctionLowering, node: Expression): mir.Expression {
  switch (node.kind) {
    case 'int':
    case 'double':
    case 'boolean':
    case 'string':
    case 'null':
    case 'get-local':
    case 'get-global':
      return node;
    case 'get-field':
      return { ...node, object: to.expression(node.object) };
    case 'get-element':
      return { ...node, array: to.expression(node.array), index: to.expression(node.index) };
    case 'operate':
      return lowerOperation(to, node);
    case 'logical':
      return lowerLogical(to, node);
    case 'conditional': {
      const { condition, then, otherwise, type } = node;
      return {
        ...node,
        condition: to.expression(condition),
        then: to.expression(withType(then, type)),
        otherwise: to.expression(withType(otherwise, type)),
      };
    }
    case 'widen':
    case 'is-null':
    case 'to-text':
    case 'to-json':
    case 'cast':
      return { ...node, operand: to.expression(node.operand) };
    case 'same-object':
      return { ...node, left: to.expression(node.left), right: to.expression(node.right) };
    case 'call':
      return { ...node, arguments: to.expressions(node.arguments) };
    case 'library-call':
      return lowerLibraryCall(to, node);
    case 'array-literal':
    case 'json-array':
      return { ...node, elements: to.expressions(node.elements) };
    case 'struct-literal':
      return { ...node, fields: node.fields.map(({ field, value }) => ({ field, value: to.expression(value) })) };
    case 'new-array':
      return { ...node, lengths: to.expressions(node.lengths) };
    case 'concat':
      return lowerTexts(to, node);
    case 'json-object':
      return { ...node, members: node.members.map(({ key, value }) => ({ key, value: to.expression(value) })) };
    case 'get-member':
      return { ...node, json: to.expression(node.json), key: lowerKey(to, node.key) };
    case 'get-item':
      return { ...node, json: to.expression(node.json), index: to.expression(node.index) };
    case 'item-count':
      return { ...node, json: to.expression(node.json) };
    case 'sequence':
      return { ...node, statements: to.statements(node.statements), value: to.expression(node.value) };
    case 'invalid':
      throw new Error('a faulty program reached lowering');
  }
}

/** In `c ? null : null` only the whole conditional has a known type. */
function withType(node: Expression, type: Type): Expression {
  return node.type.kind === 'null' ? { ...node, type } : node;
}

/** `toString` of a number becomes the node that templates use. */
function lowerLibraryCall(to: FunctionLowering, node: LibraryCall): mir.Expression {
  const { type, span } = node;
  const operands = to.expressions(node.arguments);
  return node.function === 'int.toString' || node.function === 'double.toString'
    ? { kind: 'to-text', operand: operands[0]!, type, span }
    : { ...node, arguments: operands };
}

/** The key of a member of a json. */
export function lowerKey(to: FunctionLowering, key: Expression): mir.Expression {
  return checkNull(to, key, 'a key');
}
