// The first room: text to syntax tree. A file without a mistake is read in one go; otherwise what is wrong goes into
// the sink, and the tree is made of what can be read around it.

import { report } from '../diagnostics/catalog.ts';
import { DiagnosticSink } from '../diagnostics/diagnostic.ts';
import type { SourceFile } from '../source.ts';
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
  const isMended = sink.hasErrors;
  const tree = parseQuickly(tokens, poll) ?? parseReporting(tokens, sink, poll);
  const names = isMended ? namesBeside(tokens) : null;
  if (tree !== null) return { ...buildFile(new Builder(source, sink, tokens), tree), unreadNames: names };
  const content = recoverFile(source, tokens, sink, poll);
  return { ...content, unreadNames: new Set([...content.unreadNames, ...(names ?? [])]) };
}

/** What stands on a line with a faulty word may have another meaning than one reads here, or be a comment. */
function namesBeside({ visible, mended }: Tokens): ReadonlySet<string> {
  const lines = new Set([...mended].map(({ line }) => line));
  const beside = visible.filter(({ type, line }) => type === SluiceParser.NAME && lines.has(line));
  return new Set(beside.map(({ text }) => text ?? ''));
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
