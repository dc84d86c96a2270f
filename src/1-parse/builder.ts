// What every build function gets first: the source, the sink, and how contexts and tokens become spans.

import type { ParserRuleContext, Token } from 'antlr4ng';
import type { DiagnosticSink } from '../diagnostics/diagnostic.ts';
import type { SourceFile, Span } from '../source.ts';
import type { Name } from './syntax-tree.ts';
import type { Tokens } from './tokens.ts';

export class Builder {
  readonly source: SourceFile;
  readonly sink: DiagnosticSink;
  readonly #tokens: Tokens;

  constructor(source: SourceFile, sink: DiagnosticSink, tokens: Tokens) {
    this.source = source;
    this.sink = sink;
    this.#tokens = tokens;
  }

  /** The span of everything that a rule matched. */
  spanOf(context: ParserRuleContext): Span {
    return this.#tokens.spanOf(context.start!, context.stop ?? context.start!);
  }

  spanOfToken(token: Token): Span {
    return this.#tokens.spanOf(token);
  }

  name(context: ParserRuleContext): Name {
    return { text: context.getText(), span: this.spanOf(context) };
  }
}
