// What is nearly a token (007, an unterminated string, ===) is reported here, once, and goes on as the token
// that was meant, so that the parser has nothing more to say about it.

import { Token } from 'antlr4ng';
import { report } from '../diagnostics/catalog.ts';
import type { ReportOptions } from '../diagnostics/catalog.ts';
import type { DiagnosticSink, Fix } from '../diagnostics/diagnostic.ts';
import { possibleFix, sureFix, wordFix } from '../diagnostics/fixes.ts';
import type { Span } from '../source.ts';
import { SluiceLexer } from './generated/SluiceLexer.ts';

export function mendToken(token: Token, span: Span, sink: DiagnosticSink): void {
  const text = token.text ?? '';
  switch (token.type) {
    case SluiceLexer.BAD_NUMBER:
      report(sink, 'badNumber', span, { text: shorten(text) }, numberAdvice(text, span));
      become(token, SluiceLexer.INT_LITERAL, '0');
      return;
    case SluiceLexer.LEADING_POINT:
      report(sink, 'badNumber', span, { text: shorten(text) }, pointAdvice(text, span));
      become(token, SluiceLexer.DOUBLE_LITERAL, `0${text}`);
      return;
    case SluiceLexer.UNTERMINATED_STRING:
      report(sink, 'unterminatedString', span, {});
      become(token, SluiceLexer.STRING_LITERAL, '""');
      return;
    case SluiceLexer.UNTERMINATED_COMMENT:
      report(sink, 'unterminatedComment', { ...span, end: span.start + 2 }, {});
      token.channel = Token.HIDDEN_CHANNEL;
      return;
    case SluiceLexer.SINGLE_QUOTED: {
      const content = text.slice(1, -1).replace(/\\.|"/gs, (part) => (part === '"' ? '\\"' : part));
      report(sink, 'singleQuotes', span, {}, { fix: sureFix('use double quotes', span, `"${content}"`) });
      become(token, SluiceLexer.STRING_LITERAL, '""');
      return;
    }
    case SluiceLexer.FOREIGN_OPERATOR:
      report(sink, 'foreignOperator', span, { text: shorten(text) }, operatorAdvice(text, span));
      token.type = foreignOperators[text]!.type;
      return;
    case SluiceLexer.UNKNOWN:
    case SluiceLexer.TEMPLATE_BACKSLASH:
      report(sink, 'unknownCharacter', span, { text: describeCharacter(text) }, characterAdvice(text, span));
      token.channel = Token.HIDDEN_CHANNEL;
  }
}

function become(token: Token, type: number, text: string): void {
  token.type = type;
  token.text = text;
}

export function shorten(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 37)}…`;
}

// Numbers

interface NumberRow {
  readonly when: RegExp;
  readonly help: string;
  /** What was surely meant. */
  readonly meant?: (text: string) => string;
}

const numbers: readonly NumberRow[] = [
  {
    when: /^0[0-9_]+$/,
    help: 'A number has no leading zeros. There are no octal numbers; hexadecimal ones begin with 0x.',
  },
  {
    when: /_$|__/,
    help: 'An underscore stands between two digits.',
    meant: (text) => text.replace(/_+/g, '_').replace(/_$/, ''),
  },
  { when: /^0[xX]/, help: 'Hexadecimal digits are 0 to 9 and a to f.' },
  { when: /^0[bB]/, help: 'Binary digits are 0 and 1.' },
  { when: /^0[oO]/, help: 'There are no octal numbers; hexadecimal ones begin with 0x, binary ones with 0b.' },
  {
    when: /^[0-9_]+[lLuUnN]+$/,
    help: 'Numbers have no suffix: an int has 64 bits anyway.',
    meant: (text) => text.replace(/[a-zA-Z]+$/, ''),
  },
  {
    when: /^[0-9_]+(\.[0-9_]+)?[fFdDmM]$/,
    help: 'Numbers have no suffix: 1 is an int, 1.0 a double.',
    meant: (text) => (text.includes('.') ? text.slice(0, -1) : `${text.slice(0, -1)}.0`),
  },
];

function numberAdvice(text: string, span: Span): ReportOptions {
  const row = numbers.find(({ when }) => when.test(text));
  if (row === undefined) return { help: 'A name does not begin with a digit.' };
  // A thousand written 1,000 is two numbers for everybody but its author.
  const isThousands = /^[0-9]{3}$/.test(text) && /\d,$/.test(textBefore(span, 2));
  if (isThousands) return { help: 'Digits are grouped with underscores: 1_000.' };
  const meant = row.meant?.(text);
  return {
    help: row.help,
    ...(meant === undefined || !/^[1-9]|^0$|^0\./.test(meant) ? {} : { fix: wordFix(span, meant, true) }),
  };
}

function pointAdvice(text: string, span: Span): ReportOptions {
  return textBefore(span, 1) === '.'
    ? { help: 'There are no ranges: count in a loop, for (int i = 1; i <= n; i++) { … }' }
    : { help: 'A digit stands on both sides of the point.', fix: sureFix('put a zero in front', span, `0${text}`) };
}

// Operators

/** What people write who come from elsewhere, and what it is here. */
const foreignOperators: Readonly<
  Record<
    string,
    { readonly replacement: string | null; readonly sure: boolean; readonly type: number; readonly help: string }
  >
> = {
  '===': { replacement: '==', sure: true, type: SluiceLexer.EQ, help: "Types are known, so '==' is enough." },
  '!==': { replacement: '!=', sure: true, type: SluiceLexer.NE, help: "Types are known, so '!=' is enough." },
  '**': { replacement: null, sure: false, type: SluiceLexer.STAR, help: 'Powers are Math.pow(base, exponent).' },
  '=>': {
    replacement: null,
    sure: false,
    type: SluiceLexer.ASSIGN,
    help:
      'There are no arrow functions: declare a function by its return type and name, int twice(int x) { ' +
      'return 2 * x; }',
  },
  '->': { replacement: '.', sure: false, type: SluiceLexer.DOT, help: "Fields are read with '.'." },
  '??': { replacement: null, sure: false, type: SluiceLexer.OR_OR, help: 'Write x != null ? x : y.' },
  '::': { replacement: '.', sure: false, type: SluiceLexer.DOT, help: "Namespaces are followed by '.'." },
  ':=': {
    replacement: '=',
    sure: false,
    type: SluiceLexer.ASSIGN,
    help: 'A declaration begins with its type: int x = 1;',
  },
};

function operatorAdvice(text: string, span: Span): ReportOptions {
  const { help, replacement, sure } = foreignOperators[text]!;
  // Behind the parameters of a function an arrow leads to its return type.
  if (text === '->' && /\)\s*$/.test(textBefore(span, 10)))
    return { help: 'A function begins with its return type: int twice(int x) { return 2 * x; }' };
  return { help, ...(replacement === null ? {} : { fix: wordFix(span, replacement, sure) }) };
}

function textBefore({ file, start }: Span, length: number): string {
  return file.text.slice(Math.max(0, start - length), start);
}

// Characters

const openingQuotes = '“”„«';
const closingQuotes = '“”»';

/** Characters that stand for something elsewhere. */
function characterAdvice(character: string, span: Span): ReportOptions {
  const { file, start, end } = span;
  if (character === '#') return hashAdvice(span);
  if (character === '$')
    return { help: 'A value is put into a template, in backticks: `…${x}…`. A variable is called by its name alone.' };
  if (character === '\\')
    return { help: 'A statement may go on in the next line as it is; a backslash stands only in strings.' };
  if ('‘’'.includes(character)) return { help: 'Write straight quotation marks, and double ones: "…".' };
  if (openingQuotes.includes(character) || character === '»') {
    const help = 'Write straight quotation marks: "…".';
    const line = file.text.slice(
      end,
      file.text.indexOf('\n', end) < 0 ? file.text.length : file.text.indexOf('\n', end),
    );
    const close = [...closingQuotes]
      .map((quote) => line.indexOf(quote))
      .filter((at) => at >= 0)
      .toSorted((a, b) => a - b)[0];
    const content = close === undefined ? null : line.slice(0, close);
    return content === null || content.includes('"')
      ? { help }
      : { help, fix: sureFix('use straight quotation marks', { file, start, end: end + close! + 1 }, `"${content}"`) };
  }
  // A blank that only looks like one, or that cannot be seen at all.
  if (/[\p{Zs}]/u.test(character))
    return {
      help: 'This blank only looks like one: type a plain space.',
      fix: sureFix('write a plain space', span, ' '),
    };
  const plain = plainOf(character);
  if (plain !== null)
    return {
      help: `This character is as wide as a Chinese one: type a plain '${plain}'.`,
      fix: sureFix(`write a plain '${plain}'`, span, plain),
    };
  return /[\u200b-\u200d\u2060\ufeff]/.test(character) ? { fix: sureFix('take it away', span, '') } : {};
}

/** The ASCII character of a full-width one; quotation marks come in pairs, and are not among them. */
function plainOf(character: string): string | null {
  const point = character.codePointAt(0)! - 0xfee0;
  return point < 0x21 || point > 0x7e || '"\'`'.includes(String.fromCodePoint(point))
    ? null
    : String.fromCodePoint(point);
}

/** A comment of Python or of a shell, or a directive of C. */
function hashAdvice(span: Span): ReportOptions {
  const { file, start, end } = span;
  const rest = file.text.slice(end, end + 20);
  if (/^\s*include\b/.test(rest)) return { help: 'Write import "file.slu" as name;' };
  if (/^\s*define\b/.test(rest)) return { help: 'Write const int NAME = 1;' };
  const begins = /(?:^|[\n;{}])[ \t]*$/.test(textBefore({ file, start, end }, 200));
  const fix: Fix = begins ? sureFix("write '//'", span, '//') : possibleFix("write '//'", span, '//');
  return { help: 'Comments begin with //.', fix };
}

/** A character for people: as it is where it can be seen, otherwise by its number. */
function describeCharacter(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  const visible = point > 32 && !/[\p{C}\p{Z}]/u.test(character);
  return visible ? `'${character}'` : `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}
