// Edits as they come while somebody types, and by chance. After each the file is parsed anew, and with what the parse
// before it kept: both must be the same.

import { isDeepStrictEqual } from 'node:util';
import { ItemCache } from '../../src/1-parse/item-cache.ts';
import { parse } from '../../src/1-parse/parse.ts';
import type { SyntaxFile } from '../../src/1-parse/syntax-tree.ts';
import { DiagnosticSink } from '../../src/diagnostics/diagnostic.ts';
import { createSourceFile } from '../../src/source.ts';
import type { SourceFile } from '../../src/source.ts';
import type { Poll } from '../../src/stopping.ts';
import type { Parsed } from './parsed.ts';

/** What is typed into a file key by key; what stands behind `⌫` takes as many characters away. */
const typed = [
  'int add(int a, int b = 2) {\n  if (a > b) return a;\n  return a + b;\n}\n',
  'type P {\n  int x;\n  string? s;\n}\nP p = { x: 1, s: "a" };\n',
  'string s = `a ${1 + 2} b`;\n/* a comment\n */ int y = 1; // to the end\n',
  'if (true) {\n  foreach (int x in [1, 2]) { yield x; }\n} else yield 9999999999999999999;\n',
  'try { f(); } catch (e) { }\n{ } [1];\n{ }.x;\ndo x++; while (x < 3);\n',
];

const snippets = [
  '{', '}', '(', ')', ';', '`', '"', '/*', '*/', '//', '${', ' else ', ' catch (e) { }', '\n', ' ', '.', '@a:b "c"\n',
  'import "a" as a;\n', 'x', '1', '007', '=', '===', 'do ', 'if (x) ', 'type ', '{}', '-x;', '[1];', '😀', 'while (x) ',
  'void g() { }\n', 'main() {\n', 'return', '99999999999999999999', 'x;\n', '\t', "'",
]; // prettier-ignore

/** A file that is edited, and parsed after each edit. */
export class EditedFile {
  text: string;
  file: SyntaxFile | null = null;
  #cache: ItemCache | null = null;

  constructor(text: string) {
    this.text = text;
  }

  /** What differs between the two ways; null for nothing. */
  difference(): string | null {
    const source = createSourceFile('a.slu', this.text);
    const cache = new ItemCache(this.#cache);
    const again = parsed(source, cache);
    const fresh = parsed(source, null);
    this.#cache = cache;
    this.file = again.file;
    for (const key of ['headers', 'imports', 'items', 'unreadNames', 'comments', 'tokens'] as const)
      if (!isDeepStrictEqual(again.file[key], fresh.file[key])) return `${key} of ${JSON.stringify(this.text)}`;
    if (!isDeepStrictEqual(again.diagnostics, fresh.diagnostics)) return `diagnostics of ${JSON.stringify(this.text)}`;
    return null;
  }

  replace(start: number, end: number, words: string): string | null {
    this.text = this.text.slice(0, start) + words + this.text.slice(end);
    return this.difference();
  }
}

function parsed(source: SourceFile, cache: ItemCache | null): Parsed {
  const sink = new DiagnosticSink();
  const file = parse(source, sink, () => {}, cache);
  return { file, diagnostics: sink.sorted() };
}

/** How many tokens are read of the text, and by the parser, after an edit: with and without what was read before. */
export function tokensRead(
  text: string,
  place: number,
  words: string,
): { readonly fresh: number; readonly again: number } {
  const cache = new ItemCache(null);
  parsed(createSourceFile('a.slu', text), cache);
  const source = createSourceFile('a.slu', text.slice(0, place) + words + text.slice(place));
  const count = (work: (poll: Poll) => void): number => {
    let polls = 0;
    work(() => {
      polls += 1;
    });
    return polls;
  };
  const fresh = count((poll) => parse(source, new DiagnosticSink(), poll));
  const again = count((poll) => parse(source, new DiagnosticSink(), poll, new ItemCache(cache)));
  return { fresh, again };
}

/** Numbers below a limit, the same for the same seed. */
export function createDraw(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * limit);
  };
}

/** Edits by chance, one on top of the other; some are taken back. */
export function faultOfEdits(text: string, count: number, seed: number): string | null {
  const draw = createDraw(seed);
  const edited = new EditedFile(text);
  let fault = edited.difference();
  for (let at = 0; at < count && fault === null; at++) {
    const before = edited.text;
    const start = draw(before.length + 1);
    const lineEnd = before.indexOf('\n', start);
    const edits = [
      () => edited.replace(start, start, snippets[draw(snippets.length)]!),
      () => edited.replace(start, start, snippets[draw(snippets.length)]!),
      () => edited.replace(start, start + 1, ''),
      () => edited.replace(before.lastIndexOf('\n', start) + 1, lineEnd < 0 ? before.length : lineEnd + 1, ''),
      () => replaceToken(edited, draw, ''),
      () => replaceToken(edited, draw, snippets[draw(snippets.length)]!),
      () => replaceItem(edited, draw),
    ];
    fault = edits[draw(edits.length)]!();
    if (fault === null && draw(3) > 0) fault = edited.replace(0, edited.text.length, before);
  }
  return fault;
}

function replaceToken(edited: EditedFile, draw: (limit: number) => number, words: string): string | null {
  const { tokens } = edited.file!;
  const token = tokens[draw(tokens.length)];
  return token === undefined ? null : edited.replace(token.start, token.end, words);
}

/** Takes an item away, and sometimes puts it elsewhere. */
function replaceItem(edited: EditedFile, draw: (limit: number) => number): string | null {
  const { items } = edited.file!;
  const item = items[draw(items.length)];
  if (item === undefined) return null;
  const words = edited.text.slice(item.span.start, item.span.end);
  const fault = edited.replace(item.span.start, item.span.end, '');
  if (fault !== null || draw(2) === 0) return fault;
  const place = edited.file!.items[draw(edited.file!.items.length)]?.span.start ?? 0;
  return edited.replace(place, place, `${words}\n`);
}

/** Types into a file behind one of its items, key by key. */
export function faultOfTyping(text: string, seed: number): string | null {
  const draw = createDraw(seed);
  const edited = new EditedFile(text);
  let fault = edited.difference();
  const items = edited.file!.items;
  let place = items[draw(items.length)]?.span.start ?? 0;
  for (const key of typed[seed % typed.length]!) {
    fault ??= edited.replace(place, place, key);
    place += key.length;
  }
  return fault;
}
