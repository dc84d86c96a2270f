// The first room: text to syntax tree. A file without a mistake is read in one go; otherwise what is wrong goes into
// the sink, and the tree is made of what can be read around it.

import { report } from '../diagnostics/catalog.ts';
import { DiagnosticSink } from '../diagnostics/diagnostic.ts';
import type { SourceFile, Span } from '../source.ts';
import { buildFile } from './build-items.ts';
import { Builder } from './builder.ts';
import { SluiceParser } from './generated/SluiceParser.ts';
import type { FileContext } from './generated/SluiceParser.ts';
import { findTooDeep } from './nesting.ts';
import { createParser, parseOrNull } from './parser.ts';
import { recoverFile } from './recover.ts';
import { ReportingStrategy } from './syntax-errors.ts';
import type { SyntaxFile } from './syntax-tree.ts';
import type { Poll } from '../stopping.ts';
import { readTokens } from './tokens.ts';
import type { Tokens } from './tokens.ts';

/** Parses a file. Never throws for any text, unless `poll` does; every fault is in the sink. */
export function parse(source: SourceFile, sink: DiagnosticSink, poll: Poll = () => {}): SyntaxFile {
  // What other files have in the sink is no fault of this one.
  const found = new DiagnosticSink();
  const file = parseAlone(source, found, poll);
  for (const diagnostic of found.sorted()) sink.add(diagnostic);
  return file;
}

function parseAlone(source: SourceFile, sink: DiagnosticSink, poll: Poll): SyntaxFile {
  const tokens = readTokens(source, sink, poll);
  return {
    kind: 'file',
    source,
    ...readFile(source, tokens, sink, poll),
    comments: tokens.comments,
    get tokens() {
      return tokens.list();
    },
  };
}

type Content = Pick<SyntaxFile, 'headers' | 'imports' | 'items' | 'unreadNames'>;

function readFile(source: SourceFile, tokens: Tokens, sink: DiagnosticSink, poll: Poll): Content {
  const tooDeep = findTooDeep(tokens.visible);
  if (tooDeep !== null) {
    report(sink, 'nestedTooDeep', tokens.spanOf(tooDeep.token), { limit: tooDeep.limit });
    return { headers: [], imports: [], items: [], unreadNames: new Set() };
  }
  // Faulty tokens stand for what was meant; the parser adds what it finds beside them.
  const names = sink.hasErrors ? namesBeside(tokens) : null;
  const said = new DiagnosticSink();
  for (const diagnostic of sink.sorted()) said.add(diagnostic);
  const tree = parseQuickly(tokens, poll) ?? parseReporting(tokens, said, poll);
  if (tree !== null) return { ...buildFile(new Builder(source, sink, tokens), tree), unreadNames: names };
  const { whole, unreadNames, ...content } = recoverFile(source, tokens, sink, poll);
  sayOutside(whole, said, sink);
  return { ...content, unreadNames: new Set([...unreadNames, ...(names ?? [])]) };
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

/** Null where there is a mistake. */
function parseQuickly(tokens: Tokens, poll: Poll): FileContext | null {
  tokens.stream.seek(0);
  const parser = createParser(tokens.stream, poll);
  return parseOrNull(() => parser.file());
}

/** Reports the mistakes; null where there are any. */
function parseReporting(tokens: Tokens, sink: DiagnosticSink, poll: Poll): FileContext | null {
  tokens.stream.seek(0);
  const strategy = new ReportingStrategy(tokens, sink);
  const parser = createParser(tokens.stream, poll, strategy);
  const tree = parseOrNull(() => parser.file());
  return strategy.hasFound ? null : tree;
}
