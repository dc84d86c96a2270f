// What one parse of a file keeps for the next: the items that were read without a mistake. While somebody types, nearly
// all of them stay what they are, and are taken over instead of being parsed again.

import type { Token } from 'antlr4ng';
import type { SourceFile, Span } from '../source.ts';
import { SluiceParser as P } from './generated/SluiceParser.ts';
import { MovedItem } from './move-spans.ts';
import type { FunctionDeclaration, Item } from './syntax-tree.ts';
import { commonEnd, commonStart, TokenBuffer } from './token-buffer.ts';
import type { Tokens } from './tokens.ts';

/** An item, and its place among the visible tokens: from `start` until before `end`. */
export interface PlacedItem {
  readonly item: Item;
  readonly start: number;
  readonly end: number;
}

/** A place that an item of the text before has in this one. */
export interface KnownItem {
  /** Its node, with spans of this text; made when it is first asked for. */
  readonly item: () => Item;
  readonly start: number;
  readonly end: number;
  /** The token behind it. */
  readonly behind: Token;
}

/** The known items by their first token. */
export type KnownItems = ReadonlyMap<Token, KnownItem>;

export const noneKnown: KnownItems = new Map();

interface Kept {
  readonly text: string;
  /** Of each visible token the type; 0 for one that was mended. */
  readonly types: Uint8Array;
  /** Of each visible token the offset at which it starts. */
  readonly starts: Int32Array;
  readonly items: readonly (PlacedItem & { readonly span: Omit<Span, 'file'> })[];
}

/** A copy, and the item of the text before that it is one of. */
interface TakenItem {
  readonly moved: MovedItem;
  readonly origin: Item;
}

/** These belong to what stands before them, so what seemed whole is not. */
const continuations: ReadonlySet<number> = new Set([P.ELSE, P.CATCH]);

/** For one parse: made with that of the parse before, and full afterwards. */
export class ItemCache {
  #earlier: ItemCache | null;
  #kept: Kept | null = null;
  #tokens: TokenBuffer | null = null;
  #table: Pick<Kept, 'types' | 'starts'> | null = null;
  readonly #taken = new Map<Item, TakenItem>();

  constructor(earlier: ItemCache | null) {
    this.#earlier = earlier;
  }

  /** The tokens of the text before, which no other parse gets from then on. */
  takeTokens(): TokenBuffer {
    const earlier = this.#earlier;
    const taken = earlier === null ? null : earlier.#tokens;
    if (earlier !== null) earlier.#tokens = null;
    return taken ?? new TokenBuffer();
  }

  /** The items of the text before that stand in this one too, with the same tokens. */
  find(source: SourceFile, tokens: Tokens): KnownItems {
    const earlier = this.#earlier;
    // Otherwise each text would keep those before it.
    this.#earlier = null;
    this.#table = tableOf(tokens);
    if (earlier === null || earlier.#kept === null) return noneKnown;
    const known = earlier.#taken;
    return findKept(earlier.#kept, this.#table, source, tokens, (item, change) => {
      const moved = new MovedItem(known.get(item)?.moved ?? item, source, change);
      this.#taken.set(moved.node, { moved, origin: item });
      return moved.node;
    });
  }

  /** The function of the text before that one was taken over from; null if it was read. */
  originOf(node: FunctionDeclaration): FunctionDeclaration | null {
    const origin = this.#taken.get(node)?.origin;
    return origin?.kind === 'function-declaration' ? origin : null;
  }

  keepTokens(tokens: TokenBuffer): void {
    this.#tokens = tokens;
  }

  /** Keeps the items in whose tokens and spans is nothing to report. */
  keep(source: SourceFile, tokens: Tokens, items: readonly PlacedItem[], faults: readonly Span[]): void {
    const { visible } = tokens;
    const spans = items.map(({ start, end }) => tokens.spanOf(visible[start]!, visible[end - 1]));
    const isFaulty = (span: Span): boolean => faults.some(({ start, end }) => start < span.end && end > span.start);
    this.#kept = {
      text: source.text,
      ...(this.#table ?? tableOf(tokens)),
      items: items
        .map((placed, at) => ({ ...placed, span: { start: spans[at]!.start, end: spans[at]!.end } }))
        // Whether a `{` begins a block or an object may depend on what follows.
        .filter(({ start }, at) => visible[start]!.type !== P.LBRACE && !isFaulty(spans[at]!)),
    };
  }
}

function tableOf({ visible, mended, startOf }: Tokens): Pick<Kept, 'types' | 'starts'> {
  const types = new Uint8Array(visible.length);
  const starts = new Int32Array(visible.length);
  visible.forEach((token, at) => {
    types[at] = token.type < 0 || mended.has(token) ? 0 : token.type;
    starts[at] = startOf(token);
  });
  return { types, starts };
}

function findKept(
  kept: Kept,
  table: Pick<Kept, 'types' | 'starts'>,
  source: SourceFile,
  tokens: Tokens,
  move: (item: Item, change: number) => Item,
): KnownItems {
  const { text } = source;
  const front = commonStart(kept.text, text);
  const back = commonEnd(kept.text, text, front);
  const change = text.length - kept.text.length;
  const known = new Map<Token, KnownItem>();
  for (const { item, start: before, end: endBefore, span } of kept.items) {
    const isFront = span.end <= front;
    if (!isFront && span.start < kept.text.length - back) continue;
    const shift = isFront ? 0 : change;
    const start = placeOf(table.starts, kept.starts[before]! + shift);
    const length = endBefore - before;
    if (!isSame(kept, before, table, start, length, shift)) continue;
    const behind = tokens.visible[start + length]!;
    if (continuations.has(behind.type)) continue;
    let moved: Item | null = null;
    known.set(tokens.visible[start]!, {
      item: () => (moved ??= move(item, shift)),
      start,
      end: start + length,
      behind,
    });
  }
  return known;
}

/** Whether the tokens are the same; a text may have become a comment or a template. */
function isSame(
  kept: Pick<Kept, 'types' | 'starts'>,
  before: number,
  table: Pick<Kept, 'types' | 'starts'>,
  start: number,
  length: number,
  shift: number,
): boolean {
  // The end of the file is no part of an item.
  if (start + length >= table.types.length) return false;
  for (let at = 0; at < length; at++) {
    const type = table.types[start + at]!;
    if (type === 0 || type !== kept.types[before + at]) return false;
    if (table.starts[start + at] !== kept.starts[before + at]! + shift) return false;
  }
  return true;
}

/** Where an offset stands in the table, or the place of the first one behind it. */
function placeOf(starts: Int32Array, offset: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
