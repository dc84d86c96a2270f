// Struct literals: every field once, in any order, evaluated as written.

import type { Name, ObjectLiteral } from '../1-parse/syntax-tree.ts';
import { spellingAdvice } from '../diagnostics/fixes.ts';
import { formatType, invalidType } from '../language/types.ts';
import type { StructType, Type } from '../language/types.ts';
import type { FunctionChecker } from './checker.ts';
import { invalid } from './checker.ts';
import { checkAs, checkValue } from './conversions.ts';
import type { StructSymbol } from './symbols.ts';
import type { Expression } from './typed-tree.ts';

/** `{…}` is a struct where one is expected. */
export function checkStructLiteral(fc: FunctionChecker, node: ObjectLiteral, expected: Type | null): Expression {
  if (expected?.kind !== 'struct') {
    // What the values of its fields should be is as unknown, and one message says so.
    for (const entry of node.entries) checkValue(fc, entry.value, invalidType);
    if (expected?.kind === 'invalid') return invalid(node.span);
    return expected === null
      ? fc.fail(
          'literalNeedsType',
          node.span,
          { literal: '{…}' },
          { help: 'Put it into a variable of a struct type or json first: json j = { x: 1.0, y: 2.0 };' },
        )
      : fc.fail('objectNotExpected', node.span, { expected: describe(expected) });
  }
  return checkFields(fc, node, expected, structOf(fc, expected));
}

function describe(type: Type): string {
  return type.kind === 'array' ? `${describe(type.element)}[]` : type.kind;
}

export function structOf(fc: FunctionChecker, type: StructType): StructSymbol {
  return fc.checker.tables.structs.get(type.id)!;
}

/** Notes that a name is that of a field. */
export function noteField(fc: FunctionChecker, struct: StructSymbol, field: number, name: Name): void {
  fc.checker.notes?.name(name, { kind: 'field', struct, ...struct.fields[field]! });
}

function checkFields(fc: FunctionChecker, node: ObjectLiteral, type: StructType, struct: StructSymbol): Expression {
  const fields: { field: number; value: Expression }[] = [];
  let isWhole = true;
  for (const entry of node.entries) {
    const name = entry.key.text;
    const field = struct.fields.findIndex((candidate) => candidate.name === name);
    if (field < 0) {
      const given = node.entries.map(({ key }) => key.text);
      reportUnknownField(fc, struct, name, entry.key.span, given);
      // Its type is unknown where the field is one of those that could not be read.
      if (fc.checker.tables.partialStructs.has(struct.name)) fc.checker.quietly(() => checkValue(fc, entry.value));
      else checkValue(fc, entry.value, invalidType);
      isWhole = false;
      continue;
    }
    noteField(fc, struct, field, entry.key);
    const { type: fieldType, span: declared } = struct.fields[field]!;
    const value = checkAs(fc, entry.value, fieldType, [
      { span: declared, text: `declared as ${formatType(fieldType)}` },
    ]);
    if (fields.some((other) => other.field === field)) {
      const first = node.entries.find(({ key }) => key.text === name)!;
      fc.report(
        'duplicateField',
        entry.key.span,
        { name },
        { labels: [{ span: first.key.span, text: 'first given here' }] },
      );
      isWhole = false;
    } else fields.push({ field, value });
  }
  const missing = struct.fields
    .filter((_, index) => !fields.some(({ field }) => field === index))
    .map(({ name }) => name);
  // A field with a wrong name is missing too, but that name has been reported.
  const misspelled = node.entries.length - fields.length;
  if (missing.length > misspelled) {
    return fc.fail(
      'missingField',
      node.span,
      { struct: struct.name, fields: missing },
      { labels: [{ span: struct.span, text: `${struct.name} is declared here` }] },
    );
  }
  return isWhole ? { kind: 'struct-literal', struct: struct.id, fields, type, span: node.span } : invalid(node.span);
}

/** `taken` are names that are no suggestion, since the literal has them already. */
export function reportUnknownField(
  fc: FunctionChecker,
  struct: StructSymbol,
  name: string,
  span: ObjectLiteral['span'],
  taken: readonly string[] = [],
): void {
  const names = struct.fields.map((field) => field.name);
  const free = names.filter((candidate) => !taken.includes(candidate));
  const advice = spellingAdvice(span, name, free) ?? { help: `Its fields are ${names.join(', ')}.` };
  fc.report(
    'unknownField',
    span,
    { struct: struct.name, field: name },
    { ...advice, labels: [{ span: struct.span, text: `${struct.name} is declared here` }] },
  );
}
