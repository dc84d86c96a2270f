// All tokens of a text, as they are written. When the text changes, those that the change cannot concern stay: in front
// of it up to where the lexer has looked into it, and behind it from where the lexer comes to the start of a token in
// the same mode. Only their places are moved, in the tokens themselves, so a buffer belongs to one parse at a time.

import { Token } from 'antlr4ng';
import type { TokenSource } from 'antlr4ng';
import type { Poll } from '../stopping.ts';
import { SluiceLexer } from './generated/SluiceLexer.ts';
import { TextStream } from './text-stream.ts';

/** The modes that are open in one another. Equal ones are the same object. */
class Modes {
  readonly mode: number;
  readonly around: Modes | null;
  readonly #inner = new Map<number, Modes>();

  constructor(mode: number, around: Modes | null) {
    this.mode = mode;
    this.around = around;
  }

  with(mode: number): Modes {
    let inner = this.#inner.get(mode);
    if (inner === undefined) {
      inner = new Modes(mode, this);
      this.#inner.set(mode, inner);
    }
    return inner;
  }
}

/** A `}` too many is the parser's to report. */
class Lexer extends SluiceLexer {
  modes = new Modes(SluiceLexer.DEFAULT_MODE, null);

  /** Outside of templates there is one mode, however deep the braces: one more of them changes nothing behind it. */
  override pushMode(mode: number): void {
    if (this.modes.around === null && mode === SluiceLexer.DEFAULT_MODE) return;
    this.modes = this.modes.with(mode);
    super.pushMode(mode);
  }

  override popMode(): number {
    const { around } = this.modes;
    if (around === null) return this.mode;
    this.modes = around;
    return super.popMode();
  }

  /** Goes on at a place of the text, as if it had come there. */
  goTo({ start, line, column }: Pick<Token, 'start' | 'line' | 'column'>, modes: Modes): void {
    this.reset(false);
    this.inputStream.seek(start);
    this.interpreter.line = line;
    this.interpreter.column = column;
    this.modes = modes;
    this.mode = modes.mode;
    for (let { around } = modes; around !== null; { around } = around) this.modeStack.unshift(around.mode);
  }
}

const textStart = { start: 0, line: 1, column: 0 };

/** A token, and what is known of the lexer when it had read it. */
interface Row {
  readonly token: Token;
  readonly modes: Modes;
  /** Up to which offset the text decided this token and all before it. */
  reach: number;
}

export class TokenBuffer {
  readonly #stream = new TextStream();
  readonly #lexer = new Lexer(this.#stream);
  readonly #root = this.#lexer.modes;
  #rows: readonly Row[] = [];

  constructor() {
    this.#lexer.removeErrorListeners();
  }

  get source(): TokenSource {
    return this.#lexer;
  }

  /** Every token of the text, in order, that of the end last. They hold until the next call. */
  read(text: string, poll: Poll): readonly Token[] {
    const before = this.#stream.text;
    const front = commonStart(before, text);
    const back = commonEnd(before, text, front);
    const rows = this.#rows;
    // In case that the caller gives up on the way.
    this.#rows = [];
    this.#stream.text = text;
    const kept = Math.max(0, countUpTo(rows, front) - 1);
    // The last one that stays is read once more, since what stands in front of the next may have changed.
    if (kept === 0) this.#lexer.goTo(textStart, this.#root);
    else this.#lexer.goTo(rows[kept]!.token, rows[kept - 1]!.modes);
    const made = rows.slice(0, kept);
    let reach = made.at(-1)?.reach ?? 0;
    const change = text.length - before.length;
    let old = kept;
    for (;;) {
      const { modes } = this.#lexer;
      poll();
      const token = this.#lexer.nextToken();
      const start = token.start - change;
      while (old < rows.length && rows[old]!.token.start < start) old++;
      const same = rows[old];
      const isSame =
        same?.token.start === start &&
        start >= before.length - back &&
        token.type !== Token.EOF &&
        (old === 0 ? this.#root : rows[old - 1]!.modes) === modes;
      if (isSame) {
        move(rows, old, token, change);
        for (let at = old; at < rows.length; at++) made.push(rows[at]!);
        break;
      }
      reach = Math.max(reach, this.#stream.reach);
      made.push({ token, modes: this.#lexer.modes, reach });
      if (token.type === Token.EOF) break;
    }
    this.#rows = made;
    return made.map((row) => row.token);
  }
}

/** Moves all tokens from a place on to where the first of them is now. */
function move(rows: readonly Row[], from: number, { line, column }: Token, change: number): void {
  const first = rows[from]!.token;
  const [lines, columns, oldLine] = [line - first.line, column - first.column, first.line];
  if (lines === 0 && columns === 0 && change === 0) return;
  for (let at = from; at < rows.length; at++) {
    const row = rows[at]!;
    const { token } = row;
    if (token.line === oldLine) token.column += columns;
    token.line += lines;
    token.start += change;
    token.stop += change;
    row.reach += change;
  }
}

/** How many rows from the first on are decided by so much of the text. */
function countUpTo(rows: readonly Row[], length: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]!.reach <= length) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Engines compare texts of this length far quicker than unit by unit. */
const stride = 4096;

export function commonStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length + stride <= most && a.slice(length, length + stride) === b.slice(length, length + stride))
    length += stride;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}

/** Without the start that they have in common. */
export function commonEnd(a: string, b: string, start: number): number {
  const most = Math.min(a.length, b.length) - start;
  const before = (text: string, length: number): string =>
    text.slice(text.length - length - stride, text.length - length);
  let length = 0;
  while (length + stride <= most && before(a, length) === before(b, length)) length += stride;
  while (length < most && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length)) length++;
  return length;
}
