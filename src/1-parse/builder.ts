// What every build function gets first: the source, the sink, and how contexts and tokens become spans.

import type { ParserRuleContext, Token } from 'antlr4ng';
import type { DiagnosticSink } from '../diagnostics/diagnostic.ts';
import type { SourceFile, Span } from '../source.ts';
import type { Name, Statement } from './syntax-tree.ts';
import type { Tokens } from './tokens.ts';

/** What a block holds that is read by itself; null for one that the parser has read. */
export type Inside = (brace: Token) => readonly Statement[] | null;

export class Builder {
  readonly source: SourceFile;
  readonly sink: DiagnosticSink;
  readonly inside: Inside;
  readonly #tokens: Tokens;

  constructor(source: SourceFile, sink: DiagnosticSink, tokens: Tokens, inside: Inside = () => null) {
    this.source = source;
    this.sink = sink;
    this.inside = inside;
    this.#tokens = tokens;
  }

  /** Whether it was written as something else, which is reported. */
  isMended(token: Token): boolean {
    return this.#tokens.mended.has(token);
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
