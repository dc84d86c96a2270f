// What all printing stands on: a cursor over the pieces of a file, which hands out each once and in order, and the
// gaps between them, where comments are. A gap that a comment lies in is made of several: where the layout would
// break the line, and what stays of the line ends that were written.

import { builders } from 'prettier/doc';
import type { Expression, Statement } from '../1-parse/syntax-tree.ts';
import { isComment } from './pieces.ts';
import type { Piece } from './pieces.ts';

export type Doc = builders.Doc;

const { breakParent, hardline, indent, line, lineSuffix, literalline, softline } = builders;

/** Where an expression of several lines stands: its further lines are one level in, or stand as they are. */
export type Place = 'indent' | 'flush';

/** What separates two tokens where no comment is. `hardline` keeps a blank line, `list` does and breaks the list. */
export type Separator = 'none' | 'space' | 'line' | 'softline' | 'list' | 'hardline';

/** Where nothing but the separator is wanted: behind the start of a file or block, in front of its end. */
export type Edge = 'file' | 'opening' | 'closing';

/** Pieces from one up to another. */
export interface Kept {
  readonly from: number;
  readonly to: number;
  /** An expression in a template, which parsed, and is kept with the text around it. */
  readonly isPart: boolean;
}

export interface Gap {
  /** All but the last part: the comments, with what is in front of each. */
  readonly before: Doc;
  /** What is between the last comment, or the token before, and the next token. */
  readonly last: Doc;
  /** The same as `last`, for what keeps its own indentation; null where it is not the first of its line. */
  readonly raw: Doc | null;
}

/** The tree and the tokens do not go together: something is wrong with the text, or with the formatter. */
export class Mismatch extends Error {}

export class Printer {
  readonly pieces: readonly Piece[];
  readonly #text: string;
  readonly indentSize: number;
  /** The next piece. */
  at = 0;
  /** Counts what breaks the lines around it, whatever their length. */
  forced = 0;
  /** Breaks no line, as in templates. */
  isFlat = false;
  /** Pieces that stand as they were, from and up to. */
  readonly kept: Kept[] = [];
  /** The piece in front of which is white space already. */
  #spaced = 0;
  readonly expression: (printer: Printer, node: Expression, place: Place) => Doc;
  readonly statement: (printer: Printer, node: Statement) => Doc;

  constructor(
    text: string,
    pieces: readonly Piece[],
    indentSize: number,
    print: Pick<Printer, 'expression' | 'statement'>,
  ) {
    this.#text = text;
    this.pieces = pieces;
    this.indentSize = indentSize;
    this.expression = print.expression;
    this.statement = print.statement;
  }

  /** The next token, or one behind it, comments passed over. */
  peek(further = 0): Piece | null {
    let left = further;
    for (let at = this.at; at < this.pieces.length; at++) {
      const piece = this.pieces[at]!;
      if (!isComment(piece) && left-- === 0) return piece;
    }
    return null;
  }

  /** Where the next token begins; beyond everything at the end. */
  nextStart(): number {
    return this.peek()?.start ?? Infinity;
  }

  isNext(text: string): boolean {
    return this.peek()?.text === text;
  }

  /** Whether nothing up to an offset is a comment or begins a line but what is next. */
  isOnOneLine(end: number): boolean {
    for (let at = this.at; at < this.pieces.length && this.pieces[at]!.start < end; at++) {
      const piece = this.pieces[at]!;
      if (isComment(piece) || piece.text.includes('\n') || (piece.breaks > 0 && at > this.at)) return false;
    }
    return true;
  }

  /** Whether a comment lies in front of the next token. */
  hasComments(): boolean {
    return this.at < this.pieces.length && isComment(this.pieces[this.at]!);
  }

  /** The next token, which has to be this one. Comments in front of it stay there. */
  token(text: string): Doc {
    const gap = this.hasComments() ? together(this.gap('none')) : '';
    const piece = this.pieces[this.at];
    if (piece === undefined || piece.text !== text)
      throw new Mismatch(`${text} is expected, not ${piece?.text ?? 'the end'}, at ${piece?.start ?? 'the end'}`);
    const needsSpace = gap === '' && this.#spaced !== this.at && joins(this.pieces[this.at - 1], piece);
    this.at += 1;
    return gap === '' ? (needsSpace ? [' ', text] : text) : [gap, text];
  }

  /** The next token, whatever it is. */
  anyToken(): Doc {
    const next = this.peek();
    if (next === null) throw new Mismatch('a token is expected, not the end');
    return this.token(next.text);
  }

  /** The tokens up to an offset, without white space between them. */
  tight(end: number): Doc {
    const parts: Doc[] = [];
    while (this.nextStart() < end) parts.push(this.anyToken());
    return parts.length === 1 ? parts[0]! : parts;
  }

  /** What lies in front of the next token, as one. */
  gapOf(separator: Separator): Doc {
    return together(this.gap(separator));
  }

  /** What lies in front of the next token, comments too, which are passed. */
  gap(separator: Separator, edge: Edge | null = null): Gap {
    const from = this.at;
    while (this.hasComments()) this.at += 1;
    if (separator !== 'none' && separator !== 'softline') this.#spaced = this.at;
    const breaks = this.pieces[this.at]?.breaks ?? 1;
    if (this.at === from) return this.#plainGap(separator, edge, breaks);
    return this.#commentedGap(from, separator, edge);
  }

  /** Counts as a forced break from here on; for groups that are always broken. */
  force(isForced: boolean): boolean {
    const counts = isForced && !this.isFlat;
    if (counts) this.forced += 1;
    return counts;
  }

  /** Pieces as they are written, white space between them included. */
  verbatim(to: number, isPart = false): Doc {
    const from = this.at;
    while (this.at < this.pieces.length && this.pieces[this.at]!.start < to) this.at += 1;
    if (this.at === from) return '';
    this.kept.push({ from, to: this.at, isPart });
    return asWritten(this.#text.slice(this.pieces[from]!.start, this.pieces[this.at - 1]!.end));
  }

  /** Goes back, after something could not be printed. */
  reset(at: number, forced: number): void {
    this.at = at;
    this.forced = forced;
    while (this.kept.length > 0 && this.kept.at(-1)!.to > at) this.kept.pop();
  }

  #plainGap(separator: Separator, edge: Edge | null, breaks: number): Gap {
    if (edge === 'file') return { before: '', last: '', raw: this.#indentationOf(this.at) };
    const isBlank = breaks > 1 && edge === null;
    const raw = breaks > 0 ? this.#rawBreak(isBlank) : null;
    return { before: '', last: this.#separatorDoc(separator, isBlank), raw };
  }

  #separatorDoc(separator: Separator, isBlank: boolean): Doc {
    if (separator === 'none') return '';
    if (separator === 'space') return ' ';
    if (separator === 'hardline') {
      this.forced += 1;
      return isBlank ? [hardline, hardline] : hardline;
    }
    if (this.isFlat) return separator === 'softline' ? '' : ' ';
    if (separator === 'list' && isBlank) {
      this.forced += 1;
      return [hardline, hardline];
    }
    return separator === 'softline' ? softline : line;
  }

  /** A line end, and the white space in front of the next piece. */
  #rawBreak(isBlank: boolean): Doc {
    return [literalline, isBlank ? literalline : '', this.#indentationOf(this.at)];
  }

  #indentationOf(at: number): string {
    const piece = this.pieces[at];
    return piece === undefined
      ? ''
      : /[ \t\f\v]*$/.exec(this.#text.slice(this.pieces[at - 1]?.end ?? 0, piece.start))![0];
  }

  /** Slots lie around comments: each is a line end that stays, the separator, or a space. */
  #commentedGap(from: number, separator: Separator, edge: Edge | null): Gap {
    const comments = this.#commentsFrom(from);
    const { pieces } = this;
    const isOpening = edge === 'file' || edge === 'opening';
    const breaks = comments.map(({ first }) => pieces[first]!.breaks);
    breaks.push(this.at < pieces.length ? pieces[this.at]!.breaks : 1);
    if (edge === 'file') breaks[0] = Math.max(1, breaks[0]!);
    const isHard = breaks.map(() => false);
    for (const [at, { isLine }] of comments.entries()) {
      const isAlone = breaks[at]! > 0 && (isLine || breaks[at + 1]! > 0);
      if (isAlone) isHard[at] = true;
      if (isAlone || isLine) isHard[at + 1] = true;
    }
    const count = comments.length;
    const natural = isHard.includes(true)
      ? -1
      : edge === 'closing'
        ? count
        : Math.max(
            0,
            breaks.findIndex((number) => number > 0),
          );
    const slot = (at: number): Doc => {
      if (at === 0 && edge === 'file') return '';
      const isBlank = breaks[at]! > 1 && !(at === 0 && isOpening) && !(at === count && edge === 'closing');
      if (isHard[at]!) {
        this.forced += 1;
        return isBlank ? [hardline, hardline] : hardline;
      }
      if (at === natural && separator !== 'none') return this.#separatorDoc(separator, isBlank);
      return this.#isTight(from, comments, at, separator) ? '' : ' ';
    };
    const before = comments.map(({ doc, isLine }, at): Doc => {
      const space = slot(at);
      return isLine && space === ' ' ? lineSuffix([' ', doc]) : [space, doc];
    });
    const last = slot(count);
    const isFirstOfLine = isHard[count]! || (natural === count && separator === 'hardline');
    const raw = isFirstOfLine && breaks[count]! > 0 ? this.#rawBreak(breaks[count]! > 1) : null;
    return { before, last, raw };
  }

  #commentsFrom(from: number): readonly { readonly first: number; readonly isLine: boolean; readonly doc: Doc }[] {
    const comments: { first: number; isLine: boolean; doc: Doc }[] = [];
    for (let at = from; at < this.at; at++) {
      const { kind, text } = this.pieces[at]!;
      if (kind !== 'comment-line') {
        const isBroken = kind === 'block-comment' && text.includes('\n');
        // What is around it breaks, or its lines behind it would be measured as if they were one with those in front.
        if (isBroken) this.forced += 1;
        comments.push({
          first: at,
          isLine: kind === 'line-comment',
          doc: isBroken ? [asWritten(text), breakParent] : text,
        });
      } else {
        this.forced += 1;
        const comment = comments.at(-1)!;
        comment.doc = [comment.doc, hardline, ' ', text];
      }
    }
    return comments;
  }

  /** Whether nothing is between a comment and its neighbour on the line. */
  #isTight(
    from: number,
    comments: readonly { readonly first: number; readonly isLine: boolean }[],
    at: number,
    separator: Separator,
  ): boolean {
    if (at < comments.length && comments[at]!.isLine) return false;
    if (at === 0) return /[([]$/.test(this.pieces[from - 1]?.text ?? '(');
    if (at < comments.length) return false;
    const next = this.pieces[this.at]?.text ?? ';';
    return /^[)\],;.]/.test(next) || (separator === 'none' && !/^[A-Za-z0-9_]/.test(next));
  }
}

/** With its line ends where they are, which break no line around them. */
export function asWritten(text: string): Doc {
  if (!text.includes('\n')) return text;
  return text
    .replace(/(?<!\r)\r\n/g, '\n')
    .split('\n')
    .flatMap((part, at): Doc[] => (at === 0 ? [part] : [{ type: 'line', hard: true, literal: true }, part]));
}

export function together({ before, last }: Gap): Doc {
  return before === '' ? last : [before, last];
}

/** A gap in front of something that is one level in, where it breaks the line. */
export function indented(gap: Doc): Doc {
  return gap === '' || gap === ' ' ? gap : indent(gap);
}

const twoCharacters: ReadonlySet<string> = new Set(
  '++ -- += -= *= /= %= &= |= ^= << >> <= >= == != && || => -> ** ?? :: := // /* ..'.split(' '),
);

/** Whether two pieces would be something else with nothing between them. */
function joins(left: Piece | undefined, right: Piece): boolean {
  if (left === undefined || left.kind === 'template-text' || right.kind === 'template-text') return false;
  const before = left.text.at(-1)!;
  const behind = right.text[0]!;
  return (
    (/\w/.test(before) && /\w/.test(behind)) ||
    (before === '.' && /\d/.test(behind)) ||
    twoCharacters.has(before + behind)
  );
}
