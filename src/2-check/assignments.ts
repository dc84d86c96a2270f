// Assignments, compound assignments, `++` and `--`. A compound one becomes a read, an operator and a
// write of the same place, whose object and index are evaluated once.

import type { Assignment, Expression as Syntax } from '../1-parse/syntax-tree.ts';
import { isNumeric } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import type { Span } from '../source.ts';
import { checkElementPlace } from './arrays.ts';
import { checkAnyValue, checkValue, convert } from './conversions.ts';
import type { FunctionChecker } from './function-checker.ts';
import { checkFieldPlace } from './members.ts';
import { doubleConstant, hold, intConstant, invalid, isConstant, readVariable, sequence, writeVariable } from './nodes.ts';
import { combine, reportOperator } from './operators.ts';
import type { Expression, Statement } from './typed-tree.ts';
import { findVariable } from './variables.ts';
import { setsLocal } from './walk.ts';
import { purpose } from './wording.ts';
import type { Purpose } from './wording.ts';

/** Something that can be assigned to: how it is read and written. */
interface Place {
  readonly type: Type;
  readonly wanted: Purpose;
  /** A place to be used twice, its object and index held where they could change; `value` is what is evaluated between. */
  readonly twice: (value: Expression | null) => { readonly setup: readonly Statement[]; readonly read: Expression; readonly write: (value: Expression, span: Span) => Statement };
  readonly write: (value: Expression, span: Span) => Statement;
}

/** `place = value;` The place's object and index are evaluated first, then the value. */
export function checkAssignment(fc: FunctionChecker, node: Assignment): Statement[] {
  const isPlain = node.operator === '=';
  const place = checkPlace(fc, node.target, !isPlain);
  if (place === null) {
    fc.checkExpression(node.value, { kind: 'invalid' });
    return [];
  }
  if (isPlain) return [place.write(checkValue(fc, node.value, place.type, place.wanted), node.span)];
  return checkCompound(fc, node, place);
}

/** `a[i] += v` is `a[i] = a[i] + v`: a, i, the old value, v, in this order. */
function checkCompound(fc: FunctionChecker, node: Assignment, place: Place): Statement[] {
  const operand = checkAnyValue(fc, node.value);
  const { setup, read, write } = place.twice(operand);
  const symbol = node.operator.slice(0, -1);
  const result = combine(fc, symbol, read, operand, node.operatorSpan, node.span);
  return [...setup, write(convert(fc, result, place.type, place.wanted), node.span)];
}

/** `x++` as a statement of its own: nobody wants the old value. */
export function checkUpdateStatement(fc: FunctionChecker, node: Syntax & { readonly kind: 'update' }): Statement[] {
  const place = checkPlace(fc, node.operand, true);
  if (place === null) return [];
  const { setup, read, write } = place.twice(null);
  const next = step(fc, node, read);
  return next === null ? [] : [...setup, write(next, node.span)];
}

/** `x++` has the old value, `++x` the new one. Both take ints and doubles. */
export function checkUpdate(fc: FunctionChecker, node: Syntax & { readonly kind: 'update' }): Expression {
  const place = checkPlace(fc, node.operand, true);
  if (place === null) return invalid(node.span);
  const { setup, read, write } = place.twice(null);
  const value = node.prefix ? step(fc, node, read) : read;
  if (value === null || value.type.kind === 'invalid') return invalid(node.span);
  const held = hold(fc, 'value', value);
  const next = node.prefix ? held.get : step(fc, node, held.get);
  if (next === null) return invalid(node.span);
  return { ...sequence([...setup, held.set, write(next, node.span)], held.get), span: node.span };
}

/** The value one further on. */
function step(fc: FunctionChecker, node: Syntax & { readonly kind: 'update' }, value: Expression): Expression | null {
  if (value.type.kind === 'invalid') return null;
  if (!isNumeric(value.type)) {
    reportOperator(fc, node.operator, [value], node.span, node.span);
    return null;
  }
  const one = value.type.kind === 'int' ? intConstant(1n, node.span) : doubleConstant(1, node.span);
  return combine(fc, node.operator === '++' ? '+' : '-', value, one, node.span, node.span);
}

/** On the left stands a variable that is not constant, a field, or an element of an array. */
function checkPlace(fc: FunctionChecker, target: Syntax, isRead: boolean): Place | null {
  switch (target.kind) {
    case 'name':
      return checkVariablePlace(fc, target, isRead);
    case 'member': {
      const place = checkFieldPlace(fc, target);
      if (place === null) return null;
      const { object, struct, field, type, wanted } = place;
      const write = (on: Expression) => (value: Expression, span: Span): Statement => ({ kind: 'set-field', object: on, struct, field, value, span });
      return {
        type,
        wanted,
        write: write(object),
        twice: (value) => {
          const kept = keep(fc, 'object', object, [value]);
          return { setup: kept.setup, read: { kind: 'get-field', object: kept.read, struct, field, type, span: target.span }, write: write(kept.read) };
        },
      };
    }
    case 'index': {
      const place = checkElementPlace(fc, target);
      if (place === null) return null;
      const { array, index, type, wanted } = place;
      const write = (on: Expression, at: Expression) => (value: Expression, span: Span): Statement => ({ kind: 'set-element', array: on, index: at, value, span });
      return {
        type,
        wanted,
        write: write(array, index),
        twice: (value) => {
          const keptArray = keep(fc, 'array', array, [index, value]);
          const keptIndex = keep(fc, 'index', index, [value]);
          const read: Expression = { kind: 'get-element', array: keptArray.read, index: keptIndex.read, checked: true, type, span: target.span };
          return { setup: [...keptArray.setup, ...keptIndex.setup], read, write: write(keptArray.read, keptIndex.read) };
        },
      };
    }
    default: {
      const value = target.kind === 'invalid-expression' ? invalid(target.span) : fc.checkExpression(target, null);
      if (value.type.kind !== 'invalid') fc.report('notAssignable', target.span, { what: describeTarget(target) });
      return null;
    }
  }
}

function describeTarget(target: Syntax): string {
  if (target.kind === 'call') return 'the result of a call';
  return /literal|template/.test(target.kind) ? 'a literal' : 'the result of an operator';
}

function checkVariablePlace(fc: FunctionChecker, target: Syntax & { readonly kind: 'name' }, isRead: boolean): Place | null {
  const variable = findVariable(fc, target);
  if (variable === null) return null;
  if (isRead) variable.wasRead = true;
  const { name, type, declared } = variable;
  if (variable.constant) {
    fc.report('assignedConstant', target.span, { name }, { labels: [{ span: declared, text: 'declared as constant here' }] });
    return null;
  }
  const write = (value: Expression, span: Span): Statement => writeVariable(variable, value, span);
  return {
    type,
    wanted: purpose(`'${name}' is`, type, [{ span: declared, text: 'declared here' }]),
    write,
    twice: () => ({ setup: [], read: type.kind === 'invalid' ? invalid(target.span) : readVariable(variable, target.span), write }),
  };
}

/** Holds a value in a temporary, unless reading it again gives the same in spite of what is evaluated between. */
function keep(fc: FunctionChecker, name: string, value: Expression, between: readonly (Expression | null)[]): { readonly setup: readonly Statement[]; readonly read: Expression } {
  const isStill = isConstant(value) || (value.kind === 'get-local' && !setsLocal(between, value.local));
  if (isStill || value.type.kind === 'invalid') return { setup: [], read: value };
  const held = hold(fc, name, value);
  return { setup: [held.set], read: held.get };
}
