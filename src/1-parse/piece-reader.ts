// Reads pieces of a file with a mistake, each alone: a statement, a type, an expression.

import type { ParserRuleContext, Token } from 'antlr4ng';
import { DiagnosticSink } from '../diagnostics/diagnostic.ts';
import { wordHint } from '../diagnostics/word-hints.ts';
import type { SourceFile, Span } from '../source.ts';
import type { Poll } from '../stopping.ts';
import { buildExpression } from './build-expressions.ts';
import { Builder } from './builder.ts';
import type { Inside } from './builder.ts';
import { SluiceParser as P } from './generated/SluiceParser.ts';
import { createParser, parseOrNull } from './parser.ts';
import type { Expression } from './syntax-tree.ts';
import { literals, operandEnds } from './token-classes.ts';
import { TokenWindow } from './token-window.ts';
import type { Tokens } from './tokens.ts';

/** Where a piece is wrong all over, reading what there is in it would take long and show little. */
const mostExpressions = 8;

const operandStarts: ReadonlySet<number> = new Set([
  ...literals,
  P.NAME,
  P.MAIN,
  P.BACKTICK,
  P.LPAREN,
  P.LBRACKET,
  P.NEW,
  P.MINUS,
  P.NOT,
  P.TILDE,
]);

const brackets: ReadonlySet<number> = new Set([P.LPAREN, P.LBRACKET, P.LBRACE]);

export class PieceReader {
  readonly source: SourceFile;
  readonly tokens: Tokens;
  /** What stands in what could not be read: it may declare any of them. */
  readonly unreadNames = new Set<string>();
  readonly #sink: DiagnosticSink;
  readonly #parser: P;
  readonly #end: Token;

  constructor(source: SourceFile, tokens: Tokens, sink: DiagnosticSink, poll: Poll) {
    this.source = source;
    this.tokens = tokens;
    this.#sink = sink;
    this.#end = tokens.visible.at(-1)!;
    this.#parser = createParser(this.#window([]), poll);
  }

  /** What the rule makes of all of the tokens; null if they have a mistake. */
  read<Context extends ParserRuleContext>(tokens: readonly Token[], rule: (parser: P) => Context): Context | null {
    const window = this.#window(tokens);
    this.#parser.tokenStream = window;
    const context = parseOrNull(() => rule(this.#parser));
    return window.isAtEnd ? context : null;
  }

  builder(inside?: Inside): Builder {
    return new Builder(this.source, this.#sink, this.tokens, inside);
  }

  spanOf(start: number, end: number): Span {
    const { visible } = this.tokens;
    return this.tokens.spanOf(visible[start]!, visible[Math.max(start, end - 1)]);
  }

  /** Nothing is known of these tokens. */
  leaveUnread(start: number, end: number): void {
    for (let at = start; at < end; at++) {
      const { type, text } = this.tokens.visible[at]!;
      if (type === P.NAME) this.unreadNames.add(text ?? '');
      // A template without an end has the rest of the file in it.
      else if (type === P.TEMPLATE_TEXT)
        for (const [name] of (text ?? '').matchAll(/[A-Za-z_]\w*/g)) this.unreadNames.add(name);
    }
  }

  /** What is written in another language is said once. */
  leaveForeignWords(start: number, end: number): void {
    for (let at = start; at < end; at++) {
      const { type, text } = this.tokens.visible[at]!;
      if (type === P.NAME && wordHint(text ?? '', true) !== null) this.unreadNames.add(text ?? '');
    }
  }

  /** The expressions among some tokens, as far as they can be read. */
  expressions(start: number, end: number): readonly Expression[] {
    const { visible } = this.tokens;
    const found: Expression[] = [];
    let tries = 0;
    for (let at = start; at < end && tries < mostExpressions; tries++) {
      while (at < end && (!operandStarts.has(visible[at]!.type) || visible[at - 1]?.type === P.DOT)) at++;
      if (at >= end) break;
      const { expression, length } = this.#expression(visible.slice(at, end));
      if (expression !== null) found.push(expression);
      at += length;
      // Behind what could not be read, all brackets in a row are one attempt.
      if (expression === null) while (at < end && brackets.has(visible[at]!.type)) at++;
    }
    return found;
  }

  /** The longest expression that can be read from the front, and how many tokens were looked at. */
  #expression(tokens: readonly Token[]): { readonly expression: Expression | null; readonly length: number } {
    let length = tokens.length;
    for (let tries = 0; length > 0 && tries < 2; tries++) {
      const window = this.#window(tokens.slice(0, length));
      this.#parser.tokenStream = window;
      const context = parseOrNull(() => this.#parser.expression());
      // What is wrong in it is said of the whole.
      const quiet = new Builder(this.source, new DiagnosticSink(), this.tokens);
      if (context !== null) return { expression: buildExpression(quiet, context), length: Math.max(1, window.index) };
      length = readableLength(tokens, Math.min(window.index, length));
    }
    return { expression: null, length: Math.max(1, length) };
  }

  #window(tokens: readonly Token[]): TokenWindow {
    return new TokenWindow(tokens, this.#end, this.tokens.stream.tokenSource);
  }
}

/** How many tokens in front of a mistake are an operand without an open bracket. */
function readableLength(tokens: readonly Token[], fault: number): number {
  let depth = 0;
  let opener = fault;
  for (let at = fault - 1; at >= 0; at--) {
    const { type } = tokens[at]!;
    if (type === P.RPAREN || type === P.RBRACKET || type === P.RBRACE || type === P.TEMPLATE_END) depth += 1;
    if (type === P.LPAREN || type === P.LBRACKET || type === P.LBRACE || type === P.BACKTICK) depth -= 1;
    if (depth < 0) {
      opener = at;
      depth = 0;
    }
  }
  let length = opener;
  while (length > 0 && !operandEnds.has(tokens[length - 1]!.type)) length--;
  return length;
}
