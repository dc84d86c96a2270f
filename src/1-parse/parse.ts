// The first room: text to syntax tree. A file with a mistake in its syntax has no items: what is wrong is
// in the sink, and checking the rest of it would only guess.

import { BailErrorStrategy, ParseCancellationException, PredictionMode } from 'antlr4ng';
import type { Token } from 'antlr4ng';
import { report } from '../diagnostics/catalog.ts';
import { DiagnosticSink } from '../diagnostics/diagnostic.ts';
import type { SourceFile } from '../source.ts';
import { buildFile } from './build-items.ts';
import { Builder } from './builder.ts';
import { SluiceParser } from './generated/SluiceParser.ts';
import type { FileContext } from './generated/SluiceParser.ts';
import { findTooDeep } from './nesting.ts';
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
  const empty: SyntaxFile = {
    kind: 'file',
    source,
    headers: [],
    imports: [],
    items: [],
    unreadNames: new Set(),
    comments: tokens.comments,
    get tokens() {
      return tokens.list();
    },
  };
  const tooDeep = findTooDeep(tokens.visible);
  if (tooDeep !== null) {
    report(sink, 'nestedTooDeep', tokens.spanOf(tooDeep.token), { limit: tooDeep.limit });
    return empty;
  }
  if (sink.hasErrors) {
    // The token faults stand; the parser adds what it finds beside them.
    parseReporting(tokens, sink, poll);
    return empty;
  }
  const tree = parseQuickly(tokens, poll) ?? parseReporting(tokens, sink, poll);
  return tree === null || sink.hasErrors ? empty : buildFile(new Builder(source, sink, tokens), tree, tokens);
}

/** SLL prediction, which this grammar needs no more than; null where there is a mistake. */
function parseQuickly(tokens: Tokens, poll: Poll): FileContext | null {
  const parser = createParser(tokens, poll);
  parser.errorHandler = new BailErrorStrategy();
  parser.interpreter.predictionMode = PredictionMode.SLL;
  try {
    return parser.file();
  } catch (fault) {
    if (fault instanceof ParseCancellationException) return null;
    throw fault;
  }
}

function parseReporting(tokens: Tokens, sink: DiagnosticSink, poll: Poll): FileContext | null {
  const parser = createParser(tokens, poll);
  parser.errorHandler = new ReportingStrategy(tokens, sink);
  try {
    const tree = parser.file();
    return sink.hasErrors ? null : tree;
  } catch (fault) {
    if (fault instanceof ParseCancellationException) return null;
    throw fault;
  }
}

/** Asks at each token whether to go on. */
class PolledParser extends SluiceParser {
  readonly #poll: Poll;

  constructor(tokens: Tokens, poll: Poll) {
    super(tokens.stream);
    this.#poll = poll;
  }

  override consume(): Token {
    this.#poll();
    return super.consume();
  }
}

function createParser(tokens: Tokens, poll: Poll): SluiceParser {
  tokens.stream.seek(0);
  const parser = new PolledParser(tokens, poll);
  parser.removeErrorListeners();
  return parser;
}
