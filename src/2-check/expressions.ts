// Dispatch on the kind of an expression: every node is checked here or in the file of its topic. The expected type is
// passed down, so that literals can take their type from their place.

import type { Expression as Syntax } from '../1-parse/syntax-tree.ts';
import type { Type } from '../language/types.ts';
import { checkArrayLiteral, checkIndex, checkNewArray } from './arrays.ts';
import { checkCall } from './calls.ts';
import type { FunctionChecker } from './checker.ts';
import { checkCast, checkJsonArray, checkJsonObject } from './json.ts';
import { checkLiteral } from './literals.ts';
import { checkMember, checkName } from './members.ts';
import { checkBinary, checkConditional, checkUnary } from './operators.ts';
import { checkStructLiteral } from './structs.ts';
import { checkTemplate } from './strings.ts';
import type { Expression } from './typed-tree.ts';
import { checkInvalid } from './unread.ts';
import { checkUpdate } from './variables.ts';

/**
 * Checks an expression; `expected` is the type that its place asks for, if that is known. The expression may be void.
 */
export function checkExpression(fc: FunctionChecker, node: Syntax, expected: Type | null): Expression {
  return fc.inside(node.span, () => checkByKind(fc, node, expected));
}

function checkByKind(fc: FunctionChecker, node: Syntax, expected: Type | null): Expression {
  switch (node.kind) {
    case 'int-literal':
    case 'double-literal':
    case 'boolean-literal':
    case 'string-literal':
    case 'null-literal':
      return checkLiteral(fc, node, expected);
    case 'template':
      return checkTemplate(fc, node);
    case 'name':
      return checkName(fc, node);
    case 'array-literal':
      return expected?.kind === 'json' ? checkJsonArray(fc, node) : checkArrayLiteral(fc, node, expected);
    case 'object-literal':
      return expected?.kind === 'json' ? checkJsonObject(fc, node) : checkStructLiteral(fc, node, expected);
    case 'member':
      return checkMember(fc, node);
    case 'index':
      return checkIndex(fc, node);
    case 'call':
      return checkCall(fc, node);
    case 'unary':
      return checkUnary(fc, node);
    case 'update':
      return checkUpdate(fc, node);
    case 'cast':
      return checkCast(fc, node);
    case 'binary':
      return checkBinary(fc, node);
    case 'conditional':
      return checkConditional(fc, node, expected);
    case 'new-array':
      return checkNewArray(fc, node);
    case 'invalid-expression':
      return checkInvalid(fc, node);
  }
}
