// The first room: text to syntax tree. A file without a mistake is read in one go; otherwise what is wrong goes into
// the sink, and the tree is made of what can be read around it.

import { BailErrorStrategy } from 'antlr4ng';
import type { Token } from 'antlr4ng';
import { report } from '../diagnostics/catalog.ts';
import { DiagnosticSink } from '../diagnostics/diagnostic.ts';
import type { SourceFile, Span } from '../source.ts';
import { buildHead, buildItem } from './build-items.ts';
import { Builder } from './builder.ts';
import { SluiceParser } from './generated/SluiceParser.ts';
import type { FileContext } from './generated/SluiceParser.ts';
import { noneKnown } from './item-cache.ts';
import type { ItemCache, KnownItem, KnownItems, PlacedItem } from './item-cache.ts';
import { findTooDeep } from './nesting.ts';
import { createParser, parseOrNull } from './parser.ts';
import { recoverFile } from './recover.ts';
import { ReportingStrategy } from './syntax-errors.ts';
import type { SyntaxFile } from './syntax-tree.ts';
import type { Poll } from '../stopping.ts';
import { readTokens } from './tokens.ts';
import type { Tokens } from './tokens.ts';

/**
 * Parses a file. Never throws for any text, unless `poll` does; every fault is in the sink. With a cache, what the
 * parse before has read is not read again; the result is the same.
 */
export function parse(
  source: SourceFile,
  sink: DiagnosticSink,
  poll: Poll = () => {},
  cache: ItemCache | null = null,
): SyntaxFile {
  // What other files have in the sink is no fault of this one.
  const found = new DiagnosticSink();
  const file = parseAlone(source, found, poll, cache);
  for (const diagnostic of found.sorted()) sink.add(diagnostic);
  return file;
}

function parseAlone(source: SourceFile, sink: DiagnosticSink, poll: Poll, cache: ItemCache | null): SyntaxFile {
  const buffer = cache?.takeTokens();
  const tokens = readTokens(source, sink, poll, buffer);
  const content = readFile(source, tokens, sink, poll, cache);
  if (buffer !== undefined) cache?.keepTokens(buffer);
  return {
    kind: 'file',
    source,
    ...content,
    comments: tokens.comments,
    get tokens() {
      return tokens.list();
    },
  };
}

type Content = Pick<SyntaxFile, 'headers' | 'imports' | 'items' | 'unreadNames'>;

function readFile(
  source: SourceFile,
  tokens: Tokens,
  sink: DiagnosticSink,
  poll: Poll,
  cache: ItemCache | null,
): Content {
  const known = cache?.find(source, tokens) ?? noneKnown;
  const tooDeep = findTooDeep(tokens.visible);
  if (tooDeep !== null) {
    report(sink, 'nestedTooDeep', tokens.spanOf(tooDeep.token), { limit: tooDeep.limit });
    return { headers: [], imports: [], items: [], unreadNames: new Set() };
  }
  // Faulty tokens stand for what was meant; the parser adds what it finds beside them.
  const names = sink.hasErrors ? namesBeside(tokens) : null;
  const said = new DiagnosticSink();
  for (const diagnostic of sink.sorted()) said.add(diagnostic);
  const keep = (whole: readonly PlacedItem[]): void =>
    cache?.keep(
      source,
      tokens,
      whole,
      sink.sorted().map(({ span }) => span),
    );
  const tree = parseQuickly(tokens, known, poll) ?? parseReporting(tokens, known, said, poll);
  if (tree !== null) {
    const builder = new Builder(source, sink, tokens);
    const whole = placeItems(tokens, builder, tree);
    keep(whole);
    return { ...buildHead(builder, tree.context), items: whole.map(({ item }) => item), unreadNames: names };
  }
  const { whole, unreadNames, ...content } = recoverFile(source, tokens, known, sink, poll);
  keep(whole);
  sayOutside(
    whole.map(({ item }) => item.span),
    said,
    sink,
  );
  return { ...content, unreadNames: new Set([...unreadNames, ...(names ?? [])]) };
}

/** All items in the order of the text: those that were read, and among them those that were known. */
function placeItems({ visible }: Tokens, builder: Builder, { context, passed }: ReadFile): readonly PlacedItem[] {
  const placed: PlacedItem[] = passed.map(({ item, start, end }) => ({ item: item(), start, end }));
  let at = 0;
  const placeOf = (token: Token): number => {
    while (visible[at] !== token) at++;
    return at;
  };
  for (const read of context.item()) {
    const start = placeOf(read.start!);
    placed.push({ item: buildItem(builder, read), start, end: placeOf(read.stop!) + 1 });
  }
  return passed.length === 0 ? placed : placed.sort((a, b) => a.start - b.start);
}

/** What is said of items that are whole by themselves follows from a mistake elsewhere. */
function sayOutside(whole: readonly Span[], said: DiagnosticSink, sink: DiagnosticSink): void {
  const all = said.sorted();
  let at = 0;
  const outside = all.filter(({ span: { start } }) => {
    while (at < whole.length && whole[at]!.end <= start) at++;
    return at === whole.length || start < whole[at]!.start;
  });
  for (const diagnostic of outside.length === 0 ? all : outside) sink.add(diagnostic);
}

/**
 * What stands on a line with a faulty word may have another meaning than one reads here, and be a comment; a comment
 * without an end has the rest of the file in it.
 */
function namesBeside({ visible, mended }: Tokens): ReadonlySet<string> {
  const lines = new Set([...mended].map(({ line }) => line));
  const beside = visible.filter(({ type, line }) => type === SluiceParser.NAME && lines.has(line));
  const comment = [...mended].find(({ type }) => type === SluiceParser.UNTERMINATED_COMMENT)?.text ?? '';
  return new Set([...beside.map(({ text }) => text ?? ''), ...(comment.match(/[A-Za-z_]\w*/g) ?? [])]);
}

interface ReadFile {
  /** Without the items that were known. */
  readonly context: FileContext;
  readonly passed: readonly KnownItem[];
}

/** Null where there is a mistake. */
function parseQuickly(tokens: Tokens, known: KnownItems, poll: Poll): ReadFile | null {
  tokens.stream.seek(0);
  const parser = createParser(tokens.stream, poll, new BailErrorStrategy(), known);
  const context = parseOrNull(() => parser.file());
  return context === null ? null : { context, passed: parser.passed };
}

/** Reports the mistakes; null where there are any. */
function parseReporting(tokens: Tokens, known: KnownItems, sink: DiagnosticSink, poll: Poll): ReadFile | null {
  tokens.stream.seek(0);
  const strategy = new ReportingStrategy(tokens, sink);
  const parser = createParser(tokens.stream, poll, strategy, known);
  const context = parseOrNull(() => parser.file());
  return strategy.hasFound || context === null ? null : { context, passed: parser.passed };
}
