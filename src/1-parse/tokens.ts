// Text to tokens. What is nearly one (007, an unterminated string, ===) is mended in mended-tokens.ts.

import { CharStream, CommonTokenStream, Token } from 'antlr4ng';
import { report } from '../diagnostics/catalog.ts';
import { DiagnosticSink } from '../diagnostics/diagnostic.ts';
import type { SourceFile, Span } from '../source.ts';
import type { Poll } from '../stopping.ts';
import { SluiceLexer } from './generated/SluiceLexer.ts';
import { possibleFix } from '../diagnostics/fixes.ts';
import { mendToken } from './mended-tokens.ts';
import type { Comment, SyntaxToken } from './syntax-tree.ts';
import { packTokens, tokenList } from './token-list.ts';
import { findMissingMark, insertMark } from './unclosed-templates.ts';
import type { MissingMark } from './unclosed-templates.ts';

/** Leaves the default mode alone: a `}` too many is the parser's to report. */
class Lexer extends SluiceLexer {
  readonly #poll: Poll;

  constructor(input: CharStream, poll: Poll) {
    super(input);
    this.#poll = poll;
  }

  override nextToken(): Token {
    this.#poll();
    return super.nextToken();
  }

  override popMode(): number {
    return this.modeStack.length > 0 ? super.popMode() : this.mode;
  }
}

const commentChannel = SluiceLexer.channelNames.indexOf('COMMENTS');

export interface Tokens {
  readonly stream: CommonTokenStream;
  /** Every token of the default channel, EOF last. */
  readonly visible: readonly Token[];
  /** Those that were written as something else, which is reported. */
  readonly mended: ReadonlySet<Token>;
  readonly comments: readonly Comment[];
  /** All of them as they were written, for tools; made when it is first called. */
  readonly list: () => readonly SyntaxToken[];
  readonly spanOf: (first: Token, last?: Token) => Span;
  readonly startOf: (token: Token) => number;
}

/** A text with more faulty words is no script, and nobody reads a hundred thousand messages. */
const mostFaults = 100;
const faultyTypes: ReadonlySet<number> = new Set([
  SluiceLexer.BAD_NUMBER,
  SluiceLexer.LEADING_POINT,
  SluiceLexer.UNTERMINATED_STRING,
  SluiceLexer.UNTERMINATED_COMMENT,
  SluiceLexer.SINGLE_QUOTED,
  SluiceLexer.FOREIGN_OPERATOR,
  SluiceLexer.UNKNOWN,
  SluiceLexer.TEMPLATE_BACKSLASH,
]);

export function readTokens(source: SourceFile, sink: DiagnosticSink, poll: Poll = () => {}): Tokens {
  let text = withComment(source.text);
  let stream = fillStream(text, poll);
  const unclosed = findUnclosedTemplate(stream.getTokens());
  const missing = unclosed === null ? null : findMissingMark(text);
  if (missing !== null) {
    text = insertMark(text, missing);
    stream = fillStream(text, poll);
  }
  const offsetOf = createOffsets(text, missing?.at ?? null);
  const spanOf = (first: Token, last = first): Span => ({
    file: source,
    start: Math.min(offsetOf(first.start), source.text.length),
    end: Math.min(offsetOf(Math.max(last.stop + 1, first.start)), source.text.length),
  });
  const all = stream.getTokens();
  const list = tokenList(packTokens(all, offsetOf));
  if (missing !== null) reportMissingMark(source, missing, sink);
  else if (unclosed !== null) report(sink, unclosed.fault, spanOf(unclosed.token), {});
  const unheard = new DiagnosticSink();
  let last: Token | null = null;
  const mended = all.filter(({ type }) => faultyTypes.has(type));
  mended.forEach((token, at) => {
    const isSaid = last !== null && continues(last, token);
    last = token;
    mendToken(token, spanOf(token), at < mostFaults && !isSaid ? sink : unheard);
  });
  // The mark that is missing stands for what was meant, as a mended token does.
  const added = all.filter((token) => token.type !== Token.EOF && isEmpty(spanOf(token)));
  return {
    stream,
    visible: all.filter((token) => token.channel === Token.DEFAULT_CHANNEL),
    mended: new Set([...mended, ...added]),
    comments: all.filter((token) => token.channel === commentChannel).map((token) => commentOf(spanOf(token))),
    list,
    spanOf,
    startOf: ({ start }) => offsetOf(start),
  };
}

const isEmpty = ({ start, end }: Span): boolean => start === end;

function fillStream(text: string, poll: Poll): CommonTokenStream {
  const lexer = new Lexer(CharStream.fromString(text), poll);
  lexer.removeErrorListeners();
  const stream = new CommonTokenStream(lexer);
  stream.fill();
  return stream;
}

/** A first line that names an interpreter, `#!/usr/bin/env sluice`, is a comment of the same length. */
function withComment(text: string): string {
  return text.startsWith('#!') ? `//${text.slice(2)}` : text;
}

function commentOf(span: Span): Comment {
  return { text: span.file.text.slice(span.start, span.end), span };
}

const strays: ReadonlySet<number> = new Set([SluiceLexer.UNKNOWN, SluiceLexer.TEMPLATE_BACKSLASH]);

/**
 * Whether a fault belongs to the one before: a second stray character on a line, or the closing quote of a
 * string that was broken over two lines. The types are those before mending.
 */
function continues(before: Token, token: Token): boolean {
  if (strays.has(token.type)) return strays.has(before.type) && before.line === token.line;
  return (
    token.type === SluiceLexer.UNTERMINATED_STRING && (before.text ?? '') === '""' && before.line === token.line - 1
  );
}

/** Offsets in the text as it was written, which lacks the mark at `added`. */
function createOffsets(text: string, added: number | null): (point: number) => number {
  const inText = createTextOffsets(text);
  if (added === null) return inText;
  return (point) => inText(point) - (inText(point) > added ? 1 : 0);
}

/** ANTLR counts code points; offsets are UTF-16. They differ only behind a character beyond the BMP. */
function createTextOffsets(text: string): (point: number) => number {
  if (!/[\ud800-\udbff]/.test(text)) return (point) => point;
  const offsets = new Int32Array(text.length + 1);
  let last = 0;
  for (let at = 0; at < text.length; last++) {
    at += text.codePointAt(at)! > 0xffff ? 2 : 1;
    offsets[last + 1] = at;
  }
  return (point) => offsets[Math.min(point, last)]!;
}

interface UnclosedTemplate {
  readonly token: Token;
  readonly fault: 'unterminatedTemplate' | 'unclosedTemplateExpression';
}

/** A backtick whose end never comes takes the rest of the file; its start is the place to show. */
function findUnclosedTemplate(all: readonly Token[]): UnclosedTemplate | null {
  const open: Token[] = [];
  for (const token of all) {
    if (
      token.type === SluiceLexer.BACKTICK ||
      token.type === SluiceLexer.TEMPLATE_OPEN ||
      token.type === SluiceLexer.LBRACE
    )
      open.push(token);
    if (token.type === SluiceLexer.TEMPLATE_END || token.type === SluiceLexer.RBRACE) open.pop();
  }
  const last = open.findLast((token) => token.type !== SluiceLexer.LBRACE);
  if (last === undefined) return null;
  // A backtick inside `${` begins a template of its own; more likely it was to end the one around.
  const around = open[open.lastIndexOf(last) - 1];
  const expression =
    last.type === SluiceLexer.TEMPLATE_OPEN ? last : around?.type === SluiceLexer.TEMPLATE_OPEN ? around : null;
  return expression === null
    ? { token: last, fault: 'unterminatedTemplate' }
    : { token: expression, fault: 'unclosedTemplateExpression' };
}

function reportMissingMark(file: SourceFile, { at, mark, opener }: MissingMark, sink: DiagnosticSink): void {
  const fix = possibleFix(`write '${mark}'`, { file, start: at, end: at }, mark);
  const place = { file, start: opener, end: opener + (mark === '}' ? 2 : 1) };
  report(sink, mark === '}' ? 'unclosedTemplateExpression' : 'unterminatedTemplate', place, {}, { fix });
}
