// Some tokens of a file as a stream of their own, so that the parser can read one statement alone. What is missing in
// it may stand there all the same, made by `tokenBehind`.

import { CommonToken, Token } from 'antlr4ng';
import type { TokenSource, TokenStream } from 'antlr4ng';

export class TokenWindow implements TokenStream {
  /** Nothing asks for more tokens than there are. */
  readonly tokenSource: TokenSource;
  readonly #tokens: readonly Token[];
  readonly #end: Token;
  #at = 0;

  /** `end` stands behind the tokens. */
  constructor(tokens: readonly Token[], end: Token, tokenSource: TokenSource) {
    this.#tokens = tokens;
    this.#end = end;
    this.tokenSource = tokenSource;
  }

  get index(): number {
    return this.#at;
  }

  get size(): number {
    return this.#tokens.length + 1;
  }

  /** Whether all of them have been read. */
  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  consume(): void {
    if (this.#at < this.#tokens.length) this.#at += 1;
  }

  LA(offset: number): number {
    return this.LT(offset)?.type ?? Token.INVALID_TYPE;
  }

  LT(offset: number): Token | null {
    if (offset === 0) return null;
    const at = offset < 0 ? this.#at + offset : this.#at + offset - 1;
    return at < 0 ? null : this.get(at);
  }

  get(at: number): Token {
    return this.#tokens[at] ?? this.#end;
  }

  /** All of it is kept anyway. */
  mark(): number {
    return 0;
  }

  release(): void {}

  seek(index: number): void {
    this.#at = Math.min(index, this.#tokens.length);
  }

  getSourceName(): string {
    return this.tokenSource.sourceName;
  }

  /** The parser asks for texts for its own messages, which nobody hears. */
  getText(): string {
    return '';
  }

  getTextFromInterval(): string {
    return this.getText();
  }

  getTextFromContext(): string {
    return this.getText();
  }

  getTextFromRange(): string {
    return this.getText();
  }

  setLine(): void {}

  setColumn(): void {}
}

/** A token that is missing right behind another. */
export function tokenBehind(before: Token, type: number, text: string): Token {
  const token = CommonToken.fromType(type, text);
  token.start = before.stop + 1;
  token.stop = before.stop;
  token.line = before.line;
  token.column = before.column + 1;
  token.tokenIndex = before.tokenIndex;
  return token as Token;
}
