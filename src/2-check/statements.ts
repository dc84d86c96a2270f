// Dispatch on the kind of a statement: every node is checked here or in the file of its topic.

import type { Expression as Syntax, Statement as StatementSyntax } from '../1-parse/syntax-tree.ts';
import { checkIf } from './branches.ts';
import { checkCall } from './calls.ts';
import { isInvalid } from './checker.ts';
import type { FunctionChecker } from './checker.ts';
import { checkThrow, checkTry } from './errors.ts';
import { checkBody } from './bodies.ts';
import { checkExpression } from './expressions.ts';
import { checkBreak, checkContinue, checkDoWhile, checkFor, checkForeach, checkWhile } from './loops.ts';
import { checkReturn, checkYield } from './streaming.ts';
import type { Statement } from './typed-tree.ts';
import { checkBroken } from './unread.ts';
import { checkAssignment, checkUpdateStatement, checkVariables } from './variables.ts';

export function checkStatement(fc: FunctionChecker, node: StatementSyntax): Statement[] {
  switch (node.kind) {
    case 'variable-declaration':
      return checkVariables(fc, node);
    case 'assignment':
      return checkAssignment(fc, node);
    case 'if':
      return checkIf(fc, node);
    case 'while':
      return checkWhile(fc, node);
    case 'do-while':
      return checkDoWhile(fc, node);
    case 'for':
      return checkFor(fc, node);
    case 'foreach':
      return checkForeach(fc, node);
    case 'break':
      return checkBreak(fc, node.span);
    case 'continue':
      return checkContinue(fc, node.span);
    case 'return':
      return checkReturn(fc, node);
    case 'yield':
      return checkYield(fc, node);
    case 'throw':
      return checkThrow(fc, node);
    case 'try':
      return checkTry(fc, node);
    case 'expression-statement':
      return checkExpressionStatement(fc, node.expression);
    case 'block': {
      const statements = checkBody(fc, node);
      return statements.length === 0 ? [] : [{ kind: 'block', statements, span: node.span }];
    }
    case 'empty':
      return [];
    case 'broken':
      return checkBroken(fc, node);
  }
}

/** Any expression may be a statement; one that does nothing is warned of. */
function checkExpressionStatement(fc: FunctionChecker, node: Syntax): Statement[] {
  if (node.kind === 'update') return checkUpdateStatement(fc, node);
  const expression = node.kind === 'call' ? checkCall(fc, node, true) : checkExpression(fc, node, null);
  fc.checker.notes?.type(node, expression.type);
  if (isInvalid(expression)) return [];
  if (!hasEffect(node)) fc.checker.warn('noEffect', node.span, {});
  return [{ kind: 'evaluate', expression, span: node.span }];
}

function hasEffect(node: Syntax): boolean {
  switch (node.kind) {
    case 'call':
    case 'update':
    case 'invalid-expression':
      return true;
    case 'int-literal':
    case 'double-literal':
    case 'boolean-literal':
    case 'null-literal':
    case 'string-literal':
    case 'name':
      return false;
    case 'template':
      return node.expressions.some(hasEffect);
    case 'array-literal':
      return node.elements.some(hasEffect);
    case 'object-literal':
      return node.entries.some(({ value }) => hasEffect(value));
    case 'member':
      return hasEffect(node.object);
    case 'index':
      return hasEffect(node.object) || hasEffect(node.index);
    case 'unary':
    case 'cast':
      return hasEffect(node.operand);
    case 'binary': {
      let left: Syntax = node;
      for (; left.kind === 'binary'; left = left.left) if (hasEffect(left.right)) return true;
      return hasEffect(left);
    }
    case 'conditional':
      return hasEffect(node.condition) || hasEffect(node.then) || hasEffect(node.otherwise);
    case 'new-array':
      return node.lengths.some(hasEffect);
  }
}
