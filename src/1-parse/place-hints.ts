// What people probably meant when something stands where it cannot: a table of situations, of which the
// first that fits has the advice.

import type { Token } from 'antlr4ng';
import { SluiceParser as P } from './generated/SluiceParser.ts';
import { mendImport } from './foreign-imports.ts';
import { foreignSyntax } from './foreign-syntax.ts';
import { is } from './place-situation.ts';
import { assignments, literals, literalStarts, loopWords, primitives } from './token-classes.ts';
import type { Hint, Mending, Situation } from './place-situation.ts';

const headed: ReadonlySet<number> = new Set([P.IF, P.WHILE, P.FOR, P.FOREACH, P.CATCH]);

function isWord(token: Token): boolean {
  return token.type !== P.NAME && /^[a-z]+$/.test(token.text ?? '');
}

/** `k = a[0] = 5`: an assignment in the value of another. */
function isAssignedAgain({ found, statement }: Situation): boolean {
  const isBefore = ({ type, tokenIndex }: Token): boolean => assignments.has(type) && tokenIndex < found.tokenIndex;
  return assignments.has(found.type) && statement.some(isBefore);
}

/** `throw new Error("x");` as `throw "x";` */
function mendThrow([, created, , , message, close, end]: readonly Token[]): Mending | null {
  const isWhole = is(message ?? null, P.STRING_LITERAL) && is(close ?? null, P.RPAREN) && is(end ?? null, P.SEMICOLON);
  return isWhole ? { first: created!, last: close!, text: message!.text! } : null;
}

/** `int[3]` as `new int[3]`. */
function mendNew(found: Token, statement: readonly Token[]): Mending | null {
  const length = statement[statement.indexOf(found) + 2] ?? null;
  return length === null || is(length, P.RBRACKET) ? null : { first: found, last: found, text: `new ${found.text}` };
}

/** Without a blank between them. */
function touches(token: Token | null, next: Token): boolean {
  return token !== null && token.stop + 1 === next.start;
}

/** `1,5`: a comma in the place of the point, and not one between thousands. */
function isDecimalComma({ found, before, secondBefore, start }: Situation): boolean {
  return (
    is(found, P.INT_LITERAL) &&
    is(before, P.COMMA) &&
    is(secondBefore, P.INT_LITERAL) &&
    touches(secondBefore, before!) &&
    touches(before, found) &&
    is(start, P.DOUBLE) &&
    found.text!.length !== 3
  );
}

/** `int a = 1, double b = 2;` */
function isSecondType({ found, before, start, statement, opener }: Situation): boolean {
  const isGeneric = statement.some(({ type, tokenIndex }) => type === P.LT && tokenIndex < found.tokenIndex);
  const declares = start !== null && (primitives.has(start.type) || is(start, P.CONST, P.FOR));
  const isInList = opener !== null && !is(opener, P.LBRACE) && !is(start, P.FOR);
  return primitives.has(found.type) && is(before, P.COMMA) && declares && !isGeneric && !isInList;
}

const comparisons: ReadonlySet<number> = new Set([P.LT, P.LE, P.GT, P.GE, P.EQ, P.NE]);
const ranges = 'There are no ranges: count in a loop, for (int i = 0; i < n; i++) { … }';

const noLabels =
  'Loops have no labels: break and continue are those of the innermost loop. To leave several, put them into a ' +
  'function, and return.';

const generics = 'There are no generic types: a list is T[], such as int[]; what has keys is a type or a json.';

const hints: readonly Hint[] = [
  ...foreignSyntax,
  {
    when: ({ rule, found }) => rule === P.RULE_field && is(found, P.LPAREN),
    help: 'A type has fields and no functions: a function stands beside it, and x.f() calls f(x).',
  },
  {
    when: ({ rule, found, before, secondBefore }) =>
      (rule === P.RULE_parameter || rule === P.RULE_parameterList) &&
      [found, before, secondBefore].some((token) => is(token, P.ELLIPSIS)),
    help: 'A parameter for all arguments that are left is written int ...xs[].',
  },
  {
    when: ({ rule, found }) => rule === P.RULE_field && is(found, P.ASSIGN),
    help: 'A field has no default: every literal gives all fields.',
  },
  {
    when: ({ rule, found }) => rule === P.RULE_field && is(found, P.COMMA),
    help: "Every field has its own type and its own ';'.",
  },
  {
    when: ({ start, found }) => is(start, P.IMPORT) && !is(found, P.IMPORT),
    help: 'A file is imported as import "file.slu" as name;',
    mend: ({ statement }) => mendImport(statement),
  },
  {
    when: ({ found, before, secondBefore, start }) =>
      is(found, P.LPAREN) && is(before, P.NAME) && is(secondBefore, P.NEW) && is(start, P.THROW),
    help: 'An error is a text: throw "message";',
    mend: ({ statement }) => mendThrow(statement),
  },
  {
    when: ({ found, before, secondBefore }) =>
      is(found, P.LPAREN) && before?.text === 'Date' && is(secondBefore, P.NEW),
    help: 'The time is Date.now(), an int: milliseconds since the beginning of 1970.',
  },
  {
    when: ({ found, before, secondBefore }) => is(found, P.LPAREN) && is(before, P.NAME) && is(secondBefore, P.NEW),
    help:
      'There are no constructors: a struct is written Point p = { ' +
      'x: 1.0, y: 2.0 };, an error is thrown as throw "message";',
  },
  {
    when: ({ found, before, opener }) => is(found, P.LPAREN) && is(before, P.NAME) && is(opener, P.LBRACE),
    help: 'If this begins a function: functions stand at the top level, so a } may be missing before it.',
  },
  {
    when: ({ found, before, secondBefore }) => is(found, P.LPAREN) && is(before, P.MAIN) && is(secondBefore, P.EXPORT),
    help: 'The host runs main anyway: leave export away.',
    mend: ({ before, secondBefore }) => ({ first: secondBefore!, last: before!, text: 'main' }),
  },
  {
    when: ({ start, before, found }) => is(start, P.EXPORT) && (is(before, P.EXPORT) || is(found, P.ASSIGN)),
    help: 'export makes a function callable from the host: export int twice(int x) { return 2 * x; }',
  },
  {
    when: ({ found, start }) => is(found, P.LBRACE) && is(start, P.MAIN),
    help: 'A parameter has a type in front of its name: main(int n) { … }',
  },
  {
    when: (situation) => is(situation.found, P.ASSIGN) && is(situation.start, P.CONST) && !isAssignedAgain(situation),
    help: 'const stands in front of a type: const int x = 1;',
  },
  {
    when: ({ found, before }) => is(found, P.CONST) && before !== null && primitives.has(before.type),
    help: 'const stands in front of the type: const int x = 1;',
  },
  {
    when: ({ found, start }) => is(found, P.ASSIGN) && is(start, P.TYPE),
    help: 'A type is declared without =: type Point { double x; double y; }',
  },
  {
    when: ({ rule, found, before, secondBefore }) =>
      before !== null &&
      isWord(found) &&
      (primitives.has(before.type) ||
        (is(before, P.RBRACKET) && is(secondBefore, P.LBRACKET)) ||
        (is(before, P.NAME) && rule === P.RULE_parameter)),
    help: ({ found }) => `'${found.text}' is a word of the language; take another name.`,
  },
  {
    when: ({ rule, found, before }) =>
      (rule === P.RULE_parameter || rule === P.RULE_parameterList) &&
      is(before, P.NAME) &&
      is(found, P.RPAREN, P.COMMA, P.COLON),
    help: 'A parameter has a type in front of its name: int a.',
  },
  {
    when: ({ found, before }) => is(found, P.RBRACKET) && is(before, P.LBRACKET),
    help: 'An array with values is written [1, 2, 3]; new int[10] makes one of a length.',
  },
  {
    when: ({ found, before }) => is(found, P.LBRACKET) && is(before, P.NAME),
    help: 'The brackets belong to the type: int[] xs = new int[10];',
  },
  {
    when: ({ found, before, secondBefore }) =>
      is(found, P.INT_LITERAL, P.NAME) &&
      is(before, P.LBRACKET) &&
      secondBefore !== null &&
      primitives.has(secondBefore.type),
    help: 'The length stands behind new: int[] xs = new int[10];',
  },
  {
    when: ({ found, before, secondBefore }) => is(found, P.LT) && is(before, P.NAME) && is(secondBefore, P.NEW),
    help: generics,
  },
  {
    when: ({ found, before }) => is(found, P.LBRACE) && is(before, P.NAME),
    help: 'A struct literal has no name in front: Point p = { x: 1.0, y: 2.0 };',
  },
  {
    when: ({ found, before, statement }) =>
      is(found, P.LBRACE) && is(before, P.RBRACKET) && statement.some((token) => is(token, P.NEW)),
    help: 'An array with values is written without new: int[] xs = [1, 2, 3];',
  },
  {
    when: ({ found, before, opener }) =>
      is(opener, P.LBRACE) && is(before, P.LBRACE, P.COMMA) && literals.has(found.type),
    help: 'An array is written [1, 2, 3]; braces make a struct or a json object, and its keys are names or texts.',
  },
  {
    when: ({ found, before, opener, beforeOpener }) =>
      is(found, P.ASSIGN) &&
      is(before, P.NAME) &&
      is(opener, P.LBRACE) &&
      is(beforeOpener, P.ASSIGN, P.COLON, P.COMMA, P.RETURN, P.LPAREN),
    help: "In a literal a ':' stands between name and value.",
  },
  {
    when: ({ found, before, start }) => primitives.has(found.type) && is(before, P.LPAREN) && is(start, P.NAME),
    help: 'A function begins with its return type: void f(int a) { … }',
  },
  {
    when: isSecondType,
    help: 'Each declaration has one type: int a = 1; double b = 2;',
  },
  { when: ({ found, before }) => primitives.has(found.type) && is(before, P.LT, P.COMMA), help: generics },
  {
    when: ({ found, after }) => is(found, P.STRING) && is(after, P.DOT),
    help: 'A type has no functions. A template puts values into text: `…${x}…`.',
  },
  {
    when: ({ found, after }) => primitives.has(found.type) && found.type !== P.VOID && is(after, P.LBRACKET),
    help: ({ found }) => `An array of a length is made by new: new ${found.text}[n].`,
    mend: ({ found, statement }) => mendNew(found, statement),
  },
  {
    when: ({ found }) => primitives.has(found.type) && found.type !== P.VOID,
    help: 'A value is converted by a method: x.toInt(), x.toDouble(), x.toString().',
  },
  {
    when: ({ found, before }) => is(found, P.STRING_LITERAL) && before?.text === '""',
    help: 'Text over several lines stands in backticks: `…`',
  },
  {
    when: ({ found, before }) =>
      is(found, P.STRING_LITERAL, P.BACKTICK) && is(before, P.STRING_LITERAL, P.TEMPLATE_END),
    help: 'Two texts are joined with +, or in a template: `…${x}…`.',
  },
  {
    when: ({ found, before }) => is(found, P.STRING_LITERAL, P.BACKTICK) && is(before, P.NAME),
    help: 'A text with values in it is a template in backticks, without a letter in front: `…${x}…`',
  },
  {
    when: ({ found, opener, beforeOpener }) =>
      is(found, P.ASSIGN) && is(opener, P.LPAREN) && is(beforeOpener, P.IF, P.WHILE),
    help: "Comparison is '=='.",
  },
  {
    when: ({ found, opener }) => is(found, P.ASSIGN) && is(opener, P.LPAREN),
    help: "Assignment is a statement, not an expression; comparison is '=='.",
  },
  {
    when: (situation) => isAssignedAgain(situation),
    help: 'Assignment is a statement, not an expression: assign one after the other.',
  },
  {
    when: ({ found, start }) => assignments.has(found.type) && is(start, P.RETURN, P.YIELD, P.THROW),
    help: 'Assignment is a statement, not an expression: assign in front of this one.',
  },
  {
    when: ({ found, opener, beforeOpener }) => is(found, P.IN) && is(opener, P.LPAREN) && is(beforeOpener, P.FOR),
    help: 'Write foreach (T x in xs).',
    mend: ({ beforeOpener, secondBefore }) =>
      secondBefore === null || is(secondBefore, P.LPAREN)
        ? null
        : { first: beforeOpener!, last: beforeOpener!, text: 'foreach' },
  },
  {
    when: ({ found, opener, beforeOpener }) => is(found, P.IN) && is(opener, P.LPAREN) && is(beforeOpener, P.FOREACH),
    help: 'The variable of foreach has a type: foreach (int x in xs).',
  },
  {
    when: ({ found }) => is(found, P.IN),
    help: 'Whether something is in an array or a text is asked by xs.contains(x), a key of a json by j.has(key).',
  },
  {
    when: ({ found, opener, beforeOpener }) => is(found, P.AS) && is(opener, P.LPAREN) && is(beforeOpener, P.FOREACH),
    help: 'Write foreach (T x in xs).',
  },
  {
    when: ({ found, opener, beforeOpener }) =>
      is(found, P.COMMA) && is(opener, P.LPAREN) && is(beforeOpener, P.FOREACH),
    help: 'foreach has one variable: count the position in another, or with for (int i = 0; i < xs.length(); i++).',
  },
  {
    when: ({ found, before, opener }) => is(found, P.COMMA) && is(opener, P.LBRACKET) && is(before, P.LBRACKET),
    help: 'An array of arrays is written with brackets of its own: int[][] m = new int[2][3];',
  },
  {
    when: ({ found, opener, beforeOpener }) =>
      is(found, P.COMMA) && is(opener, P.LBRACKET) && beforeOpener !== null && primitives.has(beforeOpener.type),
    help: 'Every length has its own brackets: new int[2][3].',
  },
  {
    when: ({ found, opener, beforeOpener }) =>
      is(found, P.COMMA) && is(opener, P.LBRACKET) && is(beforeOpener, P.NAME, P.RBRACKET),
    help: 'Every index has its own brackets: m[i][j].',
  },
  {
    when: ({ found, opener }) => is(found, P.COLON) && is(opener, P.LBRACKET),
    help: 'A part is taken by a method: xs.slice(from, to), text.substring(from, to).',
  },
  {
    when: ({ found, opener, beforeOpener }) => is(found, P.COLON) && is(opener, P.LPAREN) && is(beforeOpener, P.FOR),
    help: 'Write foreach (T x in xs).',
  },
  {
    when: ({ found, opener, beforeOpener }) =>
      is(found, P.COLON) && is(opener, P.LPAREN) && is(beforeOpener, P.FOREACH),
    help: 'Write foreach (T x in xs).',
    mend: ({ found }) => ({ first: found, last: found, text: 'in' }),
  },
  {
    when: ({ found, before, start, after }) =>
      is(found, P.COLON) && before === start && loopWords.has(after?.type ?? -1),
    help: noLabels,
  },
  {
    when: ({ found, before }) => is(before, P.BREAK, P.CONTINUE) && is(found, P.NAME, P.INT_LITERAL),
    help: noLabels,
  },
  { when: ({ found }) => is(found, P.COLON), help: 'A type stands in front of the name: int x, not x: int.' },
  {
    when: ({ found, before }) => is(found, P.PLUS) && is(before, P.ASSIGN) && before!.stop + 1 === found.start,
    help: 'To add to a variable, write x += 1;',
  },
  { when: ({ found }) => is(found, P.PLUS), help: 'There is no plus sign in front of a number.' },
  {
    when: ({ found, before }) => is(found, P.GT) && is(before, P.LT),
    help: "Unequal is '!='.",
    mend: ({ found, before }) =>
      before!.stop + 1 === found.start ? { first: before!, last: found, text: '!=' } : null,
  },
  {
    when: ({ found, before }) => is(found, P.AND, P.STAR) && !is(before, P.AND, P.STAR),
    help: 'There are no pointers: variables of structs and arrays refer to them anyway.',
  },
  {
    when: ({ found, before }) => is(found, P.IF) && before !== null && before.line === found.line,
    help: 'A choice inside an expression is written condition ? a : b.',
  },
  {
    when: ({ found, before }) => is(found, P.FOR, P.FOREACH) && before !== null && before.line === found.line,
    help: 'An array is filled in a loop: foreach (int x in xs) ys.push(2 * x);',
  },
  {
    when: ({ expected, before, secondBefore }) =>
      expected === "':'" && is(before, P.NAME, P.STRING_LITERAL) && is(secondBefore, P.LBRACE, P.COMMA),
    help: 'In a literal every value has its name in front: { x: 1, y: 2 }.',
  },
  {
    when: ({ found, after, opener, beforeOpener }) =>
      (is(found, P.SEMICOLON) || (is(found, P.NAME, P.STRING_LITERAL) && is(after, P.COLON))) &&
      is(opener, P.LBRACE) &&
      literalStarts.has(beforeOpener?.type ?? -1),
    help: "Between the fields of a literal stands ',': { x: 1, y: 2 }.",
  },
  { when: ({ expected }) => expected === "':'", help: 'A choice has two values: condition ? a : b.' },
  {
    when: ({ found, before }) => is(before, P.QUESTION) && is(found, P.DOT),
    help: 'There is no ?. here: write x == null ? null : x.y.',
  },
  {
    when: ({ found, start }) => is(found, P.COMMA) && is(start, P.RETURN),
    help: 'One value is returned; several go into a struct or an array.',
  },
  {
    when: ({ found, start }) => is(found, P.COMMA) && is(start, P.YIELD),
    help: 'One value is yielded at a time: yield a; yield b; or several in an array.',
  },
  {
    when: isDecimalComma,
    help: 'A decimal number is written with a point.',
    mend: ({ found, secondBefore }) => ({
      first: secondBefore!,
      last: found,
      text: `${secondBefore!.text}.${found.text}`,
    }),
  },
  {
    when: ({ found, before, start }) =>
      literals.has(found.type) && is(before, P.COMMA) && start !== null && primitives.has(start.type),
    help: 'Every variable has its own value: int x = 1, y = 2;',
  },
  { when: ({ found, before }) => is(found, P.DOT) && is(before, P.DOT), help: ranges },
  {
    when: ({ found, before, secondBefore, after, start }) =>
      is(found, P.MINUS) &&
      is(before, P.NAME) &&
      secondBefore !== null &&
      secondBefore === start &&
      (primitives.has(secondBefore.type) || is(secondBefore, P.NAME)) &&
      is(after, P.NAME) &&
      touches(before, found) &&
      touches(found, after!),
    help: ({ before, after }) => `A name has no dash in it: write ${before!.text}_${after!.text}.`,
  },
  {
    when: ({ found, before, secondBefore, opener, beforeOpener }) =>
      comparisons.has(found.type) &&
      is(before, P.NAME) &&
      is(secondBefore, P.COMMA) &&
      is(opener, P.LPAREN) &&
      is(beforeOpener, P.FOR),
    help: "Between the parts of for stands ';': for (int i = 0; i < n; i++).",
  },
  {
    when: ({ found, before }) => is(before, P.TEMPLATE_OPEN) && is(found, P.RBRACE),
    help: 'Between ${ and } stands a value: `…${x}…`. A dollar sign that is text is written \\$.',
  },
  {
    when: ({ found, before }) => is(before, P.DOT) && !is(found, P.NAME),
    help: 'A point is followed by a name; a double has a digit behind its point.',
  },
  {
    when: ({ found, before }) => is(before, P.QUESTION) && !is(found, P.NAME),
    help: "Between '?' and ':' stands an expression; the type after 'as' has no '?'.",
  },
  {
    when: ({ found, before }) => is(before, P.FOR, P.FOREACH) && is(found, P.NAME),
    help: 'Write foreach (T x in xs) { … }, or for (int i = 0; i < n; i++) { … }.',
  },
  {
    when: ({ found, before }) => is(before, P.CATCH) && is(found, P.LBRACE),
    help: 'The message of the error has a name: catch (e) { … }.',
  },
  {
    when: ({ before, takesParenthesis }) => takesParenthesis && before !== null && headed.has(before.type),
    help: ({ before }) => `What '${before!.text}' needs stands in parentheses.`,
  },
  {
    when: ({ before, expected }) => expected === "'{'" && is(before, P.RPAREN),
    help: 'The body of a function stands in braces.',
  },
  {
    when: ({ found, before }) => is(found, P.NAME) && is(before, P.NAME),
    help: 'Two names in a row: is an operator, a comma or a quotation mark missing?',
  },
  {
    when: ({ found, before }) => is(found, P.SEMICOLON) && is(before, P.THROW),
    help: 'What is thrown is a text; in a clause catch (e) the same message is thrown on by throw e;',
  },
  { when: ({ found }) => is(found, P.AT), help: 'Headers stand before everything else.' },
  { when: ({ found }) => is(found, P.IMPORT), help: 'Imports stand before everything but headers.' },
  {
    when: ({ found, start }) => is(found, P.TYPE) && found !== start,
    help: "'type' is a word of the language; take another name.",
  },
  { when: ({ found }) => is(found, P.TYPE), help: 'Types are declared at the top level, not in a block.' },
  { when: ({ found }) => is(found, P.EXPORT), help: 'Functions are declared at the top level, not in a block.' },
];

/** The advice for a situation, or null where there is none. */
export function placeHint(situation: Situation): { readonly help: string; readonly mending: Mending | null } | null {
  const hint = hints.find(({ when }) => when(situation));
  if (hint === undefined) return null;
  return {
    help: typeof hint.help === 'string' ? hint.help : hint.help(situation),
    mending: hint.mend?.(situation) ?? null,
  };
}
