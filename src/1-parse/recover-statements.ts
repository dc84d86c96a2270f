// Statements around a mistake. Each is read without what its blocks hold, which is read by itself, so that a mistake
// costs the innermost statement that it is in, and each token is looked at once for every try, however deep it stands.

import type { Token } from 'antlr4ng';
import { buildStatement } from './build-statements.ts';
import { SluiceParser as P } from './generated/SluiceParser.ts';
import { deepestNesting } from './nesting.ts';
import type { PieceReader } from './piece-reader.ts';
import type { Piece, Pieces } from './pieces.ts';
import type { Broken, Expression, Statement } from './syntax-tree.ts';
import { tokenBehind } from './token-window.ts';

/** A text that goes wrong so often is no script. */
const mostBroken = 300;

/** A piece without what stands in its blocks. */
export interface Skeleton {
  readonly tokens: readonly Token[];
  /** Where the content of each block begins and ends. */
  readonly contents: ReadonlyMap<Token, readonly [start: number, end: number]>;
  /** No `}` is missing. */
  readonly isWhole: boolean;
}

export class StatementRecovery {
  readonly reader: PieceReader;
  readonly pieces: Pieces;
  readonly #visible: readonly Token[];
  readonly #budget: { broken: number };

  /** The budget is what all parts of a file share. */
  constructor(reader: PieceReader, pieces: Pieces, budget: { broken: number }) {
    this.reader = reader;
    this.pieces = pieces;
    this.#visible = reader.tokens.visible;
    this.#budget = budget;
  }

  /** The statements of a block, or of what is left of one. `depth` is how many blocks are around them. */
  statements(start: number, end: number, depth: number): readonly Statement[] {
    const found: Statement[] = [];
    for (let at = start; at < end;) {
      if (this.isExhausted || depth > deepestNesting) return [...found, this.unreadable(at, end)];
      const piece = this.pieces.pieceAt(at, end);
      found.push(...this.#piece(piece, depth));
      at = piece.end;
    }
    return found;
  }

  get isExhausted(): boolean {
    return this.#budget.broken >= mostBroken;
  }

  skeleton({ start, end }: Piece): Skeleton {
    const tokens: Token[] = [];
    const contents = new Map<Token, readonly [number, number]>();
    let isWhole = true;
    for (let at = start; at < end; at++) {
      const token = this.#visible[at]!;
      tokens.push(token);
      if (!this.pieces.isBlock(at)) continue;
      const inside = this.pieces.insideEnd(at, end);
      contents.set(token, [at + 1, inside]);
      if (!this.pieces.isClosed(at, end)) {
        tokens.push(tokenBehind(this.#visible[inside - 1]!, P.RBRACE, '}'));
        isWhole = false;
      }
      at = inside - 1;
    }
    return { tokens, contents, isWhole };
  }

  /** Reads a piece that may lack its `;`. */
  read(skeleton: Skeleton, depth: number, semicolon = false): Statement | null {
    const { tokens, contents } = skeleton;
    const read = semicolon ? [...tokens, tokenBehind(tokens.at(-1)!, P.SEMICOLON, ';')] : tokens;
    const context = this.reader.read(read, (parser) => parser.statement());
    if (context === null) return null;
    const builder = this.reader.builder((brace) => {
      const content = contents.get(brace);
      return content === undefined ? null : this.statements(...content, depth + 1);
    });
    return buildStatement(builder, context);
  }

  #piece(piece: Piece, depth: number): readonly Statement[] {
    const skeleton = this.skeleton(piece);
    const statement = this.read(skeleton, depth);
    if (statement !== null)
      return [skeleton.isWhole ? statement : this.broken(piece.start, piece.end, [], [statement])];
    const parts = this.pieces.divide(piece);
    if (parts.length === 1) return [this.repaired(piece, depth)];
    return parts.flatMap((part): readonly Statement[] => this.part(part, depth));
  }

  /** A part of a piece that has been divided. */
  part(part: Piece, depth: number): readonly Statement[] {
    if (this.isExhausted) return [this.unreadable(part.start, part.end)];
    const skeleton = this.skeleton(part);
    const statement = skeleton.isWhole ? this.read(skeleton, depth) : null;
    return [statement ?? this.repaired(part, depth)];
  }

  /** What can be read of a piece with a mistake. */
  repaired(piece: Piece, depth: number): Broken {
    this.#budget.broken += 1;
    const { start, end } = piece;
    if (this.isExhausted || depth > deepestNesting) return this.unreadable(start, end);
    const { type } = this.#visible[start]!;
    if (type === P.ELSE && end > start + 1)
      return this.broken(start, end, [], this.#piece({ ...piece, start: start + 1 }, depth + 1));
    return (
      (headWords.has(type) ? this.#headed(piece, depth) : null) ??
      this.#unfinished(piece, depth) ??
      this.#declaration(piece) ??
      this.#nestedFunction(piece) ??
      this.#partly(piece, depth)
    );
  }

  /** The `;` is missing, or what is closed by it. */
  #unfinished(piece: Piece, depth: number): Broken | null {
    const skeleton = this.skeleton(piece);
    const statement = this.#visible[piece.end - 1]!.type === P.SEMICOLON ? null : this.read(skeleton, depth, true);
    if (statement === null) return null;
    // A name alone is rather the beginning of something else.
    const isBegun = statement.kind === 'expression-statement' && !effects.has(statement.expression.kind);
    return isBegun
      ? this.broken(piece.start, piece.end, [statement.expression], [])
      : this.broken(piece.start, piece.end, [], [statement]);
  }

  /** The value is wrong, but not what is declared. */
  #declaration({ start, end }: Piece): Broken | null {
    const name = this.pieces.nameOfDeclaration(start, end);
    if (name === null || name + 1 >= end || this.#visible[name + 1]!.type !== P.ASSIGN) return null;
    const tokens = this.#visible.slice(start, name + 1);
    const read = this.read({ tokens, contents: new Map(), isWhole: true }, 0, true);
    if (read?.kind !== 'variable-declaration') return null;
    const expressions = this.reader.expressions(name + 2, end);
    this.reader.leaveUnread(name + 2, end);
    const value: Expression = { kind: 'invalid-expression', expressions, span: this.reader.spanOf(name + 1, end) };
    const declarators = read.declarators.map((declarator) => ({ ...declarator, initialiser: value }));
    return this.broken(start, end, [], [{ ...read, declarators }]);
  }

  /** The parentheses of an `if` or loop are wrong, but not what it does. */
  #headed({ start, end }: Piece, depth: number): Broken | null {
    const opener = start + 1;
    if (opener >= end || this.#visible[opener]!.type !== P.LPAREN) return null;
    const behind = this.pieces.behind(opener, end);
    const inside = this.pieces.insideEnd(opener, end);
    if (behind >= end) return null;
    const expressions = this.reader.expressions(opener + 1, inside);
    this.reader.leaveUnread(start, behind);
    return this.broken(start, end, expressions, this.statements(behind, end, depth + 1));
  }

  /** What it returns and is given is not that of the function around it. */
  #nestedFunction({ start, end }: Piece): Broken | null {
    return this.pieces.isFunction(start, end) ? this.unreadable(start, end) : null;
  }

  #partly(piece: Piece, depth: number): Broken {
    const { start, end } = piece;
    const statements: Statement[] = [];
    const expressions: Expression[] = [];
    let first = start;
    const readUpTo = (at: number): void => {
      expressions.push(...this.reader.expressions(first, at));
      this.reader.leaveUnread(first, at);
    };
    for (let at = start; at < end; at++) {
      if (!this.pieces.isBlock(at)) continue;
      readUpTo(at);
      const inside = this.pieces.insideEnd(at, end);
      first = this.pieces.behind(at, end);
      statements.push({
        kind: 'block',
        statements: this.statements(at + 1, inside, depth + 1),
        span: this.reader.spanOf(at, first),
      });
      at = first - 1;
    }
    readUpTo(end);
    return this.broken(start, end, expressions, statements);
  }

  /** Nothing of it is read. */
  unreadable(start: number, end: number): Broken {
    this.reader.leaveUnread(start, end);
    return this.broken(start, end, [], []);
  }

  broken(start: number, end: number, expressions: readonly Expression[], statements: readonly Statement[]): Broken {
    return { kind: 'broken', expressions, statements, span: this.reader.spanOf(start, end) };
  }
}

/** What begins with them goes on behind parentheses. */
const headWords: ReadonlySet<number> = new Set([P.IF, P.WHILE, P.FOR, P.FOREACH, P.CATCH]);

const effects: ReadonlySet<Expression['kind']> = new Set(['call', 'update']);
