// The generated parser as the files of this room use it.

import { BailErrorStrategy, InputMismatchException, ParseCancellationException, PredictionMode } from 'antlr4ng';
import type { DefaultErrorStrategy, ParserRuleContext, Token, TokenStream } from 'antlr4ng';
import { ItemContext, SluiceParser } from './generated/SluiceParser.ts';
import type { MemberNameContext } from './generated/SluiceParser.ts';
import { noneKnown } from './item-cache.ts';
import type { KnownItem, KnownItems } from './item-cache.ts';
import type { Poll } from '../stopping.ts';
import { declarationWords, statementWords } from './token-classes.ts';

/** Asks at each token whether to go on, and passes over items that are known. */
class PolledParser extends SluiceParser {
  /** The items that it passed over, in the order of the text. */
  readonly passed: KnownItem[] = [];
  readonly #poll: Poll;
  readonly #known: KnownItems;

  constructor(stream: TokenStream, poll: Poll, known: KnownItems) {
    super(stream);
    this.#poll = poll;
    this.#known = known;
    this.removeErrorListeners();
  }

  override consume(): Token {
    this.#poll();
    return super.consume();
  }

  /** The context of a known item is in no tree. */
  override item(): ItemContext {
    const known = this.#known.get(this.getCurrentToken());
    if (known === undefined) return super.item();
    this.passed.push(known);
    this.inputStream.seek(known.behind.tokenIndex);
    this.errorHandler.reportMatch(this);
    return new ItemContext(this.context, this.state);
  }

  /** A word that begins a statement on the next line is no member: `xs.` was only half written. */
  override memberName(): MemberNameContext {
    if (this.#isNextLine()) throw new InputMismatchException(this);
    return super.memberName();
  }

  #isNextLine(): boolean {
    const { type, line } = this.getCurrentToken();
    if (!statementWords.has(type) && !declarationWords.has(type)) return false;
    const before = this.inputStream.LT(-1);
    return before?.type === SluiceParser.DOT && before.line < line;
  }
}

/** With SLL prediction, which this grammar needs no more than. Without a strategy it stops at the first mistake. */
export function createParser(
  stream: TokenStream,
  poll: Poll,
  strategy: DefaultErrorStrategy = new BailErrorStrategy(),
  known: KnownItems = noneKnown,
): PolledParser {
  const parser = new PolledParser(stream, poll, known);
  parser.errorHandler = strategy;
  parser.interpreter.predictionMode = PredictionMode.SLL;
  return parser;
}

/** What a rule reads; null where there is a mistake that its strategy does not go on from. */
export function parseOrNull<Context extends ParserRuleContext>(rule: () => Context): Context | null {
  try {
    return rule();
  } catch (fault) {
    if (fault instanceof ParseCancellationException) return null;
    throw fault;
  }
}
