// Which brackets belong together in a file where some may be missing. What is never closed ends where it must have
// ended at the latest: parentheses at a `;` or a block, and blocks, if one asks for that, by the indentation.

import type { Token } from 'antlr4ng';
import { SluiceParser as P } from './generated/SluiceParser.ts';
import { beginsLiteral, endOfLiteral } from './literal-braces.ts';
import { beforeBlocks } from './token-classes.ts';

export interface Brackets {
  /** For each opening token the place of its closing one, or of the one in front of which it should have been. */
  readonly ends: Int32Array;
  /** For each opening token, whether the token at its end closes it. */
  readonly isClosed: Uint8Array;
  /** For each token that closes another the place of that one, otherwise -1. */
  readonly starts: Int32Array;
  /** For each `{`, whether it begins a block, or the fields of a type. */
  readonly isBlock: Uint8Array;
}

interface Open {
  readonly at: number;
  readonly type: number;
  readonly isBlock: boolean;
  /** Of a block: how far the line of its statement is indented. */
  readonly indent: number;
  /** Of a block: where the statement in it begins that is being read. */
  start: number;
  /** Of a `for (`: how many `;` it has. */
  semicolons: number;
}

/** Wrong brackets are closed by others; further than that no right one is looked for. */
const mostWrong = 8;

const openers: ReadonlySet<number> = new Set([P.LPAREN, P.LBRACKET, P.LBRACE, P.BACKTICK, P.TEMPLATE_OPEN]);

/** `tokens` end with that of the end of the file. */
export function matchBrackets(tokens: readonly Token[], indents: Int32Array, byIndentation: boolean): Brackets {
  const matcher = new Matcher(tokens, indents);
  for (let at = 0; at < tokens.length; at++) {
    if (byIndentation) matcher.closeByIndentation(at);
    matcher.take(at);
  }
  return matcher.finish();
}

class Matcher implements Brackets {
  readonly ends: Int32Array;
  readonly isClosed: Uint8Array;
  readonly starts: Int32Array;
  readonly isBlock: Uint8Array;
  readonly #tokens: readonly Token[];
  readonly #indents: Int32Array;
  readonly #open: Open[] = [];
  #start = 0;

  constructor(tokens: readonly Token[], indents: Int32Array) {
    this.#tokens = tokens;
    this.#indents = indents;
    this.ends = new Int32Array(tokens.length);
    this.isClosed = new Uint8Array(tokens.length);
    this.starts = new Int32Array(tokens.length).fill(-1);
    this.isBlock = new Uint8Array(tokens.length);
  }

  take(at: number): void {
    const { type } = this.#tokens[at]!;
    if (openers.has(type)) this.#push(at, type);
    else if (type === P.RPAREN || type === P.RBRACKET) this.#closeParenthesis(at, type);
    else if (type === P.RBRACE) this.#closeBrace(at);
    else if (type === P.TEMPLATE_END) this.#closeTemplate(at);
    else if (type === P.SEMICOLON) this.#endStatement(at);
  }

  finish(): Brackets {
    while (this.#open.length > 0) this.#pop(this.#tokens.length - 1, false);
    return this;
  }

  /** A line that is not further in than that of a block is not in it, nor is the `}` of one that is further out. */
  closeByIndentation(at: number): void {
    const token = this.#tokens[at]!;
    if (at === 0 || this.#tokens[at - 1]!.line === token.line) return;
    const isCloser = token.type === P.RBRACE;
    for (let block = this.#block(); block !== undefined; block = this.#block()) {
      const isInside = isCloser ? block.indent <= token.column : block.indent < token.column;
      if (isInside || this.#tokens[block.at]!.line === token.line || this.#isInTemplate(block)) return;
      // `{` on a line of its own is as far out as its statement; so is what follows on lines of a row of conditions.
      if (token.type === P.LBRACE || token.type === P.RPAREN || token.type === P.RBRACKET) return;
      this.#popTo(block, at, false);
    }
  }

  /** The innermost block. */
  #block(): Open | undefined {
    return this.#open.findLast(({ isBlock }) => isBlock);
  }

  #isInTemplate(block: Open): boolean {
    return this.#open.at(-1) !== block && this.#open.at(-1)!.type === P.BACKTICK;
  }

  #push(at: number, type: number): void {
    const before = this.#tokens[at - 1]?.type ?? P.SEMICOLON;
    const isBlock = type === P.LBRACE && beforeBlocks.has(before) && !this.#beginsLiteral(at);
    // No block stands in parentheses.
    if (isBlock) while (this.#open.length > 0 && !isBarrier(this.#open.at(-1)!)) this.#pop(at, false);
    const around = this.#open.at(-1);
    const start = around?.start ?? this.#start;
    const indent = Math.min(this.#indents[at]!, this.#indents[start] ?? Infinity);
    this.#open.push({ at, type, isBlock, indent, start: at + 1, semicolons: 0 });
    if (isBlock) this.isBlock[at] = 1;
  }

  /** `P { x: 1 }` */
  #beginsLiteral(at: number): boolean {
    return this.#tokens[at + 2]?.type === P.COLON && this.#tokens[at - 1]?.type === P.NAME;
  }

  #pop(end: number, isClosed: boolean): void {
    const { at, isBlock } = this.#open.pop()!;
    this.ends[at] = end;
    this.isClosed[at] = isClosed ? 1 : 0;
    if (isClosed) this.starts[end] = at;
    if (isBlock) this.#setStart(isClosed ? end + 1 : end);
  }

  #popTo(open: Open, end: number, isClosed: boolean): void {
    while (this.#open.at(-1) !== open) this.#pop(end, false);
    this.#pop(end, isClosed);
  }

  #setStart(at: number): void {
    const around = this.#open.at(-1);
    if (around === undefined) this.#start = at;
    else around.start = at;
  }

  #closeParenthesis(at: number, type: number): void {
    const opener = type === P.RPAREN ? P.LPAREN : P.LBRACKET;
    for (let back = 1; back <= mostWrong; back++) {
      const open = this.#open.at(-back);
      if (open === undefined || isBarrier(open)) break;
      if (open.type === opener) {
        this.#popTo(open, at, true);
        return;
      }
    }
    const last = this.#open.at(-1);
    if (last !== undefined && !isBarrier(last) && last.type !== P.LBRACE) this.#pop(at, false);
  }

  #closeBrace(at: number): void {
    const open = this.#open.findLast(({ type }) => type === P.LBRACE || type === P.TEMPLATE_OPEN);
    if (open === undefined) this.#endStatement(at);
    else this.#popTo(open, at, true);
  }

  #closeTemplate(at: number): void {
    const open = this.#open.findLast(({ type, isBlock }) => isBlock || type === P.BACKTICK);
    if (open?.type === P.BACKTICK) this.#popTo(open, at, true);
  }

  #endStatement(at: number): void {
    const last = this.#open.at(-1);
    if (last?.type === P.LPAREN && this.#tokens[last.at - 1]?.type === P.FOR && last.semicolons < 2) {
      last.semicolons += 1;
      return;
    }
    // `{ x: 1; y: 2; }`
    if (last?.type === P.LBRACE && beginsLiteral(this.#tokens, last.at) && endOfLiteral(this.#tokens, at) !== null)
      return;
    while (this.#open.length > 0 && !isBarrier(this.#open.at(-1)!)) this.#pop(at, false);
    this.#setStart(at + 1);
  }
}

/** What ends with a statement does not reach beyond these. */
function isBarrier({ type, isBlock }: Open): boolean {
  return isBlock || type === P.TEMPLATE_OPEN || type === P.BACKTICK;
}
