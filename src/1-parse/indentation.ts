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
  let line = -1;
  let indent = 0;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (token.line !== line && (at === 0 || !templateParts.has(token.type))) indent = token.column;
    line = token.line;
    indents[at] = indent;
  }
  return indents;
}

/**
 * The first `{` whose `}` stands further out than the line on which it was opened, or that has none at all
 * although something behind it stands further out. Null where braces and indentation agree.
 */
export function findUnclosedByIndentation(tokens: readonly Token[]): Token | null {
  const indents = indentsOf(tokens);
  const open: number[] = [];
  for (const [at, { type, line }] of tokens.entries()) {
    if (type === P.LBRACE || type === P.TEMPLATE_OPEN) open.push(at);
    if (type !== P.RBRACE) continue;
    const opener = open.pop();
    if (opener === undefined || tokens[opener]!.type !== P.LBRACE) continue;
    if (tokens[opener]!.line < line && indents[at]! < indents[opener]!) return tokens[opener]!;
  }
  // What is left open at the end: the innermost that something further out follows.
  const left = open.findLast(
    (opener) =>
      tokens[opener]!.type === P.LBRACE &&
      tokens.some(
        ({ type, line }, at) =>
          type !== Token.EOF && type !== P.RBRACE && line > tokens[opener]!.line && indents[at]! <= indents[opener]!,
      ),
  );
  return left === undefined ? null : tokens[left]!;
}
