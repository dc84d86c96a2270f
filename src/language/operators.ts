// Operators on existing types, one row each: what the checker accepts and what the emitter writes.
// Widening int to double is not a row: the checker converts the int operand and takes the double row.
// `&&`, `||`, `?:` and the null tests are nodes of their own, and references compare by identity.

import { instruction, intrinsic, prelude, throwingIntrinsic } from './implementation.ts';
import type { Implementation } from './implementation.ts';
import { booleanType, doubleType, intType, jsonType, stringType } from './types.ts';
import type { Type } from './types.ts';

export interface Operator {
  /** Unique; the typed tree names operators by it. */
  readonly id: string;
  readonly symbol: string;
  readonly operands: readonly Type[];
  readonly result: Type;
  readonly implementation: Implementation;
  readonly effects: OperatorEffects;
}

/** What an operator does besides computing its result; the rows of the library say the same of functions. */
export interface OperatorEffects {
  /** It reads the contents of its operands. */
  readonly reads: boolean;
  /** It may raise an error, besides those of limits. */
  readonly throws: boolean;
  /** It may allocate. */
  readonly allocates: boolean;
  /** Its time grows with the size of its operands, and it is charged for that. */
  readonly charges: boolean;
}

const pure: OperatorEffects = { reads: false, throws: false, allocates: false, charges: false };
/** Division raises an error for a divisor of zero. */
const failing: OperatorEffects = { ...pure, throws: true };
/** Concatenation raises an error if the text would be longer than texts may be. */
const joining: OperatorEffects = { reads: false, throws: true, allocates: true, charges: true };
/** Comparing texts flattens them first, which may allocate. */
const comparing: OperatorEffects = { reads: false, throws: false, allocates: true, charges: true };
/** Comparing json walks through both values and raises an error if they nest too deep. */
const comparingJson: OperatorEffects = { reads: true, throws: true, allocates: true, charges: true };

function row(
  symbol: string,
  operands: readonly Type[],
  result: Type,
  implementation: Implementation,
  effects: OperatorEffects = pure,
): Operator {
  const id = `${symbol}(${operands.map((type) => type.kind).join(',')})`;
  return { id, symbol, operands, result, implementation, effects };
}

const ints = [intType, intType];
const doubles = [doubleType, doubleType];
const booleans = [booleanType, booleanType];
const strings = [stringType, stringType];

export const operators: readonly Operator[] = [
  row('+', ints, intType, instruction('i64.add')),
  row('-', ints, intType, instruction('i64.sub')),
  row('*', ints, intType, instruction('i64.mul')),
  row('/', ints, intType, throwingIntrinsic('int.divide'), failing),
  row('%', ints, intType, throwingIntrinsic('int.remainder'), failing),
  row('&', ints, intType, instruction('i64.and')),
  row('|', ints, intType, instruction('i64.or')),
  row('^', ints, intType, instruction('i64.xor')),
  // wasm takes shift counts modulo 64, as the language does.
  row('<<', ints, intType, instruction('i64.shl')),
  row('>>', ints, intType, instruction('i64.shr_s')),
  row('>>>', ints, intType, instruction('i64.shr_u')),
  row('<', ints, booleanType, instruction('i64.lt_s')),
  row('<=', ints, booleanType, instruction('i64.le_s')),
  row('>', ints, booleanType, instruction('i64.gt_s')),
  row('>=', ints, booleanType, instruction('i64.ge_s')),
  row('==', ints, booleanType, instruction('i64.eq')),
  row('!=', ints, booleanType, instruction('i64.ne')),
  row('-', [intType], intType, intrinsic('int.negate')),
  row('~', [intType], intType, intrinsic('int.complement')),

  row('+', doubles, doubleType, instruction('f64.add')),
  row('-', doubles, doubleType, instruction('f64.sub')),
  row('*', doubles, doubleType, instruction('f64.mul')),
  row('/', doubles, doubleType, instruction('f64.div')),
  row('%', doubles, doubleType, prelude('remainderOfDoubles')),
  row('<', doubles, booleanType, instruction('f64.lt')),
  row('<=', doubles, booleanType, instruction('f64.le')),
  row('>', doubles, booleanType, instruction('f64.gt')),
  row('>=', doubles, booleanType, instruction('f64.ge')),
  row('==', doubles, booleanType, instruction('f64.eq')),
  row('!=', doubles, booleanType, instruction('f64.ne')),
  row('-', [doubleType], doubleType, instruction('f64.neg')),

  row('&', booleans, booleanType, instruction('i32.and')),
  row('|', booleans, booleanType, instruction('i32.or')),
  row('^', booleans, booleanType, instruction('i32.xor')),
  row('==', booleans, booleanType, instruction('i32.eq')),
  row('!=', booleans, booleanType, instruction('i32.ne')),
  row('!', [booleanType], booleanType, instruction('i32.eqz')),

  row('+', strings, stringType, prelude('concatTexts'), joining),
  row('==', strings, booleanType, prelude('textsAreEqual'), comparing),
  row('!=', strings, booleanType, prelude('textsDiffer'), comparing),
  row('<', strings, booleanType, prelude('textIsBefore'), comparing),
  row('<=', strings, booleanType, prelude('textIsNotAfter'), comparing),
  row('>', strings, booleanType, prelude('textIsAfter'), comparing),
  row('>=', strings, booleanType, prelude('textIsNotBefore'), comparing),

  row('==', [jsonType, jsonType], booleanType, prelude('jsonEquals'), comparingJson),
  row('!=', [jsonType, jsonType], booleanType, prelude('jsonDiffers'), comparingJson),
];

const byId: ReadonlyMap<string, Operator> = new Map(operators.map((operator) => [operator.id, operator]));

/** The operator of an id; undefined for a text that is no id. */
export function lookUpOperator(id: string): Operator | undefined {
  return byId.get(id);
}

/** The operator of an id from the typed tree, which always exists. */
export function operatorById(id: string): Operator {
  const operator = lookUpOperator(id);
  if (operator === undefined) throw new Error(`no operator ${id}`);
  return operator;
}

/** The operator for exactly these operand kinds, without widening. */
export function findOperator(symbol: string, operands: readonly Type[]): Operator | undefined {
  return byId.get(`${symbol}(${operands.map((type) => type.kind).join(',')})`);
}

export const assignmentOperators = ['=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>=', '>>>='] as const;
export type AssignmentOperator = (typeof assignmentOperators)[number];
