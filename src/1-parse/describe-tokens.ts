// What stands in a place and what could have, in the words of messages.

import type { IntervalSet, Token } from 'antlr4ng';
import { SluiceParser as P } from './generated/SluiceParser.ts';
import { shorten } from './mended-tokens.ts';
import { operandEnds, primitives } from './token-classes.ts';

export function describeToken(token: Token): string {
  return token.type === P.TEMPLATE_TEXT ? 'text' : `'${shorten(token.text ?? '')}'`;
}

const expressionStarts = [P.INT_LITERAL, P.STRING_LITERAL, P.LPAREN];

/** The expected tokens in words: few by name, many by what they begin. */
export function describeExpected(expected: IntervalSet): string {
  const begins = (types: readonly number[]): boolean => types.every((type) => expected.contains(type));
  if (begins([...expressionStarts, P.WHILE])) return 'a statement';
  if (begins(expressionStarts)) return 'an expression';
  if (begins([P.INT, P.NAME])) return expected.contains(P.WHILE) ? 'a name' : 'a type';
  if (expected.contains(P.NAME)) return 'a name';
  const names = expected
    .toArray()
    .map((type) => (type === P.STRING_LITERAL ? 'a text in double quotes' : (P.literalNames[type] ?? '')))
    .filter((name) => name !== '');
  if (names.length > 0 && names.length <= 4) return names.join(names.length === 2 ? ' or ' : ', ');
  return expected.contains(P.SEMICOLON) ? "an operator or ';'" : 'something else';
}

/** What could follow a token, where more is not known than which sign would be the end. */
export function describeNext(before: Token | null, found: Token, end: string, rule: number): string {
  if (before === null) return 'a statement';
  if (primitives.has(before.type) || before.type === P.DOT || rule === P.RULE_parameter) return 'a name';
  if (before.type === P.BREAK || before.type === P.CONTINUE) return "';'";
  if (!operandEnds.has(before.type)) return 'an expression';
  if (end !== ')' && end !== ']') return "an operator or ';'";
  return found.type === P.COMMA ? `an operator or '${end}'` : `an operator, ',' or '${end}'`;
}
