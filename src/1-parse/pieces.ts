// Where statements and items end, without parsing them. Of what has no mistake the end is exact; where a `;` or a
// bracket is missing, `divide` finds the places at which something else must begin.

import type { Token } from 'antlr4ng';
import { SluiceParser as P } from './generated/SluiceParser.ts';
import type { Brackets } from './brackets.ts';
import {
  bodyWords,
  declarationWords,
  literals,
  operandEnds,
  primitives,
  statementWords,
  trailedWords,
} from './token-classes.ts';

export interface Piece {
  readonly start: number;
  /** Behind its last token. */
  readonly end: number;
  /** It has its end, and all brackets in it have theirs. */
  readonly isWhole: boolean;
}

const heads: ReadonlySet<number> = new Set([P.IF, P.WHILE, P.FOR, P.FOREACH, P.CATCH]);

/** Elsewhere these stand behind what they are about: `return x if (y)`. */
const modifiers: ReadonlySet<number> = new Set([P.IF, P.WHILE, P.FOR, P.FOREACH]);

export class Pieces {
  readonly #tokens: readonly Token[];
  readonly #brackets: Brackets;

  constructor(tokens: readonly Token[], brackets: Brackets) {
    this.#tokens = tokens;
    this.#brackets = brackets;
  }

  isBlock(at: number): boolean {
    return this.#brackets.isBlock[at] === 1;
  }

  /** The token behind the bracket that opens here, and what is in it; `limit` at most. */
  behind(opener: number, limit: number): number {
    return Math.min(limit, this.#brackets.ends[opener]! + this.#brackets.isClosed[opener]!);
  }

  isClosed(opener: number, limit: number): boolean {
    return this.#brackets.isClosed[opener] === 1 && this.#brackets.ends[opener]! < limit;
  }

  /** Behind what the bracket holds; `limit` at most. */
  insideEnd(opener: number, limit: number): number {
    return Math.min(limit, this.#brackets.ends[opener]!);
  }

  isOpener(at: number): boolean {
    return this.#brackets.ends[at] !== 0;
  }

  /** The statement or item that begins here. */
  pieceAt(start: number, limit: number): Piece {
    let trails = 0;
    let isWhole = true;
    const goesOn = (at: number): boolean => {
      const type = at < limit ? this.#type(at) : P.EOF;
      if (type === P.WHILE && trails > 0) {
        trails -= 1;
        return true;
      }
      // `do { … } until (…);` is one mistake.
      return type === P.ELSE || type === P.CATCH || (trails > 0 && at < limit && !this.isFirst(at));
    };
    for (let at = start; at < limit;) {
      const type = this.#type(at);
      if (this.isOpener(at)) {
        const isBlock = this.isBlock(at);
        isWhole &&= this.isClosed(at, limit);
        at = this.behind(at, limit);
        if (isBlock && !goesOn(at)) return { start, end: at, isWhole };
        continue;
      }
      // It closes nothing.
      if (type === P.RBRACE) return { start, end: Math.max(at, start + 1), isWhole: false };
      at += 1;
      if (trailedWords.has(type)) trails += 1;
      if (type === P.SEMICOLON && !goesOn(at)) return { start, end: at, isWhole };
    }
    return { start, end: limit, isWhole: false };
  }

  /** Divides a piece with a mistake where another statement must begin, since a `;` or a bracket is missing before. */
  divide({ start, end }: Piece): readonly Piece[] {
    const starts = [start];
    for (let at = start; at < end;) {
      if (at > start && this.#begins(at, end)) starts.push(at);
      // What stands in blocks is divided by itself, and templates are not divided.
      if (this.isBlock(at) || this.#type(at) === P.BACKTICK) at = Math.max(at + 1, this.behind(at, end));
      else at += 1;
    }
    return starts.map((at, index) => ({ start: at, end: starts[index + 1] ?? end, isWhole: false }));
  }

  /** Whether only a statement or an item can begin here. */
  #begins(at: number, end: number): boolean {
    const type = this.#type(at);
    const before = this.#tokens[at - 1]!;
    const next = at + 1 < end ? this.#type(at + 1) : P.EOF;
    const isFirst = this.isFirst(at);
    if (before.type === P.DOT && !isFirst) return false;
    if (type === P.ELSE || type === P.CATCH) return before.type === P.SEMICOLON || before.type === P.RBRACE;
    if (statementWords.has(type) && (isFirst || !modifiers.has(type))) return next !== P.COLON && !this.#isBody(at);
    if (!isFirst) return false;
    if (declarationWords.has(type)) return before.type !== P.EXPORT && next !== P.COLON && next !== P.LPAREN;
    if (this.#isBody(at)) return false;
    if (this.nameOfDeclaration(at, end) !== null && before.type !== P.EXPORT) return true;
    return (
      operandEnds.has(before.type) && (type === P.NAME || literals.has(type) || type === P.NEW || type === P.BACKTICK)
    );
  }

  /** Whether it is the body of what stands in front of it. */
  #isBody(at: number): boolean {
    const before = this.#type(at - 1);
    if (bodyWords.has(before)) return true;
    return before === P.RPAREN && this.headOf(at - 1) !== null;
  }

  /** The `if` or loop whose parentheses end here. */
  headOf(closer: number): number | null {
    const head = this.#brackets.starts[closer]! - 1;
    return head >= 0 && heads.has(this.#type(head)) ? head : null;
  }

  /** Whether it is a `}` of nothing that begins at `from` or behind it. */
  isStray(at: number, from: number): boolean {
    return this.#type(at) === P.RBRACE && this.#brackets.starts[at]! < from;
  }

  /** The first token of its line. */
  isFirst(at: number): boolean {
    return at === 0 || this.#tokens[at - 1]!.line < this.#tokens[at]!.line;
  }

  /** `T name`, `int[] name`, `a.T? name`: where the name stands. */
  nameOfDeclaration(start: number, end: number): number | null {
    let at = start;
    if (at < end && this.#type(at) === P.CONST) at += 1;
    if (at >= end) return null;
    if (primitives.has(this.#type(at))) at += 1;
    else if (this.#type(at) === P.NAME) {
      at += 1;
      if (at + 1 < end && this.#type(at) === P.DOT && this.#type(at + 1) === P.NAME) at += 2;
    } else return null;
    while (at + 1 < end && (this.#type(at) === P.QUESTION || this.#isEmptyPair(at)))
      at += this.#type(at) === P.QUESTION ? 1 : 2;
    return at < end && (this.#type(at) === P.NAME || this.#type(at) === P.MAIN) ? at : null;
  }

  #isEmptyPair(at: number): boolean {
    return this.#type(at) === P.LBRACKET && this.#type(at + 1) === P.RBRACKET;
  }

  /** `export int f(`, `f(`, `main(` where a function begins: where its name stands. */
  nameOfFunction(start: number, end: number): number | null {
    const at = start < end && this.#type(start) === P.EXPORT ? start + 1 : start;
    const declared = this.nameOfDeclaration(at, end);
    const isBare = at < end && (this.#type(at) === P.NAME || this.#type(at) === P.MAIN);
    for (const name of [declared, isBare ? at : null])
      if (name !== null && name + 1 < end && this.#type(name + 1) === P.LPAREN) return name;
    return null;
  }

  /** Whether a type, an import or a function begins here beyond doubt. */
  isDeclaration(at: number, limit: number): boolean {
    const type = this.#type(at);
    if (type === P.TYPE) return at + 2 < limit && this.#type(at + 1) === P.NAME && this.#type(at + 2) === P.LBRACE;
    if (type === P.IMPORT) return at + 1 < limit && this.#type(at + 1) === P.STRING_LITERAL;
    return this.isFunction(at, limit);
  }

  /** Whether a name, parameters and a block stand here. */
  isFunction(at: number, limit: number): boolean {
    const name = this.nameOfFunction(at, limit);
    if (name === null) return false;
    const behind = this.behind(name + 1, limit);
    return behind < limit && this.isBlock(behind);
  }

  /** Whether there is a type in front of the name, or it is a main. */
  isTypedFunction(at: number, limit: number): boolean {
    if (this.#type(at) === P.EXPORT || this.#type(at) === P.MAIN) return this.isFunction(at, limit);
    return this.nameOfDeclaration(at, limit) !== null && this.isFunction(at, limit);
  }

  #type(at: number): number {
    return this.#tokens[at]!.type;
  }
}
