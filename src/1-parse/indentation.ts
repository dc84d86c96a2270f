// Which brace is not closed, as the indentation tells it. Where a brace is missing, the parser closes the
// wrong ones from there on and notices much later; a person sees it at once.

import { Token } from 'antlr4ng';
import { SluiceParser as P } from './generated/SluiceParser.ts';

/**
 * The first `{` whose `}` stands further out than the line on which it was opened, or that has none at all
 * although something behind it stands further out. Null where braces and indentation agree.
 */
export function findUnclosedByIndentation(tokens: readonly Token[]): Token | null {
  const indents = new Map<number, number>();
  for (const token of tokens) if (!indents.has(token.line)) indents.set(token.line, token.column);
  const indentOf = (token: Token): number => indents.get(token.line) ?? 0;
  const open: Token[] = [];
  for (const token of tokens) {
    if (token.type === P.LBRACE || token.type === P.TEMPLATE_OPEN) open.push(token);
    if (token.type !== P.RBRACE) continue;
    const opener = open.pop();
    if (opener?.type === P.LBRACE && opener.line < token.line && indentOf(token) < indentOf(opener)) return opener;
  }
  // What is left open at the end: the innermost that something further out follows.
  return (
    open.findLast(
      (opener) =>
        opener.type === P.LBRACE &&
        tokens.some(
          (token) =>
            token.type !== Token.EOF &&
            token.line > opener.line &&
            indentOf(token) <= indentOf(opener) &&
            token.type !== P.RBRACE,
        ),
    ) ?? null
  );
}
