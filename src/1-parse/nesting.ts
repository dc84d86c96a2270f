// How deep a file nests, found on its tokens before the parser recurses: brackets, prefix operators in a
// row, statements without braces inside one another, and chains of `? :`.

import type { Token } from 'antlr4ng';
import { SluiceLexer as L } from './generated/SluiceLexer.ts';

export const deepestNesting = 250;

const openers: ReadonlySet<number> = new Set([L.LPAREN, L.LBRACKET, L.LBRACE, L.BACKTICK, L.TEMPLATE_OPEN]);
const closers: ReadonlySet<number> = new Set([L.RPAREN, L.RBRACKET, L.RBRACE, L.TEMPLATE_END]);
const prefixes: ReadonlySet<number> = new Set([L.MINUS, L.NOT, L.TILDE, L.INCREMENT, L.DECREMENT]);
const nestingWords: ReadonlySet<number> = new Set([L.IF, L.ELSE, L.WHILE, L.DO, L.FOR, L.FOREACH, L.NEW]);

/** The token at which nesting goes beyond the limit, or null. */
export function findTooDeep(tokens: readonly Token[]): Token | null {
  // What each open bracket has gathered inside it: statements and conditionals still open.
  const inside: number[] = [0];
  let total = 0;
  let prefixRun = 0;
  for (const token of tokens) {
    const { type } = token;
    prefixRun = prefixes.has(type) ? prefixRun + 1 : 0;
    if (openers.has(type)) {
      inside.push(0);
      total += 1;
    } else if (closers.has(type)) {
      if (inside.length > 1) total -= inside.pop()! + 1;
      // A block ends the statements that it is the body of, unless an else goes on.
      if (type === L.RBRACE) total -= clear(inside);
    } else if (type === L.SEMICOLON) {
      total -= clear(inside);
    } else if (nestingWords.has(type) || type === L.QUESTION) {
      inside[inside.length - 1]! += 1;
      total += 1;
    }
    if (total + prefixRun > deepestNesting) return token;
  }
  return null;
}

function clear(inside: number[]): number {
  const open = inside.at(-1)!;
  inside[inside.length - 1] = 0;
  return open;
}
