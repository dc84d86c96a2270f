// The types of expressions, and what they name.

import { liveOutsOf } from '../re-entry.ts';
import type { Call, Expression, LibraryCall, StructLiteral } from '../mir.ts';
import { operandsOf } from '../children.ts';
import {
  arrayOf,
  booleanType,
  doubleType,
  formatType,
  intType,
  isNullable,
  isNumeric,
  jsonType,
  stringType,
  substitute,
  sameType,
} from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import { lookUpOperator } from '../../language/operators.ts';
import type { FunctionVerifier } from './function-verifier.ts';
import { isSame, parameterTypes } from './function-verifier.ts';
import { guardOf } from './guards.ts';
import { verifyGetHoisted } from './hoisted.ts';
import { verifyScratch } from './scratch.ts';
import { isNeverNullText, verifyBuildText, verifyBuilt } from './texts.ts';

export function verifyExpression(v: FunctionVerifier, node: Expression): void {
  if (node.kind === 'sequence') {
    v.statements(node.statements);
    v.expression(node.value);
  } else if (node.kind === 'conditional') {
    v.expression(node.condition);
    v.behind(guardOf(node.condition), () => v.expression(node.then));
    v.expression(node.otherwise);
  } else for (const operand of operandsOf(node)) v.expression(operand);
  verifyNode(v, node);
}

/** The node itself; what is in it has been looked at. */
function verifyNode(v: FunctionVerifier, node: Expression): void {
  switch (node.kind) {
    case 'int':
      if (BigInt.asIntN(64, node.value) !== node.value) v.fault(node, 'the int has more than 64 bits');
      return v.is(node, intType);
    case 'double':
      return v.is(node, doubleType);
    case 'boolean':
      return v.is(node, booleanType);
    case 'string':
      return v.is(node, stringType);
    case 'null':
      if (!isNullable(node.type)) v.fault(node, `no ${formatType(node.type)} is null`);
      return;
    case 'get-local': {
      const type = v.localType(node, node.local);
      if (type !== null) v.is(node, type);
      if (node.nonNull === true && !isNullable(node.type)) v.fault(node, `${formatType(node.type)} is never null`);
      return;
    }
    case 'get-global': {
      const global = v.program.globals.get(node.global);
      return global === undefined ? v.fault(node, `there is no global ${node.global}`) : v.is(node, global.type);
    }
    case 'get-field': {
      const type = fieldType(v, node, node.struct, node.field);
      verifyObject(v, node, node.object, node.struct);
      return type === null ? undefined : v.is(node, type);
    }
    case 'get-element':
      v.takes(node, 'the index', node.index, intType);
      if (node.array.type.kind !== 'array') return v.fault(node, 'what is indexed is no array');
      if (!node.checked && node.asserted !== true && !v.isBehind(({ isLength, locals }) => isLength || locals.size > 0))
        v.fault(node, 'nothing has compared an index with the length, and none is checked');
      return v.is(node, node.array.type.element);
    case 'get-hoisted':
      return verifyGetHoisted(v, node);
    case 'in-range':
      v.takes(node, 'the index', node.index, intType);
      v.takes(node, 'the length', node.length, intType);
      return v.is(node, booleanType);
    case 'out-of-fuel':
      if (v.fn.holdsFuel !== true) v.fault(node, 'the function holds no fuel');
      return v.is(node, booleanType);
    case 'in-bounds':
      v.takes(node, 'the index', node.index, intType);
      if (node.elements.type.kind !== 'elements' && node.elements.type.kind !== 'codeUnits')
        v.fault(node, 'there are no raw elements');
      return v.is(node, booleanType);
    case 'wrap32':
      v.takes(node, 'the operand', node.operand, intType);
      return v.is(node, intType);
    case 'operate':
      return verifyOperation(v, node);
    case 'logical':
      return verifyLogical(v, node);
    case 'conditional':
      v.takes(node, 'the condition', node.condition, booleanType);
      v.takesAny(node, 'a branch', node.then);
      v.takes(node, 'the first branch', node.then, node.type);
      return v.takes(node, 'the second branch', node.otherwise, node.type);
    case 'select':
      v.takes(node, 'the condition', node.condition, booleanType);
      v.takes(node, 'the first value', node.then, node.type);
      if (!isSelectable(node.type)) v.fault(node, `a ${formatType(node.type)} is selected without a branch`);
      return v.takes(node, 'the second value', node.otherwise, node.type);
    case 'load':
    case 'reserve-scratch':
    case 'row-length':
    case 'distinct-rows':
    case 'splat':
    case 'extract-lane':
    case 'lane-wise':
      return verifyScratch(v, node);
    case 'widen':
      v.takes(node, 'the operand', node.operand, intType);
      return v.is(node, doubleType);
    case 'check-null':
      if (!isNullable(node.operand.type)) v.fault(node, `${formatType(node.operand.type)} is never null`);
      return v.is(node, node.operand.type);
    case 'is-null':
      if (!isNullable(node.operand.type)) v.fault(node, `${formatType(node.operand.type)} is never null`);
      return v.is(node, booleanType);
    case 'same-object':
      if (!['struct', 'array', 'elements'].includes(node.left.type.kind)) v.fault(node, 'there are no objects');
      // Arrays whose elements lie in memory in two ways may be compared: they are never one.
      if (!sameType(node.left.type, node.right.type)) v.takes(node, 'the second object', node.right, node.left.type);
      return v.is(node, booleanType);
    case 'call':
      return verifyCall(v, node);
    case 'library-call':
      return verifyLibraryCall(v, node);
    case 'array-literal': {
      const { type } = node;
      if (type.kind !== 'array') return v.fault(node, 'the node is no array');
      return node.elements.forEach((element) => v.takes(node, 'an element', element, type.element));
    }
    case 'struct-literal':
      return verifyStructLiteral(v, node);
    case 'new-array': {
      let inner: Type = node.type;
      for (const length of node.lengths) {
        v.takes(node, 'a length', length, intType);
        if (inner.kind !== 'array') return v.fault(node, 'there are more lengths than dimensions');
        inner = inner.element;
      }
      return node.lengths.length === 0 ? v.fault(node, 'there is no length') : undefined;
    }
    case 'to-text':
      v.takesAny(node, 'the operand', node.operand);
      return v.is(node, stringType);
    case 'character':
      v.takes(node, 'the code point', node.operand, intType);
      return v.is(node, stringType);
    case 'concat':
      return verifyConcat(v, node);
    case 'build-text':
      return verifyBuildText(v, node);
    case 'built-text':
    case 'built-length':
      return verifyBuilt(v, node);
    case 'to-json':
      v.takesAny(node, 'the operand', node.operand);
      return v.is(node, jsonType);
    case 'json-object': {
      const keys = new Set(node.members.map(({ key }) => key));
      if (keys.size < node.members.length) v.fault(node, 'a key is there twice');
      for (const { value } of node.members) v.takes(node, 'a member', value, jsonType);
      return v.is(node, jsonType);
    }
    case 'json-array':
      for (const element of node.elements) v.takes(node, 'an element', element, jsonType);
      return v.is(node, jsonType);
    case 'get-member':
      v.takes(node, 'what has members', node.json, jsonType);
      v.takes(node, 'the key', node.key, stringType);
      return v.is(node, jsonType);
    case 'get-item':
      v.takes(node, 'what has items', node.json, jsonType);
      v.takes(node, 'the index', node.index, intType);
      return v.is(node, jsonType);
    case 'item-count':
      v.takes(node, 'what has items', node.json, jsonType);
      return v.is(node, intType);
    case 'cast':
      v.takes(node, 'the operand', node.operand, jsonType);
      return node.type.kind === 'void' ? v.fault(node, 'nothing is cast to void') : undefined;
    case 'sequence':
      if (node.statements.length === 0) v.fault(node, 'there are no statements');
      return v.takes(node, 'the value', node.value, node.type);
  }
}

function isSelectable({ kind }: Type): boolean {
  return kind === 'int' || kind === 'double' || kind === 'boolean';
}

function verifyOperation(v: FunctionVerifier, node: Expression & { readonly kind: 'operate' }): void {
  const operator = lookUpOperator(node.operator);
  if (operator === undefined) return v.fault(node, `there is no operator ${node.operator}`);
  if (operator.operands.length !== node.operands.length)
    return v.fault(node, `${node.operator} has ${node.operands.length} operands`);
  operator.operands.forEach((type, index) => v.takes(node, `operand ${index + 1}`, node.operands[index]!, type));
  v.is(node, operator.result);
}

function verifyLogical(v: FunctionVerifier, node: Expression & { readonly kind: 'logical' }): void {
  const { operator, operands } = node;
  if (operands.length < 2) v.fault(node, `${operator} has fewer than two operands`);
  for (const operand of operands) {
    if (operand.kind === 'logical' && operand.operator === operator)
      v.fault(node, `an operand of ${operator} is one itself`);
    v.takes(node, 'an operand', operand, booleanType);
  }
  v.is(node, booleanType);
}

function verifyConcat(v: FunctionVerifier, node: Expression & { readonly kind: 'concat' }): void {
  if (node.parts.length < 2) v.fault(node, 'fewer than two texts are joined');
  for (const part of node.parts) {
    if (part.kind === 'concat') v.fault(node, 'a text that is joined is joined itself');
    else if (!isNeverNullText(part)) v.fault(node, 'a text that is joined may be null');
    v.takes(node, 'a text', part, stringType);
  }
  v.is(node, stringType);
}

function verifyCall(v: FunctionVerifier, node: Call): void {
  const fn = v.program.functions.get(node.function);
  if (fn === undefined) return v.fault(node, `there is no function ${node.function}`);
  if (liveOutsOf(fn) !== null) v.fault(node, 'an outlined loop is called as a function');
  if (fn.generic !== (node.typeArgument !== null)) v.fault(node, 'what stands for T is missing, or there is no T');
  const types = parameterTypes(fn).map((type) => substitute(type, node.typeArgument));
  verifyArguments(v, node, types, substitute(fn.returns, node.typeArgument));
}

function verifyLibraryCall(v: FunctionVerifier, node: LibraryCall): void {
  const row = v.program.registry.find(node.function);
  if (row === undefined) return v.fault(node, `there is no library function ${node.function}`);
  const passed = row.parameters.filter(({ isType }) => !isType).map(({ type }) => type);
  // Where the row names an array of numbers, it may be one that lies in memory in another way.
  const isOfNumbers = row.receiver?.kind === 'array' && isNumeric(row.receiver.element);
  const receiver = isOfNumbers && node.typeArgument !== null ? arrayOf(node.typeArgument) : row.receiver;
  const types = [...(receiver === null ? [] : [receiver]), ...passed].map((type) =>
    substitute(type, node.typeArgument),
  );
  verifyArguments(v, node, types, substitute(row.returns, node.typeArgument));
}

function verifyArguments(v: FunctionVerifier, node: Call | LibraryCall, types: readonly Type[], returns: Type): void {
  if (types.length !== node.arguments.length)
    return v.fault(node, `it takes ${types.length} arguments, not ${node.arguments.length}`);
  types.forEach((type, index) => v.takes(node, `argument ${index + 1}`, node.arguments[index]!, type));
  v.is(node, returns);
}

function verifyStructLiteral(v: FunctionVerifier, node: StructLiteral): void {
  const struct = v.program.structs.get(node.struct);
  if (struct === undefined) return v.fault(node, `there is no struct ${node.struct}`);
  if (node.type.kind !== 'struct' || node.type.id !== node.struct) v.fault(node, `the node is no ${node.struct}`);
  const given = new Set(node.fields.map(({ field }) => field));
  if (node.fields.length !== struct.fields.length || given.size !== struct.fields.length)
    v.fault(node, 'a field is missing, or there twice');
  for (const { field, value } of node.fields) {
    const type = fieldType(v, node, node.struct, field);
    if (type !== null) v.takes(node, `field ${field}`, value, type);
  }
}

/** Null, and a fault, where there is no such field. */
export function fieldType(
  v: FunctionVerifier,
  node: Parameters<FunctionVerifier['fault']>[0],
  struct: string,
  field: number,
): Type | null {
  const found = v.program.structs.get(struct)?.fields[field];
  if (found === undefined) v.fault(node, `there is no field ${field} of ${struct}`);
  return found?.type ?? null;
}

export function verifyObject(
  v: FunctionVerifier,
  node: Parameters<FunctionVerifier['fault']>[0] & object,
  object: Expression,
  struct: string,
): void {
  if (object.type.kind !== 'struct' || !isSame(object.type, { ...object.type, id: struct }))
    v.fault(node, `the object is of the type ${formatType(object.type)}, not ${struct}`);
}
