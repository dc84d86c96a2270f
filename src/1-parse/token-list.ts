// The tokens of a file for tools: formatter, highlighting, selection. Parsing keeps three numbers for each, and the
// list is made of them when somebody asks for it, so that compiling has nothing of it.

import type { Token } from 'antlr4ng';
import { SluiceLexer as L } from './generated/SluiceLexer.ts';
import type { SyntaxToken, SyntaxTokenKind } from './syntax-tree.ts';

/** Type, start and end of each token in turn, comments among them. Taken before faulty tokens are mended. */
export type PackedTokens = Int32Array;

/** `offsetOf` turns places of the tokens into offsets of the text. */
export function packTokens(all: readonly Token[], offsetOf: (place: number) => number): PackedTokens {
  const packed = new Int32Array(all.length * 3);
  let length = 0;
  for (const { type, start, stop } of all) {
    // A mark that nobody wrote is empty.
    if (type === L.EOF || offsetOf(start) === offsetOf(stop + 1)) continue;
    packed[length++] = type;
    packed[length++] = offsetOf(start);
    packed[length++] = offsetOf(stop + 1);
  }
  return packed.subarray(0, length);
}

/** Makes the list at its first use, and keeps it. */
export function tokenList(packed: PackedTokens): () => readonly SyntaxToken[] {
  let list: readonly SyntaxToken[] | null = null;
  return () => (list ??= unpackTokens(packed));
}

function unpackTokens(packed: PackedTokens): SyntaxToken[] {
  const tokens: SyntaxToken[] = [];
  // What each `{` and `${` that is open was, since they end alike.
  const open: number[] = [];
  for (let at = 0; at < packed.length; at += 3) {
    const type = packed[at]!;
    if (type === L.LBRACE || type === L.TEMPLATE_OPEN) open.push(type);
    const endsExpression = type === L.RBRACE && open.pop() === L.TEMPLATE_OPEN;
    const kind = endsExpression ? 'expression-end' : kindOf(type);
    tokens.push({ kind, start: packed[at + 1]!, end: packed[at + 2]! });
  }
  return tokens;
}

const kinds: ReadonlyMap<number, SyntaxTokenKind> = new Map([
  [L.NAME, 'name'],
  [L.INT_LITERAL, 'number'],
  [L.DOUBLE_LITERAL, 'number'],
  [L.BAD_NUMBER, 'number'],
  [L.LEADING_POINT, 'number'],
  [L.STRING_LITERAL, 'string'],
  [L.UNTERMINATED_STRING, 'string'],
  [L.SINGLE_QUOTED, 'string'],
  [L.BACKTICK, 'template-start'],
  [L.TEMPLATE_TEXT, 'template-text'],
  [L.TEMPLATE_DOLLAR, 'template-text'],
  [L.TEMPLATE_OPEN, 'expression-start'],
  [L.TEMPLATE_END, 'template-end'],
  [L.LINE_COMMENT, 'line-comment'],
  [L.BLOCK_COMMENT, 'block-comment'],
  [L.UNTERMINATED_COMMENT, 'unknown'],
  [L.UNKNOWN, 'unknown'],
  [L.TEMPLATE_BACKSLASH, 'unknown'],
]);

/** Words, marks and operators lie one behind the other in the grammar. */
function kindOf(type: number): SyntaxTokenKind {
  const kind = kinds.get(type);
  if (kind !== undefined) return kind;
  if (type <= L.MAIN) return 'keyword';
  return type <= L.AT ? 'punctuation' : 'operator';
}
