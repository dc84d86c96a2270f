// The parser's error strategy: mistakes in a person's words, at the place where the person has to do
// something. One message a line, since what follows a mistake on its line rarely is one.

import { DefaultErrorStrategy, ParseCancellationException, Token } from 'antlr4ng';
import type { InputMismatchException, IntervalSet, NoViableAltException, Parser, RecognitionException } from 'antlr4ng';
import { report } from '../diagnostics/catalog.ts';
import type { FaultKey } from '../diagnostics/catalog.ts';
import { sureFix, wordFix } from '../diagnostics/fixes.ts';
import { hintFix, wordHint } from '../diagnostics/word-hints.ts';
import type { DiagnosticSink } from '../diagnostics/diagnostic.ts';
import type { SourceFile, Span } from '../source.ts';
import { SluiceParser as P } from './generated/SluiceParser.ts';
import { describeExpected, describeNext, describeToken } from './describe-tokens.ts';
import { findUnclosedByIndentation } from './indentation.ts';
import { beginsLiteral, endOfLiteral } from './literal-braces.ts';
import { misspelledKeyword } from './misspelled-keywords.ts';
import { placeHint } from './place-hints.ts';
import { bodyWords, operandEnds, primitives, statementWords } from './token-classes.ts';
import type { Tokens } from './tokens.ts';

const mostErrors = 20;
/** In tokens, for advice that looks at all of a statement. */
const longestStatement = 100;
/** A text that goes wrong so often is no script: finding the way back each time would take seconds. */
const mostRecoveries = 1000;
const pairs: Readonly<Record<number, { readonly closer: string; readonly type: number }>> = {
  [P.LPAREN]: { closer: ')', type: P.RPAREN },
  [P.LBRACKET]: { closer: ']', type: P.RBRACKET },
  [P.LBRACE]: { closer: '}', type: P.RBRACE },
};

export class ReportingStrategy extends DefaultErrorStrategy {
  readonly #tokens: Tokens;
  readonly #sink: DiagnosticSink;
  /** Of which something was said. */
  readonly #lines: Set<number>;
  /** Those of faulty tokens. */
  readonly #tokenLines: ReadonlySet<number>;
  /** Made when it is first asked for. */
  #openers: Int32Array | null = null;
  #hasFound = false;
  #count = 0;
  #recoveries = 0;
  #isAhead = false;
  #last = -1;

  constructor(tokens: Tokens, sink: DiagnosticSink) {
    super();
    this.#tokens = tokens;
    this.#sink = sink;
    // What the tokens already had to say about their lines is enough.
    this.#tokenLines = linesOf(sink);
    this.#lines = new Set(this.#tokenLines);
  }

  override reportNoViableAlternative(recognizer: Parser, fault: NoViableAltException): void {
    // What the parser expects is known for the place where it began to look ahead, not for where it came to.
    this.#isAhead = fault.offendingToken !== fault.startToken;
    this.#explain(recognizer, fault.offendingToken ?? recognizer.getCurrentToken());
    this.#isAhead = false;
  }

  override reportInputMismatch(recognizer: Parser, fault: InputMismatchException): void {
    this.#explain(recognizer, fault.offendingToken ?? recognizer.getCurrentToken());
  }

  override reportFailedPredicate(recognizer: Parser, fault: RecognitionException): void {
    this.#explain(recognizer, fault.offendingToken ?? recognizer.getCurrentToken());
  }

  override reportUnwantedToken(recognizer: Parser): void {
    if (this.inErrorRecoveryMode(recognizer)) return;
    this.beginErrorCondition(recognizer);
    this.#explain(recognizer, recognizer.getCurrentToken());
  }

  override reportMissingToken(recognizer: Parser): void {
    if (this.inErrorRecoveryMode(recognizer)) return;
    this.beginErrorCondition(recognizer);
    this.#explain(recognizer, recognizer.getCurrentToken());
  }

  override recover(recognizer: Parser, fault: RecognitionException): void {
    this.#countRecovery();
    if (this.#skipLiteral(recognizer, fault.offendingToken ?? recognizer.getCurrentToken())) return;
    const rule = recognizer.context?.ruleIndex ?? -1;
    if (this.#openerAround(recognizer.getCurrentToken())?.type !== P.LBRACE && headRules.has(rule))
      skipItem(recognizer);
    else super.recover(recognizer, fault);
  }

  override recoverInline(recognizer: Parser): Token {
    this.#countRecovery();
    return super.recoverInline(recognizer);
  }

  /**
   * `{ x: 1 y: 2 }`: the literal ends at its own brace, and the block around it goes on behind that. False if nothing
   * has been skipped, or not enough to go on.
   */
  #skipLiteral(recognizer: Parser, { tokenIndex }: Token): boolean {
    const at = this.#openerAt(tokenIndex);
    const { visible } = this.#tokens;
    if (!beginsLiteral(visible, at)) return false;
    const closer = endOfLiteral(visible, tokenIndex);
    const current = recognizer.getCurrentToken();
    if (closer === null || current.tokenIndex > closer) return false;
    while (recognizer.getCurrentToken() !== visible[closer]) recognizer.consume();
    // The rule that is left may be that of a part of the literal, of the literal, or of what it stands in.
    const start = recognizer.context?.start?.tokenIndex ?? -1;
    if (start <= at) recognizer.consume();
    return start >= at && recognizer.getCurrentToken() !== current;
  }

  #countRecovery(): void {
    this.#recoveries += 1;
    if (this.#recoveries > mostRecoveries) throw new ParseCancellationException(new Error('too many mistakes'));
  }

  /** Taking a token away never mends what ends with a `;` or on another line. */
  override singleTokenDeletion(recognizer: Parser): Token | null {
    const current = recognizer.getCurrentToken();
    const before = this.#tokenBefore(current);
    const isEnd =
      current.type === P.SEMICOLON || current.type === P.RBRACE || (before !== null && before.line < current.line);
    return isEnd ? null : super.singleTokenDeletion(recognizer);
  }

  /** Whether there was any mistake, said or not. */
  get hasFound(): boolean {
    return this.#hasFound;
  }

  #explain(recognizer: Parser, found: Token): void {
    this.#hasFound = true;
    // Nothing more is said, whatever comes.
    if (this.#count >= mostErrors) throw new ParseCancellationException(new Error('enough mistakes'));
    if (this.#lines.has(found.line)) {
      this.#explainLineBefore(recognizer, found);
      return;
    }
    // What is missing at the end is a consequence of what was wrong before.
    if (found.type === Token.EOF && this.#sink.hasErrors) return;
    this.#lines.add(found.line);
    this.#count += 1;
    const before = this.#tokenBefore(found);
    const expected = this.getExpectedTokens(recognizer);
    if (before !== null && before.line < found.line && this.#lines.has(before.line)) return;
    if (this.#tokens.spanOf(before ?? found).end <= this.#last) return;
    this.#last = this.#tokens.spanOf(found).start;
    if (this.#explainBrace(found, before)) return;
    if ((this.#isWholeDeclaration(found) || found.type === P.ELSE) && this.#explainSemicolon(found, before, expected))
      return;
    if (this.#explainWord(found, before) || this.#explainUnclosed(found, before, expected)) return;
    if (this.#explainSemicolon(found, before, expected)) return;
    this.#explainPlace(found, before, expected, recognizer.context?.ruleIndex ?? -1);
  }

  /** A faulty token has no part in what the line before it lacks. */
  #explainLineBefore(recognizer: Parser, found: Token): void {
    const before = this.#tokenBefore(found);
    if (before === null || before.line === found.line || this.#lines.has(before.line)) return;
    if (!this.#tokenLines.has(found.line)) return;
    if (this.#explainSemicolon(found, before, this.getExpectedTokens(recognizer))) this.#count += 1;
  }

  /** A function inside a block: some `}` is missing, and the indentation tells which. */
  #explainBrace(found: Token, before: Token | null): boolean {
    const beginsFunction =
      found.type === P.LPAREN &&
      (before?.type === P.NAME || before?.type === P.MAIN) &&
      this.#openerAround(found)?.type === P.LBRACE;
    const beginsMain = found.type === P.LBRACE && this.#statementStart(found)?.type === P.MAIN;
    if (!beginsFunction && !beginsMain) return false;
    const opener = findUnclosedByIndentation(this.#tokens.visible);
    if (opener === null || opener.line >= found.line) return false;
    this.#count = mostErrors;
    return this.#report('unclosedBracket', this.#tokens.spanOf(opener), { bracket: '{', closer: '}' });
  }

  /** `let x = 1` without its `;`: what is wrong with the word in the place of the type is the checker's to say. */
  #isWholeDeclaration(found: Token): boolean {
    const start = this.#statementStart(found);
    if (start?.type !== P.NAME || found.type === P.LBRACE || found === start) return false;
    const second = this.#tokens.visible[start.tokenIndex + 1];
    const third = this.#tokens.visible[start.tokenIndex + 2];
    return second?.type === P.NAME && third?.type === P.ASSIGN;
  }

  /** Words of other languages, and keywords with a slip in them. */
  #explainWord(found: Token, before: Token | null): boolean {
    const start = this.#statementStart(found);
    for (const token of [before, found, start]) {
      const hint =
        token === null || token.type !== P.NAME
          ? null
          : wordHint(token.text ?? '', token === start || this.#beginsBody(token));
      if (hint === null) continue;
      const span = this.#tokens.spanOf(token!);
      report(this.#sink, 'foreignWord', span, { word: token!.text ?? '' }, { help: hint.help, ...hintFix(hint, span) });
      return true;
    }
    for (const token of [before, found, this.#statementStart(found)]) {
      const keyword = token === null || token.type !== P.NAME ? null : misspelledKeyword(token.text ?? '');
      if (keyword === null) continue;
      const span = this.#tokens.spanOf(token!);
      report(
        this.#sink,
        'misspelledKeyword',
        span,
        { word: token!.text ?? '', keyword },
        { fix: wordFix(span, keyword, true) },
      );
      return true;
    }
    if (found.type === P.ELSE) return this.#report('elseWithoutIf', this.#tokens.spanOf(found), {});
    if (found.type === P.CATCH) return this.#report('catchWithoutTry', this.#tokens.spanOf(found), {});
    return false;
  }

  /** Whether it stands where the statement of an `if`, a loop or an `else` begins. */
  #beginsBody(token: Token): boolean {
    const before = this.#tokenBefore(token);
    if (before === null || before.type !== P.RPAREN) return before !== null && bodyWords.has(before.type);
    const opener = this.#openerAround(before);
    const head = opener === undefined ? null : this.#tokenBefore(opener);
    return head !== null && bodyHeads.has(head.type);
  }

  /** At the end of the file, or at a bracket of another kind: the opener that nothing closes. */
  #explainUnclosed(found: Token, before: Token | null, expected: IntervalSet): boolean {
    const wrongCloser = found.type === P.RPAREN || found.type === P.RBRACKET || found.type === P.RBRACE;
    const endsInside = found.type === P.SEMICOLON;
    if (found.type !== Token.EOF && !wrongCloser && !endsInside) return this.#explainCut(found, before);
    const opener = this.#openerAround(found);
    if (endsInside) {
      if (opener === undefined || opener.type === P.LBRACE) return false;
      const couldClose = this.#isAhead
        ? before !== null && operandEnds.has(before.type) && this.#tokenBefore(opener)?.type !== P.FOR
        : expected.contains(pairs[opener.type]?.type ?? P.SEMICOLON);
      if (!couldClose) return false;
    }
    if (opener === undefined) {
      if (!wrongCloser) return false;
      return this.#report('unopenedBracket', this.#tokens.spanOf(found), { bracket: found.text ?? '' });
    }
    const pair = pairs[opener.type];
    if (pair === undefined || pair.type === found.type) return false;
    if (expected.contains(P.SEMICOLON) && opener.type === P.LBRACE && !endsStatement(before)) return false;
    const start = this.#tokens.spanOf(opener);
    const parameters = { bracket: opener.text ?? '', closer: pair.closer };
    if (found.type !== Token.EOF || before === null) return this.#report('unclosedBracket', start, parameters);
    // What is missing at the end is shown there, and where it began beside it.
    const likely = opener.type === P.LBRACE ? (findUnclosedByIndentation(this.#tokens.visible) ?? opener) : opener;
    const { file, end } = this.#tokens.spanOf(before);
    report(this.#sink, 'unclosedBracketAtEnd', { file, start: end, end }, parameters, {
      labels: [{ span: this.#tokens.spanOf(likely), text: `this '${parameters.bracket}' is open` }],
    });
    return true;
  }

  /** `[1, 2` and a statement on the next line: the bracket is closed neither there nor further on in that statement. */
  #explainCut(found: Token, before: Token | null): boolean {
    const opener = this.#openerAround(found);
    const isCut = statementWords.has(found.type) && before !== null && before.line < found.line;
    if (!isCut || opener === undefined || (opener.type !== P.LBRACKET && opener.type !== P.LPAREN)) return false;
    const { closer, type } = pairs[opener.type]!;
    let depth = 0;
    for (const token of this.#tokens.visible.slice(found.tokenIndex, found.tokenIndex + longestStatement)) {
      if (token.type === P.SEMICOLON || token.type === P.LBRACE) break;
      if (depth === 0 && token.type === type) return false;
      if (openingTypes.has(token.type)) depth += 1;
      else if (closingTypes.has(token.type)) depth -= 1;
    }
    return this.#report('unclosedBracket', this.#tokens.spanOf(opener), { bracket: opener.text ?? '', closer });
  }

  /** A `;` is missing where the next token stands on another line, or ends the block. */
  #explainSemicolon(found: Token, before: Token | null, expected: IntervalSet): boolean {
    if (before === null || endsStatement(before) || !expected.contains(P.SEMICOLON)) return false;
    // `int const x`
    if (found.type === P.CONST && found.line === before.line && primitives.has(before.type)) return false;
    const isElsewhere = found.line > before.line || found.type === Token.EOF || statementStarts.has(found.type);
    if (!isElsewhere) return false;
    const { file, end } = this.#tokens.spanOf(before);
    const span: Span = { file, start: end, end };
    // It is a mistake of the line before; this line may have one of its own.
    if (!this.#tokenLines.has(found.line)) this.#lines.delete(found.line);
    this.#lines.add(before.line);
    // What was to be divided without a remainder is a comment.
    const isDivision = /^[ \t]*\/\/(?:[ \t]*[\w(]|=[ \t]*[\w(])[^ ]*;/.test(file.text.slice(end, end + 200));
    report(
      this.#sink,
      'missingSemicolon',
      span,
      {},
      isDivision
        ? { help: 'If // was to divide: it begins a comment. Ints are divided with /, which drops the remainder.' }
        : { fix: sureFix("add ';'", span, ';') },
    );
    return true;
  }

  /** What stands there and what could have. */
  #explainPlace(found: Token, before: Token | null, expected: IntervalSet, rule: number): boolean {
    const words = this.#isAhead
      ? describeNext(before, found, pairs[this.#openerAround(found)?.type ?? -1]?.closer ?? ';', rule)
      : describeExpected(expected);
    if (found.type === Token.EOF) {
      const end = this.#tokens.spanOf(before ?? found).end;
      return this.#report(
        'unexpectedEnd',
        { file: this.#tokens.spanOf(found).file, start: end, end },
        { expected: words },
      );
    }
    if (before?.type === P.DOT && before.line < found.line) return this.#explainLineEnd(before, found);
    const opener = this.#openerAround(found) ?? null;
    const start = this.#statementStart(found);
    const startsAt = start === null ? 0 : start.tokenIndex;
    const hint = placeHint({
      found,
      before,
      secondBefore: before === null ? null : this.#tokenBefore(before),
      after: this.#tokens.visible[found.tokenIndex + 1] ?? null,
      start,
      statement: this.#tokens.visible.slice(startsAt, startsAt + longestStatement),
      opener,
      beforeOpener: opener === null ? null : this.#tokenBefore(opener),
      takesParenthesis: expected.contains(P.LPAREN),
      expected: words,
      rule,
    });
    const span = this.#tokens.spanOf(found);
    const mending = hint?.mending ?? null;
    const fix =
      mending === null ? {} : { fix: wordFix(this.#tokens.spanOf(mending.first, mending.last), mending.text, true) };
    report(
      this.#sink,
      'unexpectedToken',
      span,
      { found: describeToken(found), expected: words },
      hint === null ? {} : { help: hint.help, ...fix },
    );
    return true;
  }

  /** The name behind a dot was not written yet; the next line is as it should be. */
  #explainLineEnd(dot: Token, found: Token): boolean {
    this.#lines.delete(found.line);
    this.#lines.add(dot.line);
    const { file, end } = this.#tokens.spanOf(dot);
    return this.#report(
      'unexpectedToken',
      { file, start: end, end },
      { found: 'the end of the line', expected: 'a name' },
    );
  }

  #report<Key extends FaultKey>(key: Key, span: Span, parameters: Parameters<typeof report<Key>>[3]): boolean {
    report(this.#sink, key, span, parameters);
    return true;
  }

  /** The innermost bracket that is open where the token stands. */
  #openerAround(found: Token): Token | undefined {
    return this.#tokens.visible[this.#openerAt(found.tokenIndex)];
  }

  #openerAt(index: number): number {
    this.#openers ??= findOpeners(this.#tokens.visible);
    return this.#openers[index] ?? -1;
  }

  /** The first token of the statement that the token stands in. */
  #statementStart(token: Token): Token | null {
    const { visible } = this.#tokens;
    let at = token.tokenIndex;
    while (at > 0 && !endsStatement(visible[at - 1]!)) at--;
    return visible[at] ?? null;
  }

  #tokenBefore(token: Token): Token | null {
    const at = token.tokenIndex;
    return at > 0 ? this.#tokens.visible[at - 1]! : null;
  }
}

/** For each token the place of the innermost bracket that is open where it stands; -1 for none. */
function findOpeners(visible: readonly Token[]): Int32Array {
  const openers = new Int32Array(visible.length);
  const open: number[] = [];
  for (let at = 0; at < visible.length; at++) {
    openers[at] = open.at(-1) ?? -1;
    const { type } = visible[at]!;
    if (openingTypes.has(type)) open.push(at);
    else if (closingTypes.has(type)) open.pop();
  }
  return openers;
}

const openingTypes: ReadonlySet<number> = new Set([P.LPAREN, P.LBRACKET, P.LBRACE, P.TEMPLATE_OPEN]);
const closingTypes: ReadonlySet<number> = new Set([P.RPAREN, P.RBRACKET, P.RBRACE]);

/** The lines of what was found so far, in one walk through the table of lines. */
function linesOf(sink: DiagnosticSink): Set<number> {
  const lines = new Set<number>();
  let file: SourceFile | null = null;
  let line = 1;
  for (const { span } of sink.sorted()) {
    if (span.file !== file) line = 1;
    file = span.file;
    while ((file.lineStarts[line] ?? Infinity) <= span.start) line++;
    lines.add(line);
  }
  return lines;
}

/** What stands in front of the `(` behind which a statement follows. */
const bodyHeads: ReadonlySet<number> = new Set([P.IF, P.WHILE, P.FOR, P.FOREACH]);

/** What can only be the next statement, or the end of the block. */
const statementStarts: ReadonlySet<number> = new Set([
  P.RBRACE,
  P.ELSE,
  P.YIELD,
  P.RETURN,
  P.BREAK,
  P.CONTINUE,
  P.THROW,
  P.TRY,
  P.CONST,
]);

/** Behind these a `;` could stand, as a statement that does nothing, but none is missing. */
function endsStatement(token: Token | null): boolean {
  return token === null || token.type === P.SEMICOLON || token.type === P.LBRACE || token.type === P.RBRACE;
}

/** Rules of the head of a function: when it goes wrong, its whole body is passed over. */
const headRules: ReadonlySet<number> = new Set([P.RULE_item, P.RULE_parameterList, P.RULE_parameter]);

/** Goes on behind the `;` or the block with which the item ends. */
function skipItem(recognizer: Parser): void {
  let depth = 0;
  for (let type = recognizer.getCurrentToken().type; type !== Token.EOF; type = recognizer.getCurrentToken().type) {
    recognizer.consume();
    if (type === P.LBRACE) depth += 1;
    if (type === P.RBRACE) depth -= 1;
    if (depth <= 0 && (type === P.SEMICOLON || type === P.RBRACE)) return;
  }
}
