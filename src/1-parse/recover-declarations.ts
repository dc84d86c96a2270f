// Functions and types with a mistake in them: what is around the mistake declares as much as can be read.

import type { Token } from 'antlr4ng';
import { buildField, buildItem, buildParameter } from './build-items.ts';
import { buildTypeReference } from './build-types.ts';
import { SluiceParser as P } from './generated/SluiceParser.ts';
import type { PieceReader } from './piece-reader.ts';
import type { Piece, Pieces } from './pieces.ts';
import type { StatementRecovery } from './recover-statements.ts';
import type { Block, FieldDeclaration, Item, Name, Parameter, TypeSyntax } from './syntax-tree.ts';
import { tokenBehind } from './token-window.ts';

export class DeclarationRecovery {
  readonly statements: StatementRecovery;
  readonly pieces: Pieces;
  readonly #reader: PieceReader;
  readonly #visible: readonly Token[];

  constructor(statements: StatementRecovery) {
    this.statements = statements;
    this.pieces = statements.pieces;
    this.#reader = statements.reader;
    this.#visible = this.#reader.tokens.visible;
  }

  /** What can be read of a piece at the top level that has a mistake. */
  items(piece: Piece): readonly Item[] {
    const whole = this.#item(piece);
    if (whole !== null) return [whole];
    return this.pieces.divide(piece).flatMap((part): readonly Item[] => {
      const item = this.statements.isExhausted ? null : this.#item(part);
      return item === null ? this.statements.part(part, 0) : [item];
    });
  }

  #item(piece: Piece): Item | null {
    const { start, end } = piece;
    if (this.#visible[start]!.type === P.TYPE) return this.#type(piece);
    const name = this.pieces.nameOfFunction(start, end);
    if (name !== null && this.#bodyOf(name, end) !== null) return this.#whole(piece) ?? this.#function(piece, name);
    const skeleton = this.statements.skeleton(piece);
    const statement = this.statements.read(skeleton, 0);
    if (statement === null) return null;
    return skeleton.isWhole ? statement : this.statements.broken(start, end, [], [statement]);
  }

  /** A function whose mistakes are all in statements. */
  #whole(piece: Piece): Item | null {
    const { tokens, contents, isWhole } = this.statements.skeleton(piece);
    const context = this.#reader.read(tokens, (parser) => parser.item());
    if (context === null) return null;
    const builder = this.#reader.builder((brace) => {
      const content = contents.get(brace);
      return content === undefined ? null : this.statements.statements(...content, 1);
    });
    const item = buildItem(builder, context);
    const isFunction = item.kind === 'function-declaration' || item.kind === 'main-declaration';
    return isWhole || !isFunction ? item : { ...item, isBroken: true };
  }

  /** Where the body of a function begins, of which the `{` may be missing; null for what is rather a call. */
  #bodyOf(name: number, end: number): number | null {
    const behind = this.pieces.behind(name + 1, end);
    for (let at = behind; at < end && !this.pieces.isFirst(at); at++) if (this.pieces.isBlock(at)) return at;
    const isBlock = behind < end && this.pieces.isBlock(behind);
    const isIndented = behind < end && this.pieces.isFirst(behind) && this.#visible[end - 1]!.type === P.RBRACE;
    return isBlock || isIndented ? behind : null;
  }

  #function({ start, end }: Piece, name: number): Item {
    const body = this.#bodyOf(name, end)!;
    const isMain = this.#visible[name]!.type === P.MAIN && name === start;
    // Whoever calls it is told nothing of its parameters.
    this.#reader.leaveUnread(start, body);
    this.#reader.leaveForeignWords(body, end);
    const head = { name: this.#name(name), parameters: this.#parameters(name + 1, body), body: this.#body(body, end) };
    const span = this.#reader.spanOf(start, end);
    if (isMain) return { kind: 'main-declaration', ...head, span, isBroken: true };
    const exported = this.#visible[start]!.type === P.EXPORT;
    const returnType = this.#typeBetween(exported ? start + 1 : start, name);
    return { kind: 'function-declaration', exported, returnType, ...head, span, isBroken: true };
  }

  #name(at: number): Name {
    return { text: this.#visible[at]!.text ?? '', span: this.#reader.spanOf(at, at + 1) };
  }

  #typeBetween(start: number, end: number): TypeSyntax {
    const { start: place, file } = this.#reader.spanOf(start, end);
    const nothing: TypeSyntax = { kind: 'invalid-type', span: { file, start: place, end: place } };
    if (start >= end) return nothing;
    const context = this.#reader.read(this.#visible.slice(start, end), (parser) => parser.typeReference());
    return context === null ? nothing : buildTypeReference(this.#reader.builder(), context);
  }

  /** Those that can be read. */
  #parameters(opener: number, body: number): readonly Parameter[] {
    const end = this.pieces.insideEnd(opener, body);
    return this.#separate(opener + 1, end, (type) => type === P.COMMA).flatMap((tokens): readonly Parameter[] => {
      const context = this.#reader.read(tokens, (parser) => parser.parameter());
      return context === null ? [] : [buildParameter(this.#reader.builder(), context)];
    });
  }

  #body(body: number, end: number): Block {
    const isOpened = this.pieces.isBlock(body);
    const isClosed = this.#visible[end - 1]!.type === P.RBRACE;
    return {
      kind: 'block',
      statements: this.statements.statements(isOpened ? body + 1 : body, isClosed ? end - 1 : end, 1),
      span: this.#reader.spanOf(body, end),
    };
  }

  #type({ start, end }: Piece): Item | null {
    const opener = start + this.#visible.slice(start, end).findIndex(({ type }) => type === P.LBRACE);
    if (this.#visible[start + 1]!.type !== P.NAME || opener < start) return null;
    const inside = this.pieces.insideEnd(opener, end);
    const fields = this.#separate(opener + 1, inside, (type, at) => type === P.SEMICOLON || this.#endsLine(at));
    this.#reader.leaveUnread(start + 1, end);
    return {
      kind: 'type-declaration',
      name: this.#name(start + 1),
      fields: fields.flatMap((tokens) => this.#field(tokens)),
      span: this.#reader.spanOf(start, end),
      isBroken: true,
    };
  }

  #endsLine(at: number): boolean {
    return this.#visible[at]!.type === P.NAME && this.pieces.isFirst(at + 1);
  }

  #field(tokens: readonly Token[]): readonly FieldDeclaration[] {
    const isEnded = tokens.at(-1)?.type === P.SEMICOLON;
    const last = tokens.at(-1);
    if (last === undefined) return [];
    const whole = isEnded ? tokens : [...tokens, tokenBehind(last, P.SEMICOLON, ';')];
    const context = this.#reader.read(whole, (parser) => parser.field());
    return context === null ? [] : [buildField(this.#reader.builder(), context)];
  }

  /** Tokens between separators, which are left out where they are commas. */
  #separate(start: number, end: number, ends: (type: number, at: number) => boolean): readonly (readonly Token[])[] {
    const parts: Token[][] = [];
    let first = start;
    for (let at = start; at < end; at++) {
      if (this.pieces.isOpener(at)) at = Math.max(at, this.pieces.behind(at, end) - 1);
      const { type } = this.#visible[at]!;
      if (!ends(type, at)) continue;
      parts.push(this.#visible.slice(first, type === P.COMMA ? at : at + 1));
      first = at + 1;
    }
    if (first < end) parts.push(this.#visible.slice(first, end));
    return parts;
  }
}
