// Kinds of tokens by what can stand next to them.

import { SluiceParser as P } from './generated/SluiceParser.ts';

export const primitives: ReadonlySet<number> = new Set([P.INT, P.DOUBLE, P.BOOLEAN, P.STRING, P.JSON, P.VOID]);

export const literals: ReadonlySet<number> = new Set([
  P.INT_LITERAL,
  P.DOUBLE_LITERAL,
  P.STRING_LITERAL,
  P.TRUE,
  P.FALSE,
  P.NULL,
]);

/** Right behind them braces are a literal. */
export const literalStarts: ReadonlySet<number> = new Set([
  P.ASSIGN,
  P.COLON,
  P.COMMA,
  P.LBRACKET,
  P.LPAREN,
  P.RETURN,
  P.YIELD,
]);

/** Between a place and its new value. */
export const assignments: ReadonlySet<number> = new Set([
  P.ASSIGN,
  P.ADD_ASSIGN,
  P.SUB_ASSIGN,
  P.MUL_ASSIGN,
  P.DIV_ASSIGN,
  P.MOD_ASSIGN,
  P.AND_ASSIGN,
  P.OR_ASSIGN,
  P.XOR_ASSIGN,
  P.SHL_ASSIGN,
  P.SHR_ASSIGN,
  P.USHR_ASSIGN,
]);

/** With these an operand ends. */
export const operandEnds: ReadonlySet<number> = new Set([
  ...literals,
  P.NAME,
  P.MAIN,
  P.RPAREN,
  P.RBRACKET,
  P.TEMPLATE_END,
]);

/** Words with which statements begin, and which no expression has. */
export const statementWords: ReadonlySet<number> = new Set([
  P.IF,
  P.WHILE,
  P.DO,
  P.FOR,
  P.FOREACH,
  P.BREAK,
  P.CONTINUE,
  P.RETURN,
  P.YIELD,
  P.THROW,
  P.TRY,
  P.CONST,
]);

/** Loops begin with them. */
export const loopWords: ReadonlySet<number> = new Set([P.FOR, P.FOREACH, P.WHILE, P.DO]);

/** Right behind them stands a statement. */
export const bodyWords: ReadonlySet<number> = new Set([P.ELSE, P.DO]);

/** What begins with them goes on behind its body, with a condition. */
export const trailedWords: ReadonlySet<number> = new Set([P.DO]);

/** Words with which only a declaration at the top level begins. */
export const declarationWords: ReadonlySet<number> = new Set([P.IMPORT, P.EXPORT, P.TYPE]);

/** Tokens behind which a `{` begins a block; behind all others it begins an object literal. */
export const beforeBlocks: ReadonlySet<number> = new Set([
  // `int f(): int {` has its type in the wrong place.
  ...primitives,
  P.RPAREN,
  P.ELSE,
  P.DO,
  P.TRY,
  P.SEMICOLON,
  P.LBRACE,
  P.RBRACE,
  P.NAME,
  P.MAIN,
]);
