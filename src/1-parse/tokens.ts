// Text to tokens. What is nearly one (007, an unterminated string, ===) is mended in mended-tokens.ts.

import { CharStream, CommonTokenStream, Token } from 'antlr4ng';
import { report } from '../diagnostics/catalog.ts';
import { DiagnosticSink } from '../diagnostics/diagnostic.ts';
import type { SourceFile, Span } from '../source.ts';
import type { Poll } from '../stopping.ts';
import { SluiceLexer } from './generated/SluiceLexer.ts';
import { mendToken } from './mended-tokens.ts';
import type { Comment, SyntaxToken } from './syntax-tree.ts';
import { packTokens, tokenList } from './token-list.ts';

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
  const lexer = new Lexer(CharStream.fromString(withComment(source.text)), poll);
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
  const list = tokenList(packTokens(all, offsetOf));
  const unheard = new DiagnosticSink();
  let last: Token | null = null;
  const mended = all.filter(({ type }) => faultyTypes.has(type));
  mended.forEach((token, at) => {
    const isSaid = last !== null && continues(last, token);
    last = token;
    mendToken(token, spanOf(token), at < mostFaults && !isSaid ? sink : unheard);
  });
  reportUnclosedTemplate(all, spanOf, sink);
  return {
    stream,
    visible: all.filter((token) => token.channel === Token.DEFAULT_CHANNEL),
    mended: new Set(mended),
    comments: all.filter((token) => token.channel === commentChannel).map((token) => commentOf(spanOf(token))),
    list,
    spanOf,
  };
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

/** ANTLR counts code points; offsets are UTF-16. They differ only behind a character beyond the BMP. */
function createOffsets(text: string): (point: number) => number {
  if (!/[\ud800-\udbff]/.test(text)) return (point) => point;
  const offsets = [0];
  for (const character of text) offsets.push(offsets.at(-1)! + character.length);
  return (point) => offsets[Math.min(point, offsets.length - 1)]!;
}

/** A backtick whose end never comes takes the rest of the file; its start is the place to show. */
function reportUnclosedTemplate(all: readonly Token[], spanOf: (token: Token) => Span, sink: DiagnosticSink): void {
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
  if (last === undefined) return;
  // A backtick inside `${` begins a template of its own; more likely it was to end the one around.
  const around = open[open.lastIndexOf(last) - 1];
  const expression =
    last.type === SluiceLexer.TEMPLATE_OPEN ? last : around?.type === SluiceLexer.TEMPLATE_OPEN ? around : null;
  if (expression !== null) report(sink, 'unclosedTemplateExpression', spanOf(expression), {});
  else report(sink, 'unterminatedTemplate', spanOf(last), {});
}
