// What is open at a cursor, by the tokens alone, since the text around it is seldom whole: brackets, calls with the
// number of their argument, and the blocks of statements that the cursor is not in.

import type { SyntaxFile, SyntaxToken } from '../1-parse/syntax-tree.ts';

export interface OpenBracket {
  /** `(`, `[`, `{` of a block of statements or of a type, `{` of a literal, or `${`. */
  readonly kind: 'parenthesis' | 'bracket' | 'block' | 'fields' | 'literal' | 'expression';
  /** Which token it is. */
  readonly at: number;
  /** How many commas stand in it in front of the cursor. */
  commas: number;
}

export interface TokenScan {
  /** The tokens, comments left out. */
  readonly tokens: readonly SyntaxToken[];
  /** The text of one of them; empty for none. */
  readonly textOf: (at: number) => string;
  /** The last token that ends at or before the cursor; -1 for none. */
  readonly before: number;
  /** The outermost first. */
  readonly open: readonly OpenBracket[];
  /** The brace that opens the block whose `}` is the last token before the cursor; null where none is. */
  readonly closed: number | null;
  /** What stands in the braces of the outermost blocks around which the cursor is not: offsets. */
  readonly blocks: readonly { readonly start: number; readonly end: number }[];
}

const closers: Readonly<Record<string, readonly OpenBracket['kind'][]>> = {
  ')': ['parenthesis'],
  ']': ['bracket'],
  '}': ['block', 'fields', 'literal', 'expression'],
};

export function scanTokens({ tokens: all, source: { text } }: SyntaxFile, cursor: number): TokenScan {
  const tokens = all.filter(({ kind }) => kind !== 'line-comment' && kind !== 'block-comment');
  const textOf = (at: number): string => {
    const token = tokens[at];
    return token === undefined ? '' : text.slice(token.start, token.end);
  };
  const open: OpenBracket[] = [];
  let atCursor: readonly OpenBracket[] | null = null;
  let before = -1;
  let closed: number | null = null;
  const blocks: { start: number; end: number }[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const { kind, start, end } = tokens[at]!;
    if (end <= cursor) {
      before = at;
      closed = null;
    } else atCursor ??= copy(open);
    if (kind !== 'punctuation' && kind !== 'expression-start' && kind !== 'expression-end') continue;
    const word = text.slice(start, end);
    if (word === '(') open.push({ kind: 'parenthesis', at, commas: 0 });
    else if (word === '[') open.push({ kind: 'bracket', at, commas: 0 });
    else if (word === '${') open.push({ kind: 'expression', at, commas: 0 });
    else if (word === '{') open.push({ kind: braceKind(textOf(at - 1), textOf(at - 2)), at, commas: 0 });
    else if (word === ',') {
      const innermost = open.at(-1);
      if (innermost !== undefined) innermost.commas += 1;
    } else if (word === ';') dropUnclosed(open, textOf);
    else if (word in closers) {
      const opener = open.findLastIndex((bracket) => closers[word]!.includes(bracket.kind));
      if (opener < 0) continue;
      const { at: from, kind: what } = open[opener]!;
      open.length = opener;
      if (end <= cursor && what === 'block') closed = from;
      const inside = { start: tokens[from]!.end, end: start };
      if (what !== 'block' || (inside.start <= cursor && cursor <= inside.end)) continue;
      while (blocks.length > 0 && blocks.at(-1)!.start >= inside.start) blocks.pop();
      blocks.push(inside);
    }
  }
  return { tokens, textOf, before, open: atCursor ?? copy(open), closed, blocks };
}

function copy(open: readonly OpenBracket[]): readonly OpenBracket[] {
  return open.map((bracket) => ({ ...bracket }));
}

/** Statements follow a head or another statement; a literal stands where a value does. */
function braceKind(before: string, second: string): OpenBracket['kind'] {
  if (second === 'type') return 'fields';
  return ['', ')', 'else', 'do', 'try', '{', '}', ';'].includes(before) ? 'block' : 'literal';
}

/** A statement ends all that is open in it, but the head of a `for`. */
function dropUnclosed(open: OpenBracket[], textOf: (at: number) => string): void {
  for (let innermost = open.at(-1); innermost !== undefined; innermost = open.at(-1)) {
    const isHead = innermost.kind === 'parenthesis' && textOf(innermost.at - 1) === 'for';
    if (isHead || innermost.kind === 'block' || innermost.kind === 'fields') return;
    open.pop();
  }
}
