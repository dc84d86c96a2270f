// The tree of a file with a mistake in its syntax: its items are cut apart and read one by one, so that the mistake
// costs the statement that it is in. Nothing is reported here: syntax-errors.ts does that.

import type { Token } from 'antlr4ng';
import type { DiagnosticSink } from '../diagnostics/diagnostic.ts';
import type { SourceFile } from '../source.ts';
import type { Poll } from '../stopping.ts';
import { matchBrackets } from './brackets.ts';
import { buildHeader, buildImport, buildItem } from './build-items.ts';
import { SluiceParser as P } from './generated/SluiceParser.ts';
import { indentsOf } from './indentation.ts';
import type { KnownItems, PlacedItem } from './item-cache.ts';
import { PieceReader } from './piece-reader.ts';
import { Pieces } from './pieces.ts';
import type { Piece } from './pieces.ts';
import { DeclarationRecovery } from './recover-declarations.ts';
import { StatementRecovery } from './recover-statements.ts';
import type { Header, ImportDeclaration, Item, SyntaxFile } from './syntax-tree.ts';
import { tokenBehind } from './token-window.ts';
import type { Tokens } from './tokens.ts';

export type RecoveredFile = Pick<SyntaxFile, 'headers' | 'imports' | 'items'> & {
  readonly unreadNames: ReadonlySet<string>;
  /** Items without a mistake, in the order of the text. */
  readonly whole: readonly PlacedItem[];
};

/** Reads what can be read. What the texts of literals have wrong is reported into the sink. */
export function recoverFile(
  source: SourceFile,
  tokens: Tokens,
  known: KnownItems,
  sink: DiagnosticSink,
  poll: Poll,
): RecoveredFile {
  return new FileRecovery(source, tokens, known, sink, poll).read();
}

/** `@tool:key "value"` */
const headerLength = 5;
/** Behind these an item may begin. */
const ends: ReadonlySet<number> = new Set([P.SEMICOLON, P.LBRACE, P.RBRACE]);
const closers: ReadonlySet<number> = new Set([P.RBRACE, P.RPAREN, P.RBRACKET]);

class FileRecovery {
  readonly #visible: readonly Token[];
  readonly #known: KnownItems;
  readonly #indents: Int32Array;
  readonly #reader: PieceReader;
  readonly #exact: DeclarationRecovery;
  /** Made where a brace is missing. */
  #byIndentation: DeclarationRecovery | null = null;
  readonly #budget = { broken: 0 };
  readonly #end: number;
  readonly #headers: Header[] = [];
  readonly #imports: ImportDeclaration[] = [];
  readonly #items: Item[] = [];
  readonly #whole: PlacedItem[] = [];

  constructor(source: SourceFile, tokens: Tokens, known: KnownItems, sink: DiagnosticSink, poll: Poll) {
    this.#visible = tokens.visible;
    this.#known = known;
    this.#end = this.#visible.length - 1;
    this.#indents = indentsOf(this.#visible);
    this.#reader = new PieceReader(source, tokens, sink, poll);
    this.#exact = this.#recovery(false);
  }

  read(): RecoveredFile {
    for (let at = 0; at < this.#end;) {
      if (this.#exact.statements.isExhausted) {
        this.#items.push(this.#exact.statements.unreadable(at, this.#end));
        break;
      }
      const { type } = this.#visible[at]!;
      if (type === P.AT) at = this.#readHeader(at);
      else if (type === P.IMPORT) at = this.#readImport(at);
      else at = this.#readItem(at);
    }
    return {
      headers: this.#headers,
      imports: this.#imports,
      items: this.#items,
      unreadNames: this.#reader.unreadNames,
      whole: this.#whole,
    };
  }

  #readHeader(at: number): number {
    const end = Math.min(at + headerLength, this.#end);
    const context = this.#reader.read(this.#visible.slice(at, end), (parser) => parser.header());
    if (context === null) return this.#leave(at, this.#endOfLine(at));
    this.#headers.push(buildHeader(this.#reader.builder(), context));
    return end;
  }

  #readImport(at: number): number {
    const line = this.#endOfLine(at);
    const semicolon = this.#visible.slice(at, line).findIndex(({ type }) => type === P.SEMICOLON);
    const end = semicolon < 0 ? line : at + semicolon + 1;
    const tokens = this.#visible.slice(at, end);
    const isWhole = tokens.at(-1)!.type === P.SEMICOLON;
    if (!isWhole) tokens.push(tokenBehind(tokens.at(-1)!, P.SEMICOLON, ';'));
    const context = this.#reader.read(tokens, (parser) => parser.importDeclaration());
    if (context === null) return this.#leave(at, end);
    const isLate = this.#items.length > 0;
    const node = buildImport(this.#reader.builder(), context);
    this.#imports.push(isWhole && !isLate ? node : { ...node, isBroken: true });
    return end;
  }

  #leave(at: number, end: number): number {
    this.#items.push(this.#exact.statements.unreadable(at, end));
    return end;
  }

  #readItem(at: number): number {
    if (closers.has(this.#visible[at]!.type)) return this.#leave(at, at + 1);
    if (this.#isHeadlessType(at)) return this.#leave(at, this.#nextFunction(at, this.#endByIndentation(at, at + 1)));
    const exact = this.#exact.pieces.pieceAt(at, this.#end);
    const isSpilled = (exact.isWhole && this.#isSpilled(exact)) || this.#lacksBrace(at);
    if (exact.isWhole && !isSpilled) {
      const item = this.#readWhole(exact);
      if (item !== null) {
        this.#items.push(item);
        this.#whole.push({ item, start: at, end: exact.end });
        return exact.end;
      }
      if (!this.#holdsDeclaration(exact)) return this.#recover(this.#exact, exact);
    }
    this.#byIndentation ??= this.#recovery(true);
    const limit = this.#nextFunction(at, this.#endByIndentation(at, at + 1));
    const piece = this.#byIndentation.pieces.pieceAt(at, limit);
    return this.#recover(this.#byIndentation, isSpilled ? { ...piece, end: limit } : piece);
  }

  #readWhole({ start, end }: Piece): Item | null {
    const known = this.#known.get(this.#visible[start]!);
    if (known?.end === end) return known.item();
    const context = this.#reader.read(this.#visible.slice(start, end), (parser) => parser.item());
    return context === null ? null : buildItem(this.#reader.builder(), context);
  }

  #recover(recovery: DeclarationRecovery, piece: Piece): number {
    this.#items.push(...recovery.items(piece));
    return piece.end;
  }

  #recovery(byIndentation: boolean): DeclarationRecovery {
    const pieces = new Pieces(this.#visible, matchBrackets(this.#visible, this.#indents, byIndentation));
    return new DeclarationRecovery(new StatementRecovery(this.#reader, pieces, this.#budget));
  }

  /** Whether a `}` is missing in it, since a declaration begins at the edge where it should have ended. */
  #holdsDeclaration({ start, end }: Piece): boolean {
    for (let at = start + 1; at < end; at++)
      if (this.#isOutside(at, start) && this.#exact.pieces.isDeclaration(at, end)) return true;
    return false;
  }

  /** Whether a type has no name or no `{`, so that its fields would be variables. */
  #isHeadlessType(at: number): boolean {
    const [type, name, brace] = this.#visible.slice(at, at + 3).map((token) => token.type);
    return type === P.TYPE && (name !== P.NAME || (brace !== P.LBRACE && brace !== P.ASSIGN));
  }

  /** Functions stand in nothing, so what has one in it is without its end; `limit` where none is. */
  #nextFunction(start: number, limit: number): number {
    const { pieces } = this.#exact;
    for (let at = start + 1; at < limit; at++)
      if (ends.has(this.#visible[at - 1]!.type) && pieces.isTypedFunction(at, limit)) return at;
    return limit;
  }

  /** Whether a `}` too many ended it: its lines go on behind it, and then there is one that closes nothing. */
  #isSpilled({ start, end }: Piece): boolean {
    if (end >= this.#end || this.#visible[end - 1]!.type !== P.RBRACE || !this.#exact.pieces.isFirst(start))
      return false;
    if (!this.#exact.pieces.isFirst(end) || this.#indents[end]! <= this.#indents[start]!) return false;
    const limit = this.#endByIndentation(start, end);
    for (let at = end; at < limit; at++) if (this.#exact.pieces.isStray(at, end)) return true;
    return false;
  }

  /** Whether a function begins here without a `{`, and ends with a `}`. */
  #lacksBrace(start: number): boolean {
    const { pieces } = this.#exact;
    const name = pieces.nameOfFunction(start, this.#end);
    if (name === null) return false;
    const behind = pieces.behind(name + 1, this.#end);
    if (behind >= this.#end || !pieces.isFirst(behind) || this.#indents[behind]! <= this.#indents[start]!) return false;
    const last = this.#endByIndentation(start, behind) - 1;
    return pieces.isStray(last, start) && pieces.isFirst(last);
  }

  /** From a token on, behind the last one that is further in than the line of the first, or closes its block. */
  #endByIndentation(start: number, from: number): number {
    for (let at = from; at < this.#end; at++) {
      if (this.#visible[at]!.type === P.BACKTICK) at = Math.max(at, this.#exact.pieces.behind(at, this.#end) - 1);
      else if (this.#isOutside(at, start)) {
        const { type } = this.#visible[at]!;
        if (type === P.RBRACE) return at + 1;
        if (type !== P.LBRACE && !closers.has(type) && type !== P.ELSE && type !== P.CATCH) return at;
      }
    }
    return this.#end;
  }

  #isOutside(at: number, start: number): boolean {
    return this.#exact.pieces.isFirst(at) && this.#indents[at]! <= this.#indents[start]!;
  }

  #endOfLine(start: number): number {
    let at = start + 1;
    while (at < this.#end && !this.#exact.pieces.isFirst(at)) at++;
    return at;
  }
}
