// Numbers, texts, true, false and null.

import type { Expression as Syntax } from '../1-parse/syntax-tree.ts';
import type { ReportOptions } from '../diagnostics/catalog.ts';
import { possibleFix } from '../diagnostics/fixes.ts';
import { booleanType, doubleType, intType, isNullable, nullType, stringType } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import type { Span } from '../source.ts';
import type { FunctionChecker } from './checker.ts';
import type { Expression } from './typed-tree.ts';

type Literal = Extract<
  Syntax,
  { readonly kind: 'int-literal' | 'double-literal' | 'boolean-literal' | 'string-literal' | 'null-literal' }
>;

const largestInt = (1n << 63n) - 1n;

export function checkLiteral(fc: FunctionChecker, node: Literal, expected: Type | null): Expression {
  const { span } = node;
  switch (node.kind) {
    case 'int-literal':
      if (node.value === null || node.value > largestInt) return fc.fail('intTooLarge', span, {}, bitsAdvice(span));
      return { kind: 'int', value: node.value, type: intType, span };
    case 'double-literal':
      if (!Number.isFinite(node.value)) return fc.fail('doubleTooLarge', span, {});
      return { kind: 'double', value: node.value, type: doubleType, span };
    case 'boolean-literal':
      return { kind: 'boolean', value: node.value, type: booleanType, span };
    case 'string-literal':
      warnOfTemplate(fc, span);
      return { kind: 'string', value: node.value, type: stringType, span };
    case 'null-literal':
      return { kind: 'null', type: expected !== null && isNullable(expected) ? expected : nullType, span };
  }
}

/** `0x9E3779B97F4A7C15`: constants of hashes and generators are written as 64 bits without a sign. */
function bitsAdvice(span: Span): ReportOptions {
  const text = span.file.text.slice(span.start, span.end);
  const [, prefix, digits] = /^(0[xb])([\da-f_]+)$/i.exec(text) ?? [];
  const value = prefix === undefined ? 0n : BigInt(prefix + digits!.replaceAll('_', ''));
  if (value <= largestInt || value >> 64n !== 0n) return {};
  const magnitude = ((1n << 64n) - value).toString(prefix!.toLowerCase() === '0x' ? 16 : 2);
  const replacement = `-${prefix}${/[A-F]/.test(text) ? magnitude.toUpperCase() : magnitude}`;
  // Beside these the sign would be a part of something else.
  const isTight = span.file.text[span.start - 1] === '-' || span.file.text[span.end] === '.';
  return {
    help: `As 64 bits with a sign it is ${replacement}.`,
    ...(isTight ? {} : { fix: possibleFix('write the int that has these bits', span, replacement) }),
  };
}

/** `"${x}"` where x is a variable: the quotes were probably to be backticks. */
function warnOfTemplate(fc: FunctionChecker, span: Span): void {
  const text = span.file.text.slice(span.start, span.end);
  if (!text.includes('${')) return;
  const names = [...text.matchAll(/\$\{\s*([A-Za-z_]\w*)[^"{}]*\}/g)].map((match) => match[1]!);
  const variables = names.map((name) => fc.find(name));
  const name = names.find((_, index) => variables[index] !== undefined);
  if (name === undefined) return;
  for (const variable of variables) if (variable !== undefined) variable.used = true;
  const isWhole = names.length === text.split('${').length - 1 && !variables.includes(undefined);
  const template = `\`${text.slice(1, -1).replaceAll('`', '\\`')}\``;
  fc.checker.warn(
    'templateInString',
    span,
    { name },
    isWhole ? { fix: possibleFix('write it in backticks', span, template) } : {},
  );
}

/** The smallest int is written as the negation of a literal that is itself too large. */
export function isSmallestInt(node: Syntax): boolean {
  return node.kind === 'int-literal' && node.value === largestInt + 1n;
}
