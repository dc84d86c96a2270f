// Syntax of other languages whose tokens are valid here while their combination is not: bodies behind a colon, named
// arguments, tuples, spread. These hints come before the general advice of place-hints.ts.

import { SluiceParser as P } from './generated/SluiceParser.ts';
import { is } from './place-situation.ts';
import { primitives } from './token-classes.ts';
import type { Hint, Situation } from './place-situation.ts';

const types = 'Every type is known when the script is compiled; what a json holds is j.kind().';
const order = 'Arguments have no names: give the values alone, in the order of the parameters.';

/** `f(x: 1)`, `f(x = 1)`: a name and a sign behind the `(` or `,` of a call. */
const inCall = ({ before, secondBefore, opener, beforeOpener, rule }: Situation): boolean =>
  rule !== P.RULE_parameter &&
  rule !== P.RULE_parameterList &&
  is(opener, P.LPAREN) &&
  is(beforeOpener, P.NAME) &&
  is(before, P.NAME) &&
  is(secondBefore, P.LPAREN, P.COMMA);

/** `a[i], a[j] = …`, `p.x, p.y = …` */
function isSecondPlace({ found, before, start, statement, opener }: Situation): boolean {
  if (!is(found, P.COMMA) || !is(start, P.NAME) || !is(before, P.RBRACKET, P.NAME) || is(opener, P.LPAREN))
    return false;
  const assigned = statement.find(({ type }) => type === P.ASSIGN);
  return assigned !== undefined && assigned.tokenIndex > found.tokenIndex;
}

/** `s!.length()`, `s!;`: a sign of other languages for what is not null. */
const isNotNullSign = ({ found, before, after }: Situation): boolean =>
  is(found, P.NOT) &&
  is(before, P.NAME, P.RBRACKET, P.RPAREN) &&
  before!.stop + 1 === found.start &&
  is(after, P.DOT, P.LBRACKET, P.SEMICOLON, P.RPAREN, P.COMMA);

/** Words between two operands, in place of an operator. */
const operators: ReadonlyMap<string, string> = new Map([
  ['is', 'Compare with == or !=.'],
  ['mod', 'The remainder is a % b.'],
  ['div', 'Ints are divided with /, which drops the remainder.'],
]);

export const foreignSyntax: readonly Hint[] = [
  {
    when: ({ found, before, after, expected }) =>
      is(found, P.COLON) &&
      is(before, P.RPAREN, P.ELSE, P.TRY) &&
      // `int f(int x): int { … }` has its type in another place.
      !(expected === "'{'" && after !== null && after.line === found.line && primitives.has(after.type)),
    help: 'What belongs to it stands in braces, whatever the indentation: { … }',
  },
  {
    when: (situation) =>
      is(situation.found, P.COLON) &&
      inCall(situation) &&
      situation.after !== null &&
      !primitives.has(situation.after.type),
    help: order,
  },
  { when: (situation) => is(situation.found, P.ASSIGN) && inCall(situation), help: order },
  {
    when: ({ found, before, start }) => is(found, P.LBRACE) && is(before, P.RPAREN) && is(start, P.NAME),
    help: 'A function begins with its return type: int f(int a) { … }',
  },
  {
    when: ({ found, before, after }) => before !== null && found.text === 'is' && primitives.has(after?.type ?? -1),
    help: types,
  },
  {
    when: ({ found, before }) => before !== null && is(found, P.NAME) && operators.has(found.text ?? ''),
    help: ({ found }) => operators.get(found.text!)!,
  },
  {
    when: ({ found, before, opener, rule }) =>
      is(found, P.ELLIPSIS) &&
      rule !== P.RULE_parameter &&
      rule !== P.RULE_parameterList &&
      is(opener, P.LBRACKET, P.LPAREN, P.LBRACE) &&
      is(before, P.LBRACKET, P.LPAREN, P.LBRACE, P.COMMA),
    help: 'Nothing is spread: xs.concat(ys) makes an array of two, and an array may stand for variadic arguments.',
  },
  {
    when: ({ found, before }) => is(found, P.STRING_LITERAL) && /^(?:[rbu]|[rb]{2})$/i.test(before?.text ?? ''),
    help: 'No letter stands in front of a text: write "…", and \\\\ for a backslash.',
  },
  {
    when: ({ found, before, start }) => is(found, P.COMMA) && is(before, P.NAME) && before === start,
    help: 'One variable is assigned at a time: a = 1; b = 2;',
  },
  {
    when: isSecondPlace,
    help: 'One place is assigned at a time; two are swapped by way of a variable: int t = a[i]; a[i] = a[j]; a[j] = t;',
  },
  {
    when: ({ found, opener, beforeOpener }) => is(found, P.COMMA) && is(opener, P.LPAREN) && is(beforeOpener, P.ASSIGN),
    help: 'There are no tuples: several values go into a struct or an array.',
  },
  {
    when: isNotNullSign,
    help: 'Leave the ! out: what is used and null is a NullAccessError anyway.',
    mend: ({ found }) => ({ first: found, last: found, text: '' }),
  },
  {
    when: ({ found, before }) => is(found, P.GT) && is(before, P.LE) && before!.stop + 1 === found.start,
    help: 'Two numbers are compared in two steps: a < b ? -1 : a > b ? 1 : 0; xs.sort() needs none of it.',
  },
  { when: ({ found, after }) => is(found, P.TYPE) && is(after, P.LPAREN), help: types },
  {
    when: ({ found, beforeOpener }) => primitives.has(found.type) && beforeOpener?.text === 'isinstance',
    help: types,
  },
  {
    when: ({ found, after }) => is(found, P.JSON) && is(after, P.DOT),
    help: 'Text is read with Json.parse(text), and written with Json.stringify(value).',
  },
];
