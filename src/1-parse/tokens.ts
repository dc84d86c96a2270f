// Text to tokens. What is nearly one (007, an unterminated string, ===) is mended in mended-tokens.ts.

import { CommonToken, Token } from 'antlr4ng';
import type { TokenStream } from 'antlr4ng';
import { report } from '../diagnostics/catalog.ts';
import { DiagnosticSink } from '../diagnostics/diagnostic.ts';
import type { SourceFile, Span } from '../source.ts';
import type { Poll } from '../stopping.ts';
import { SluiceLexer } from './generated/SluiceLexer.ts';
import { possibleFix } from '../diagnostics/fixes.ts';
import { mendToken } from './mended-tokens.ts';
import type { Comment, SyntaxToken } from './syntax-tree.ts';
import { TokenBuffer } from './token-buffer.ts';
import { packTokens, tokenList } from './token-list.ts';
import { TokenWindow } from './token-window.ts';
import { findMissingMark, insertMark } from './unclosed-templates.ts';
import type { MissingMark } from './unclosed-templates.ts';

const commentChannel = SluiceLexer.channelNames.indexOf('COMMENTS');

export interface Tokens {
  /** The visible ones, in whose order each has its index. */
  readonly stream: TokenStream;
  /** Every token of the default channel, EOF last. */
  readonly visible: readonly Token[];
  /** Those that were written as something else, which is reported. */
  readonly mended: ReadonlySet<Token>;
  readonly comments: readonly Comment[];
  /** All of them as they were written, for tools; made when it is first called. */
  readonly list: () => readonly SyntaxToken[];
  readonly spanOf: (first: Token, last?: Token) => Span;
  readonly startOf: (token: Token) => number;
}

/** A text with more faulty words is no script, and nobody reads a hundred thousand messages. */
const mostFaults = 100;
const faultyTypes: ReadonlySet<number> = new Set([
  SluiceLexer.BAD_NUMBER,
  SluiceLexer.LEADING_POINT,
  SluiceLexer.UNTERMINATED_STRING,
  SluiceLexer.UNTERMINATED_COMMENT,
  SluiceLexer.SINGLE_QUOTED,
  SluiceLexer.FOREIGN_OPERATOR,
  SluiceLexer.UNKNOWN,
  SluiceLexer.TEMPLATE_BACKSLASH,
]);

/** With the buffer of a similar text, only what differs is read. The tokens hold as long as it is not used again. */
export function readTokens(
  source: SourceFile,
  sink: DiagnosticSink,
  poll: Poll = () => {},
  buffer: TokenBuffer = new TokenBuffer(),
): Tokens {
  const text = withComment(source.text);
  let written = buffer.read(text, poll);
  const unclosed = findUnclosedTemplate(written);
  const missing = unclosed === null ? null : findMissingMark(text);
  if (missing !== null) written = buffer.read(insertMark(text, missing), poll);
  const offsetOf = createOffsets(missing?.at ?? null);
  const spanOf = (first: Token, last = first): Span => ({
    file: source,
    start: Math.min(offsetOf(first.start), source.text.length),
    end: Math.min(offsetOf(Math.max(last.stop + 1, first.start)), source.text.length),
  });
  const list = tokenList(packTokens(written, offsetOf));
  if (missing !== null) reportMissingMark(source, missing, sink);
  else if (unclosed !== null) report(sink, unclosed.fault, spanOf(unclosed.token), {});
  const unheard = new DiagnosticSink();
  let last: Token | null = null;
  const mended = new Map<Token, Token>();
  for (const faulty of written) {
    if (!faultyTypes.has(faulty.type)) continue;
    const token = copyOf(faulty);
    const isSaid = last !== null && continues(last, token);
    last = token;
    mendToken(token, spanOf(token), mended.size < mostFaults && !isSaid ? sink : unheard);
    mended.set(faulty, token);
  }
  const all = mended.size === 0 ? written : written.map((token) => mended.get(token) ?? token);
  // The mark that is missing stands for what was meant, as a mended token does.
  const added = missing === null ? [] : all.filter((token) => token.type !== Token.EOF && isEmpty(spanOf(token)));
  const visible = all.filter((token) => token.channel === Token.DEFAULT_CHANNEL);
  visible.forEach((token, at) => {
    token.tokenIndex = at;
  });
  return {
    stream: new TokenWindow(visible.slice(0, -1), visible.at(-1)!, buffer.source),
    visible,
    mended: new Set([...mended.values(), ...added]),
    comments: all.filter((token) => token.channel === commentChannel).map((token) => commentOf(spanOf(token))),
    list,
    spanOf,
    startOf: ({ start }) => offsetOf(start),
  };
}

/** What is mended is a token of its own, since the buffer has them as they are written. */
function copyOf(token: Token): Token {
  const { type, channel, start, stop, line, column } = token;
  const copy = CommonToken.fromSource([token.tokenSource, token.inputStream], type, channel, start, stop);
  return Object.assign(copy, { line, column }) as Token;
}

const isEmpty = ({ start, end }: Span): boolean => start === end;

/** A first line that names an interpreter, `#!/usr/bin/env sluice`, is a comment of the same length. */
function withComment(text: string): string {
  return text.startsWith('#!') ? `//${text.slice(2)}` : text;
}

function commentOf(span: Span): Comment {
  return { text: span.file.text.slice(span.start, span.end), span };
}

const strays: ReadonlySet<number> = new Set([SluiceLexer.UNKNOWN, SluiceLexer.TEMPLATE_BACKSLASH]);

/**
 * Whether a fault belongs to the one before: a second stray character on a line, or the closing quote of a
 * string that was broken over two lines. The types are those before mending.
 */
function continues(before: Token, token: Token): boolean {
  if (strays.has(token.type)) return strays.has(before.type) && before.line === token.line;
  return (
    token.type === SluiceLexer.UNTERMINATED_STRING && (before.text ?? '') === '""' && before.line === token.line - 1
  );
}

/** Offsets in the text as it was written, which lacks the mark at `added`. */
function createOffsets(added: number | null): (offset: number) => number {
  return added === null ? (offset) => offset : (offset) => (offset > added ? offset - 1 : offset);
}

interface UnclosedTemplate {
  readonly token: Token;
  readonly fault: 'unterminatedTemplate' | 'unclosedTemplateExpression';
}

/** A backtick whose end never comes takes the rest of the file; its start is the place to show. */
function findUnclosedTemplate(all: readonly Token[]): UnclosedTemplate | null {
  const open: Token[] = [];
  for (const token of all) {
    if (
      token.type === SluiceLexer.BACKTICK ||
      token.type === SluiceLexer.TEMPLATE_OPEN ||
      token.type === SluiceLexer.LBRACE
    )
      open.push(token);
    if (token.type === SluiceLexer.TEMPLATE_END || token.type === SluiceLexer.RBRACE) open.pop();
  }
  const last = open.findLast((token) => token.type !== SluiceLexer.LBRACE);
  if (last === undefined) return null;
  // A backtick inside `${` begins a template of its own; more likely it was to end the one around.
  const around = open[open.lastIndexOf(last) - 1];
  const expression =
    last.type === SluiceLexer.TEMPLATE_OPEN ? last : around?.type === SluiceLexer.TEMPLATE_OPEN ? around : null;
  return expression === null
    ? { token: last, fault: 'unterminatedTemplate' }
    : { token: expression, fault: 'unclosedTemplateExpression' };
}

function reportMissingMark(file: SourceFile, { at, mark, opener }: MissingMark, sink: DiagnosticSink): void {
  const fix = possibleFix(`write '${mark}'`, { file, start: at, end: at }, mark);
  const place = { file, start: opener, end: opener + (mark === '}' ? 2 : 1) };
  report(sink, mark === '}' ? 'unclosedTemplateExpression' : 'unterminatedTemplate', place, {}, { fix });
}
