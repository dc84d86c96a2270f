// Text to tokens. What is nearly a token (007, an unterminated string, ===) is reported here, once, and
// goes on as the token that was meant, so that the parser has nothing more to say about it.

import { CharStream, CommonTokenStream, Token } from 'antlr4ng';
import { report } from '../diagnostics/catalog.ts';
import type { ReportOptions } from '../diagnostics/catalog.ts';
import { DiagnosticSink } from '../diagnostics/diagnostic.ts';
import type { SourceFile, Span } from '../source.ts';
import { SluiceLexer } from './generated/SluiceLexer.ts';
import type { Comment } from './syntax-tree.ts';

/** Leaves the default mode alone: a `}` too many is the parser's to report. */
class Lexer extends SluiceLexer {
  override popMode(): number {
    return this.modeStack.length > 0 ? super.popMode() : this.mode;
  }
}

const commentChannel = SluiceLexer.channelNames.indexOf('COMMENTS');

export interface Tokens {
  readonly stream: CommonTokenStream;
  /** Every token of the default channel, EOF last. */
  readonly visible: readonly Token[];
  readonly comments: readonly Comment[];
  readonly spanOf: (first: Token, last?: Token) => Span;
}

/** A text with more faulty words is no script, and nobody reads a hundred thousand messages. */
const mostFaults = 100;
const faultyTypes: ReadonlySet<number> = new Set([
  SluiceLexer.BAD_NUMBER, SluiceLexer.LEADING_POINT, SluiceLexer.UNTERMINATED_STRING, SluiceLexer.UNTERMINATED_COMMENT,
  SluiceLexer.SINGLE_QUOTED, SluiceLexer.FOREIGN_OPERATOR, SluiceLexer.UNKNOWN, SluiceLexer.TEMPLATE_BACKSLASH,
]);

export function readTokens(source: SourceFile, sink: DiagnosticSink): Tokens {
  const lexer = new Lexer(CharStream.fromString(source.text));
  lexer.removeErrorListeners();
  const stream = new CommonTokenStream(lexer);
  stream.fill();
  const offsetOf = createOffsets(source.text);
  const spanOf = (first: Token, last = first): Span => ({
    file: source,
    start: Math.min(offsetOf(first.start), source.text.length),
    end: Math.min(offsetOf(Math.max(last.stop + 1, first.start)), source.text.length),
  });
  const all = stream.getTokens();
  const unheard = new DiagnosticSink();
  let last: Token | null = null;
  all.filter(({ type }) => faultyTypes.has(type)).forEach((token, at) => {
    const isSaid = last !== null && continues(last, token);
    last = token;
    mendToken(token, spanOf, at < mostFaults && !isSaid ? sink : unheard);
  });
  reportUnclosedTemplate(all, spanOf, sink);
  return {
    stream,
    visible: all.filter((token) => token.channel === Token.DEFAULT_CHANNEL),
    comments: all.filter((token) => token.channel === commentChannel).map((token) => ({ text: token.text ?? '', span: spanOf(token) })),
    spanOf,
  };
}

const strays: ReadonlySet<number> = new Set([SluiceLexer.UNKNOWN, SluiceLexer.TEMPLATE_BACKSLASH]);

/**
 * Whether a fault belongs to the one before: a second stray character on a line, or the closing quote of a
 * string that was broken over two lines. The types are those before mending.
 */
function continues(before: Token, token: Token): boolean {
  if (strays.has(token.type)) return strays.has(before.type) && before.line === token.line;
  return token.type === SluiceLexer.UNTERMINATED_STRING && (before.text ?? '') === '""' && before.line === token.line - 1;
}

/** ANTLR counts code points; offsets are UTF-16. They differ only behind a character beyond the BMP. */
function createOffsets(text: string): (point: number) => number {
  if (!/[\ud800-\udbff]/.test(text)) return (point) => point;
  const offsets = [0];
  for (const character of text) offsets.push(offsets.at(-1)! + character.length);
  return (point) => offsets[Math.min(point, offsets.length - 1)]!;
}

/** What people write who come from elsewhere, and what it is here. */
const foreignOperators: Readonly<Record<string, { readonly replacement: string | null; readonly type: number; readonly help: string }>> = {
  '===': { replacement: '==', type: SluiceLexer.EQ, help: "Types are known, so '==' is enough." },
  '!==': { replacement: '!=', type: SluiceLexer.NE, help: "Types are known, so '!=' is enough." },
  '**': { replacement: null, type: SluiceLexer.STAR, help: 'Powers are Math.pow(base, exp).' },
  '=>': { replacement: null, type: SluiceLexer.ASSIGN, help: 'There are no arrow functions: declare a function by its return type and name.' },
  '->': { replacement: '.', type: SluiceLexer.DOT, help: "Fields are read with '.'." },
  '??': { replacement: null, type: SluiceLexer.OR_OR, help: 'Write x != null ? x : y.' },
  '::': { replacement: '.', type: SluiceLexer.DOT, help: "Namespaces are followed by '.'." },
  ':=': { replacement: '=', type: SluiceLexer.ASSIGN, help: 'A declaration begins with its type: int x = 1;' },
};

function mendToken(token: Token, spanOf: (token: Token) => Span, sink: DiagnosticSink): void {
  const text = (): string => shorten(token.text ?? '');
  switch (token.type) {
    case SluiceLexer.BAD_NUMBER:
      report(sink, 'badNumber', spanOf(token), { text: text() }, helpFor(numberHelp(token.text ?? '')));
      token.type = SluiceLexer.INT_LITERAL;
      token.text = '0';
      return;
    case SluiceLexer.LEADING_POINT:
      report(sink, 'badNumber', spanOf(token), { text: text() }, {
        help: 'A digit stands on both sides of the point.',
        fix: { description: 'put a zero in front', span: spanOf(token), replacement: `0${token.text}` },
      });
      token.type = SluiceLexer.DOUBLE_LITERAL;
      token.text = `0${token.text}`;
      return;
    case SluiceLexer.UNTERMINATED_STRING:
      report(sink, 'unterminatedString', spanOf(token), {});
      token.type = SluiceLexer.STRING_LITERAL;
      token.text = '""';
      return;
    case SluiceLexer.UNTERMINATED_COMMENT:
      report(sink, 'unterminatedComment', { ...spanOf(token), end: spanOf(token).start + 2 }, {});
      token.channel = Token.HIDDEN_CHANNEL;
      return;
    case SluiceLexer.SINGLE_QUOTED: {
      const content = (token.text ?? '').slice(1, -1).replaceAll("\\'", "'").replaceAll('"', '\\"');
      report(sink, 'singleQuotes', spanOf(token), {}, {
        fix: { description: 'use double quotes', span: spanOf(token), replacement: `"${content}"` },
      });
      token.type = SluiceLexer.STRING_LITERAL;
      token.text = '""';
      return;
    }
    case SluiceLexer.FOREIGN_OPERATOR: {
      const known = foreignOperators[token.text ?? '']!;
      const fix = known.replacement === null ? {} : { fix: { description: `write '${known.replacement}'`, span: spanOf(token), replacement: known.replacement } };
      report(sink, 'foreignOperator', spanOf(token), { text: text() }, { help: known.help, ...fix });
      token.type = known.type;
      return;
    }
    case SluiceLexer.UNKNOWN:
    case SluiceLexer.TEMPLATE_BACKSLASH:
      report(sink, 'unknownCharacter', spanOf(token), { text: describeCharacter(token.text ?? '') }, characterHelp(token.text ?? ''));
      token.channel = Token.HIDDEN_CHANNEL;
      return;
  }
}

/** Characters that stand for something elsewhere. */
function characterHelp(character: string): ReportOptions {
  if (character === '#') return { help: 'Comments begin with //.' };
  if ('“”„«»'.includes(character)) return { help: 'Write straight quotation marks: "…".' };
  return '‘’'.includes(character) ? { help: 'Write straight quotation marks, and double ones: "…".' } : {};
}

function helpFor(help: string): ReportOptions {
  return { help };
}

function numberHelp(text: string): string {
  if (/^0[0-9_]+$/.test(text)) return 'A number has no leading zeros. There are no octal numbers; hexadecimal ones begin with 0x.';
  if (/_$|__/.test(text)) return 'An underscore stands between two digits.';
  if (/^0[xX]/.test(text)) return 'Hexadecimal digits are 0 to 9 and a to f.';
  if (/^0[bB]/.test(text)) return 'Binary digits are 0 and 1.';
  if (/[fFdDlLnuU]$/.test(text)) return 'Numbers have no suffix: 1 is an int, 1.0 a double.';
  return 'A name does not begin with a digit.';
}

/** A character for people: as it is where it can be seen, otherwise by its number. */
function describeCharacter(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  const visible = point > 32 && !/[\p{C}\p{Z}]/u.test(character);
  return visible ? `'${character}'` : `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}

export function shorten(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 37)}…`;
}

/** A backtick whose end never comes takes the rest of the file; its start is the place to show. */
function reportUnclosedTemplate(all: readonly Token[], spanOf: (token: Token) => Span, sink: DiagnosticSink): void {
  const open: Token[] = [];
  for (const token of all) {
    if (token.type === SluiceLexer.BACKTICK || token.type === SluiceLexer.TEMPLATE_OPEN || token.type === SluiceLexer.LBRACE) open.push(token);
    if (token.type === SluiceLexer.TEMPLATE_END || token.type === SluiceLexer.RBRACE) open.pop();
  }
  const last = open.findLast((token) => token.type !== SluiceLexer.LBRACE);
  if (last === undefined) return;
  // A backtick inside `${` begins a template of its own; more likely it was to end the one around.
  const around = open[open.lastIndexOf(last) - 1];
  const expression = last.type === SluiceLexer.TEMPLATE_OPEN ? last : around?.type === SluiceLexer.TEMPLATE_OPEN ? around : null;
  if (expression !== null) report(sink, 'unclosedTemplateExpression', spanOf(expression), {});
  else report(sink, 'unterminatedTemplate', spanOf(last), {});
}
