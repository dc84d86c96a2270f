// Calls of library functions, of namespaces and behind a value, those that take the name of a type among them.

import type { Expression as Syntax } from '../1-parse/syntax-tree.ts';
import {
  booleanType,
  doubleType,
  intType,
  invalidType,
  mentionsVariable,
  stringType,
  structType,
  substitute,
} from '../language/types.ts';
import type { Type } from '../language/types.ts';
import type { LibraryFunction } from '../library/declare.ts';
import type { Span } from '../source.ts';
import { argumentAdvice } from './argument-advice.ts';
import { checkLoosely, countText, inferType, noteCall } from './call-arguments.ts';
import type { CallNode } from './call-arguments.ts';
import { invalid, isInvalid } from './checker.ts';
import type { FunctionChecker } from './checker.ts';
import { checkAs, checkValue, convert } from './conversions.ts';
import { findImport } from './imports.ts';
import { checkJsonValue } from './json.ts';
import type { Expression } from './typed-tree.ts';

export function checkLibraryCall(
  fc: FunctionChecker,
  row: LibraryFunction,
  receiver: Expression | null,
  typeArgument: Type | null,
  node: CallNode,
): Expression {
  if (fc.checker.notes !== null) noteCall(fc, node, { kind: 'library', row, typeArgument }, receiver);
  const required = row.parameters.filter(({ initialiser }) => initialiser === null).length;
  if (node.arguments.length < required || node.arguments.length > row.parameters.length) {
    checkLoosely(fc, node);
    return fc.fail(
      'argumentCount',
      node.span,
      { name: row.name, expected: countText(required, row.parameters.length), found: node.arguments.length },
      argumentAdvice(row, node),
    );
  }
  const named = row.parameters.findIndex(({ isType }) => isType);
  if (named >= 0) return checkTypedCall(fc, row, receiver, named, node);
  // A generic function of the prelude takes its type from its arguments.
  const values =
    typeArgument === null && row.parameters.some(({ type }) => mentionsVariable(type))
      ? node.arguments.map((argument) => checkValue(fc, argument))
      : null;
  const found =
    values === null
      ? typeArgument
      : inferType(
          row.parameters.map(({ type }) => type),
          values,
        );
  const operands = row.parameters.map((parameter, index): Expression => {
    const type = substitute(parameter.type, found);
    if (index >= node.arguments.length) return defaultConstant(parameter.initialiser!, type, node.span);
    if (values !== null) return convert(fc, values[index]!, type);
    return takesAnyJson.has(row.id)
      ? checkJsonValue(fc, node.arguments[index]!)
      : checkAs(fc, node.arguments[index]!, type);
  });
  if (found?.kind === 'null') return fc.fail('untypedDefault', node.span, { name: row.name });
  if (operands.some(isInvalid)) return invalid(node.span);
  const all = receiver === null ? operands : [receiver, ...operands];
  return {
    kind: 'library-call',
    function: row.id,
    arguments: all,
    typeArgument: found,
    type: substitute(row.returns, found),
    span: node.span,
  };
}

/** Functions whose json arguments may be any value that json can hold. */
const takesAnyJson: ReadonlySet<string> = new Set(['json.push']);

/** A function that takes the name of a type as an argument. The name is no value and is not passed. */
function checkTypedCall(
  fc: FunctionChecker,
  row: LibraryFunction,
  receiver: Expression | null,
  named: number,
  node: CallNode,
): Expression {
  const found = findStructType(fc, node.arguments[named]!);
  if (found === null) return fc.fail('typeNameExpected', node.arguments[named]!.span, { name: row.name });
  if (found.kind === 'invalid') return invalid(node.span);
  const operands = row.parameters.flatMap(({ type }, index) =>
    index === named ? [] : [checkAs(fc, node.arguments[index]!, substitute(type, found))],
  );
  if (operands.some(isInvalid)) return invalid(node.span);
  const all = receiver === null ? operands : [receiver, ...operands];
  return {
    kind: 'library-call',
    function: row.id,
    arguments: all,
    typeArgument: found,
    type: substitute(row.returns, found),
    span: node.span,
  };
}

/** The struct type that a name stands for. */
function findStructType(fc: FunctionChecker, node: Syntax): Type | null {
  const imported = node.kind === 'member' ? findImport(fc, node.object) : undefined;
  if (imported?.checker === null) return invalidType;
  const owner =
    imported?.checker ??
    (node.kind === 'member' && node.object.kind === 'name' ? fc.checker.pluginTypes(node.object.text) : undefined);
  const struct =
    owner !== undefined && node.kind === 'member'
      ? owner.structs.get(node.member.text)
      : node.kind === 'name' && fc.find(node.text) === undefined
        ? fc.checker.structs.get(node.text)
        : undefined;
  if (struct === undefined) return null;
  fc.checker.notes?.name(node.kind === 'member' ? node.member : node, struct);
  return structType(struct.module, struct.name);
}

/** The default of a library parameter, a literal. */
function defaultConstant(text: string, type: Type, span: Span): Expression {
  if (text === 'null') return { kind: 'null', type, span };
  if (type.kind === 'boolean') return { kind: 'boolean', value: text === 'true', type: booleanType, span };
  if (type.kind === 'string') return { kind: 'string', value: JSON.parse(text) as string, type: stringType, span };
  return type.kind === 'double'
    ? { kind: 'double', value: Number(text), type: doubleType, span }
    : { kind: 'int', value: BigInt(text), type: intType, span };
}
