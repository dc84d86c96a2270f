// A template whose backtick was forgotten goes on to the next backtick, and from there on code and text change places.
// Which template of the file it is, the lines tell: here is found where the one character is missing with which most
// lines that look like code are code, and most others text.

/** A character that a template lacks. */
export interface MissingMark {
  /** Where it belongs, in UTF-16 units. */
  readonly at: number;
  /** A backtick, or the end of `${`. */
  readonly mark: '`' | '}';
  /** Where the template or its `${` begins. */
  readonly opener: number;
}

/** So many places are tried, each in one pass over the text. */
const mostTries = 32;

/** Null where no place makes the templates of the text end, or the lines fit better as they are. */
export function findMissingMark(text: string): MissingMark | null {
  const asWritten = scan(text);
  let best: MissingMark | null = null;
  let least = asWritten.misfits + 1;
  for (const { candidate, misfitsBefore } of asWritten.candidates.slice(0, mostTries)) {
    // Those further on have at least as many.
    if (misfitsBefore >= least) break;
    const { isOpen, misfits } = scan(insertMark(text, candidate));
    if (isOpen || misfits >= least) continue;
    best = candidate;
    least = misfits;
  }
  return best;
}

export function insertMark(text: string, { at, mark }: MissingMark): string {
  return text.slice(0, at) + mark + text.slice(at);
}

interface Scan {
  /** A template goes on to the end of the text. */
  readonly isOpen: boolean;
  /** Lines within a template that look like code, and lines of code that do not. */
  readonly misfits: number;
  /** What would close each template and each `${` that does not end in its line. */
  readonly candidates: readonly { readonly candidate: MissingMark; readonly misfitsBefore: number }[];
}

/** What is read as one: comments and strings, within which a backtick means nothing; or a mark. */
const inCode = /\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[^\n])*"?|'(?:[^'\\\n]|\\[^\n])*'|[`{}\n]/y;
const inTemplate = /\\[^]|\$\{|[`\n]/y;

/** A template, its `${`, or a brace of the code. */
interface Open {
  readonly kind: '`' | '${' | '{';
  readonly at: number;
  readonly line: number;
}

function scan(text: string): Scan {
  const open: Open[] = [];
  const candidates: { candidate: MissingMark; misfitsBefore: number }[] = [];
  let misfits = 0;
  let line = 0;
  let lineStart = 0;
  /** Whether the line began within the text of a template; null where it has both. */
  let isText: boolean | null = false;
  /** Behind the last `}` of a `${` in this line. */
  let expressionEnd = 0;
  let at = 0;
  const endLine = (end: number): void => {
    const misfitsBefore = misfits;
    const add = (candidate: MissingMark): number => candidates.push({ candidate, misfitsBefore });
    if (isText !== null && looksLikeCode(text.slice(lineStart, end)) === isText) misfits += 1;
    const inner = open.at(-1);
    if (inner?.kind === '`' && (inner.line === line || /^\s*[;,)\]}]*;\s*$/.test(text.slice(lineStart, end)))) {
      const own = Math.max(inner.line === line ? inner.at + 1 : lineStart, expressionEnd);
      const head = text.slice(text.lastIndexOf('\n', inner.at) + 1, inner.at);
      add({ at: beforeTail(text, head, own, end), mark: '`', opener: inner.at });
    }
    // A backtick within `${` begins a template of its own; more likely it was to end the one around.
    const expression = open.findLast(({ kind }) => kind === '${');
    if (expression?.line === line) {
      const inside = open[open.indexOf(expression) + 1];
      const place = inside?.kind === '`' ? inside.at : beforeTail(text, '', expression.at + 2, end);
      add({ at: place, mark: '}', opener: expression.at });
    }
    line += 1;
    lineStart = end + 1;
    isText = open.at(-1)?.kind === '`';
    expressionEnd = 0;
  };
  while (at < text.length) {
    const isTemplate = open.at(-1)?.kind === '`';
    const pattern = isTemplate ? inTemplate : inCode;
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    const start = at;
    at += found?.length ?? 1;
    if (found === undefined) continue;
    if (found.includes('\n') && found !== '\n') {
      // A comment of several lines, or an escaped line end.
      line += found.split('\n').length - 1;
      lineStart = start + found.lastIndexOf('\n') + 1;
      isText = null;
    } else if (found === '\n') endLine(start);
    else if (found === '`' && isTemplate) open.pop();
    else if (found === '`' || found === '${' || found === '{') open.push({ kind: found, at: start, line });
    else if (found === '}') {
      if (open.pop()?.kind === '${') expressionEnd = at;
    }
    if (isText !== (open.at(-1)?.kind === '`') && found !== '\n') isText = null;
  }
  endLine(text.length);
  return { isOpen: open.some(({ kind }) => kind !== '{'), misfits, candidates };
}

const codeEnd = /^\s*$|[;{}(),[\]&|+\-*/:?=]\s*(?:\/\/.*)?$/;
const codeBegin = /^\s*(?:\/\/|\/\*|\*|else\b|if\b|for|while\b|do\b|try\b)/;

/** A statement, its head, the end of a block, or nothing that says otherwise. */
function looksLikeCode(line: string): boolean {
  return codeEnd.test(line) || codeBegin.test(line);
}

const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** In front of the `;` that a line ends with, and of the brackets that close those of `head`, the code before it. */
function beforeTail(text: string, head: string, from: number, end: number): number {
  const open: string[] = [];
  for (const character of head) {
    if (character in closers) open.push(closers[character]!);
    else if (character === open.at(-1)) open.pop();
  }
  // From the end on, the outermost is closed first.
  let at = end;
  for (let depth = 0; at > from; at--) {
    const character = text[at - 1]!;
    if (character === open[depth]) depth += 1;
    else if (!/[\s;,]/.test(character)) break;
  }
  return at;
}
