// Which brace is not closed, as the indentation tells it. Where a brace is missing, the parser closes the
// wrong ones from there on and notices much later; a person sees it at once.

import { Token } from 'antlr4ng';
import { SluiceParser as P } from './generated/SluiceParser.ts';

const templateParts: ReadonlySet<number> = new Set([
  P.TEMPLATE_TEXT,
  P.TEMPLATE_DOLLAR,
  P.TEMPLATE_OPEN,
  P.TEMPLATE_END,
]);

/** How far the line of each token is indented; of one behind a template of several lines, that of its beginning. */
export function indentsOf(tokens: readonly Token[]): Int32Array {
  const indents = new Int32Array(tokens.length);
  tokens.forEach((token, at) => {
    const goesOn = at > 0 && (tokens[at - 1]!.line === token.line || templateParts.has(token.type));
    indents[at] = goesOn ? indents[at - 1]! : token.column;
  });
  return indents;
}

/**
 * The first `{` whose `}` stands further out than the line on which it was opened, or that has none at all
 * although something behind it stands further out. Null where braces and indentation agree.
 */
export function findUnclosedByIndentation(tokens: readonly Token[]): Token | null {
  const indents = new Map<Token, number>();
  indentsOf(tokens).forEach((indent, at) => indents.set(tokens[at]!, indent));
  const indentOf = (token: Token): number => indents.get(token) ?? 0;
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
