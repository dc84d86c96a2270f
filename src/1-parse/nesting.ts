// How deep a file nests, found on its tokens before the parser recurses: brackets, prefix operators in a
// row, statements without braces inside one another, chains of `? :`, arrays of arrays, and `else` after
// `else`, which people write in long chains and which therefore has a limit of its own.

import type { Token } from 'antlr4ng';
import { SluiceLexer as L } from './generated/SluiceLexer.ts';
import { beforeBlocks } from './token-classes.ts';

export const deepestNesting = 250;
/** Without the `else` at its end. */
const longestElseChain = 2000;

const openers: ReadonlySet<number> = new Set([L.LPAREN, L.LBRACKET, L.LBRACE, L.BACKTICK, L.TEMPLATE_OPEN]);
const closers: ReadonlySet<number> = new Set([L.RPAREN, L.RBRACKET, L.RBRACE, L.TEMPLATE_END]);
const prefixes: ReadonlySet<number> = new Set([L.MINUS, L.NOT, L.TILDE, L.INCREMENT, L.DECREMENT]);
const nestingWords: ReadonlySet<number> = new Set([L.IF, L.ELSE, L.WHILE, L.DO, L.FOR, L.FOREACH, L.QUESTION]);
/** An open bracket, or the file itself. */
interface Level {
  /** Its end, or a `;` in it, ends a statement. */
  readonly isBlock: boolean;
  /** Prefix operators right before the bracket, which are open as long as it is. */
  readonly prefixes: number;
  /** Statements and conditionals open in it. */
  open: number;
  /** `else` after `else` at the end of its last statement. */
  elses: number;
}

/** What is too deep, and the limit that it passes; null where nothing is. */
export function findTooDeep(tokens: readonly Token[]): { readonly token: Token; readonly limit: number } | null {
  const levels: Level[] = [{ isBlock: true, prefixes: 0, open: 0, elses: 0 }];
  let [total, totalElses, prefixRun, emptyPairs, before] = [0, 0, 0, 0, L.SEMICOLON];
  const endStatement = (level: Level, next: number | undefined): void => {
    total -= level.open;
    level.open = 0;
    const change = next === L.ELSE ? 1 : -level.elses;
    level.elses += change;
    totalElses += change;
  };
  for (const [at, token] of tokens.entries()) {
    const { type } = token;
    const level = levels.at(-1)!;
    if (type === L.RBRACKET && before === L.LBRACKET) emptyPairs += 1;
    else if (type !== L.LBRACKET && type !== L.QUESTION) emptyPairs = 0;
    if (openers.has(type)) {
      levels.push({ isBlock: type === L.LBRACE && beforeBlocks.has(before), prefixes: prefixRun, open: 0, elses: 0 });
      total += 1 + prefixRun;
    } else if (closers.has(type) && levels.length > 1) {
      levels.pop();
      total -= 1 + level.prefixes + level.open;
      totalElses -= level.elses;
      if (level.isBlock) endStatement(levels.at(-1)!, tokens[at + 1]?.type);
    } else if (type === L.SEMICOLON && level.isBlock) {
      endStatement(level, tokens[at + 1]?.type);
    } else if (type === L.SEMICOLON || type === L.COMMA) {
      total -= level.open;
      level.open = 0;
    } else if (nestingWords.has(type)) {
      level.open += 1;
      total += 1;
    }
    prefixRun = prefixes.has(type) ? prefixRun + 1 : 0;
    if (total + prefixRun > deepestNesting || emptyPairs > deepestNesting) return { token, limit: deepestNesting };
    if (totalElses > longestElseChain + 1) return { token, limit: longestElseChain };
    before = type;
  }
  return null;
}
