// Literals in braces with a mistake in them: where they begin and end, whatever they hold.

import type { Token } from 'antlr4ng';
import { SluiceParser as P } from './generated/SluiceParser.ts';
import { literalStarts, statementWords } from './token-classes.ts';

/** In tokens; of a longer literal that has a mistake the end is not looked for. */
const longestLiteral = 100;
const openers: ReadonlySet<number> = new Set([P.LPAREN, P.LBRACKET, P.LBRACE, P.TEMPLATE_OPEN]);
const closers: ReadonlySet<number> = new Set([P.RPAREN, P.RBRACKET, P.RBRACE]);

export function beginsLiteral(tokens: readonly Token[], at: number): boolean {
  return at > 0 && tokens[at]!.type === P.LBRACE && literalStarts.has(tokens[at - 1]!.type);
}

/** The `}` of the literal that the token at `from` stands in. Null where a statement begins before it. */
export function endOfLiteral(tokens: readonly Token[], from: number): number | null {
  let depth = 1;
  for (let at = from; at < Math.min(tokens.length, from + longestLiteral); at++) {
    const { type } = tokens[at]!;
    if (statementWords.has(type)) return null;
    if (openers.has(type)) depth += 1;
    else if (closers.has(type)) depth -= 1;
    if (depth === 0) return type === P.RBRACE ? at : null;
  }
  return null;
}
