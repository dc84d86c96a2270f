// Edits as they come while somebody types, and by chance. After each the program is analysed anew, and with what the
// analysis before it kept: both must say the same of it.

import { isDeepStrictEqual } from 'node:util';
import type { Expression } from '../../src/1-parse/syntax-tree.ts';
import type { Meaning } from '../../src/2-check/notes.ts';
import { formatType } from '../../src/language/types.ts';
import { analyse } from '../../src/queries/index.ts';
import type { Analysis } from '../../src/queries/index.ts';
import { childrenOf, topLevelOf } from '../../src/queries/syntax-nodes.ts';
import type { SyntaxNode } from '../../src/queries/syntax-nodes.ts';
import { createSourceFile } from '../../src/source.ts';
import type { SourceReader } from '../../src/source-reader.ts';
import { createDraw } from '../parse/edits.ts';

/** What the edited program imports. */
const reader: SourceReader = {
  read: () => ({ name: 'lib.slu', text: library, identity: 'lib.slu' }),
  identify: (name) => name,
};
const library =
  'type P { int x; double y = 1.5; }\nint twice(int a, int b = 2) { return a * b; }\nconst int LIMIT = 3;\n';

/** Functions, types and variables that depend on one another in all ways there are. */
export const program = `import "lib.slu" as lib;

const int SIZE = 4;
const int DOUBLE_SIZE = SIZE * 2;
int counter = 0;

type Point { double x; double y; string name = "p"; }
type Line { Point from; Point to; }

double norm(Point p) {
  return Math.sqrt(p.x * p.x + p.y * p.y);
}

double length(Line line, double scale = 1.0) {
  double dx = line.to.x - line.from.x;
  double dy = line.to.y - line.from.y;
  return norm({ x: dx, y: dy }) * scale;
}

Line makeLine(int n) {
  return { from: { x: 0, y: 0 }, to: { x: n, y: SIZE } };
}

double total(int n) {
  double sum = 0;
  for (int i = 0; i < DOUBLE_SIZE; i++) sum += makeLine(n).length();
  return sum + makeLine(n).to.x;
}

int count() {
  counter += lib.twice(lib.LIMIT);
  return counter;
}

json describe(Point p) {
  json j = p;
  j.size = [SIZE, counter];
  return j;
}

int defaults(int a = count(), int b = a + lib.twice(SIZE)) {
  return a + b;
}

string text(Point p) {
  return \`\${p.name}: \${norm(p)} \${defaults()} \${length(makeLine(2))}\`;
}

main(int n = 3) {
  yield text({ x: n, y: 1 });
  yield total(n) + defaults(n);
}
`;

/** What takes the place of one of the words on the left. */
const replacements: readonly (readonly [string, readonly string[]])[] = [
  ['SIZE = 4', ['SIZE = 0', 'SIZE = count()', 'SIZE', 'WIDTH = 4', 'SIZE = "a"']],
  ['int counter', ['double counter', 'const int counter', 'json counter', 'int count', '']],
  ['double x; double y;', ['int x; double y;', 'double x;', 'double? x; double y;', 'double x double y;']],
  ['Point from', ['Point? from', 'Line from', 'Pont from', 'json from']],
  ['double norm(Point p)', ['int norm(Point p)', 'double norm(Point p, int q)', 'double norm(P', 'json norm(json p)']],
  ['Line makeLine(int n)', ['Line makeLine(double n)', 'Point makeLine(int n)', 'Line makeLine(', 'makeLine(int n)']],
  ['int count()', ['string count()', 'void count()', 'int counts()', 'export int count()']],
  ['import "lib.slu" as lib;', ['import "lib.slu" as other;', '', 'import "lib.slu" as', 'import "lib.slu" as norm;']],
  ['double scale = 1.0', ['double scale', 'double scale = SIZE', 'double scale = unknown()', 'int scale = 1.5']],
  ['main(int n = 3) {', ['void notMain() {', 'main(int n = 3) { yield 1 / 0;', 'main(', 'yield 1;\n']],
  ['sum + ', ['sum +', 'unknown + ', '1 / 0 + ', 'int unused = 1; sum + ', '`${']],
  ['return counter;', ['return', 'while (true) { } return counter;', 'Math', 'return SIZE;', '{', '}']],
  ['json j = p;', ['', 'json k = p;', 'int p = 2;', '/* ', '"', '`']],
  ['type Line {', ['type Lines {', 'type Line', 'export type Line {', 'type Math { int a; }\ntype Line {']],
  ['int defaults(', ['int defaults(int z = lib.twice(1), ', 'int total(', 'int Point(', 'double defaults(']],
]; // prettier-ignore

/** A program that is edited, and analysed after each edit. */
export class EditedProgram {
  text: string;
  #previous: Analysis | null = null;

  constructor(text: string) {
    this.text = text;
  }

  /** What differs between the two ways; null for nothing. Only now and then an editor asks about names. */
  difference(asks: boolean): string | null {
    const source = createSourceFile('a.slu', this.text);
    const again = analyse(source, reader, { previous: this.#previous });
    const fresh = analyse(source, reader);
    this.#previous = again;
    if (!isDeepStrictEqual(again.diagnostics, fresh.diagnostics))
      return `diagnostics of ${this.text}\n${list(again)}\ninstead of\n${list(fresh)}`;
    if (!asks) return null;
    const [notes, freshNotes] = [describeNotes(again), describeNotes(fresh)];
    const at = freshNotes.findIndex((note, index) => note !== notes[index]);
    return at < 0 && notes.length === freshNotes.length
      ? null
      : `notes of ${this.text}\n${notes[at]}\ninstead of\n${freshNotes[at]}`;
  }

  replace(from: string, to: string, asks: boolean): string | null {
    const start = this.text.indexOf(from);
    if (start < 0) return null;
    this.text = this.text.slice(0, start) + to + this.text.slice(start + from.length);
    return this.difference(asks);
  }
}

function list({ diagnostics }: Analysis): string {
  return diagnostics.map(({ code, message, span }) => `${code} ${span.start} ${message}`).join('\n');
}

/** All that is known of each name, expression and conversion, in the order of the text. */
function describeNotes(analysis: Analysis): readonly string[] {
  const found: string[] = [];
  for (const { index, notes, syntax } of analysis.files) {
    for (const { name, noted } of index.names)
      found.push(`${name.text} ${noted} ${describeMeaning(notes?.meanings.get(noted))}`);
    const open: SyntaxNode[] = [...topLevelOf(syntax)];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      const [type, expected] = [
        analysis.notes.typeOf(node as Expression),
        analysis.notes.expectedAt(node as Expression),
      ];
      const call = node.kind === 'call' ? describeMeaning(analysis.notes.callOf(node)?.callee) : '';
      found.push(
        `${node.kind} ${node.span.start} ${type && formatType(type)} ${expected && formatType(expected)} ${call}`,
      );
      open.push(...childrenOf(node));
    }
    for (const { span, to, constant } of notes?.conversions ?? []) found.push(`${span.start} ${to} ${constant}`);
  }
  return found;
}

function describeMeaning(meaning: Meaning | undefined): string {
  if (meaning === undefined) return 'unknown';
  const place = 'span' in meaning ? `${meaning.span.file.name} ${meaning.span.start} ${meaning.span.end}` : '';
  const type = 'type' in meaning ? formatType(meaning.type) : '';
  const signature =
    meaning.kind === 'function'
      ? [formatType(meaning.returns), ...meaning.parameters.map((parameter) => formatType(parameter.type))].join()
      : '';
  const fields = meaning.kind === 'struct' ? meaning.fields.map((field) => formatType(field.type)).join() : '';
  const row = meaning.kind === 'library' ? meaning.row.name : '';
  return `${meaning.kind} ${place} ${type} ${signature} ${fields} ${row}`;
}

/** Edits by chance, one on top of the other; most are taken back. */
export function faultOfProgramEdits(count: number, seed: number): string | null {
  const draw = createDraw(seed);
  const edited = new EditedProgram(program);
  let fault = edited.difference(false);
  for (let at = 0; at < count && fault === null; at++) {
    const before = edited.text;
    const [from, to] = replacements[draw(replacements.length)]!;
    const start = draw(before.length + 1);
    const length = draw(4);
    fault =
      draw(3) > 0
        ? edited.replace(from, to[draw(to.length)]!, draw(3) === 0)
        : edited.replace(before.slice(start, start + length), '', draw(3) === 0);
    if (fault !== null || draw(4) === 0) continue;
    edited.text = before;
    fault = edited.difference(draw(3) === 0);
  }
  return fault;
}

/** Types a text at a place of the program, key by key. */
export function faultOfProgramTyping(place: string, keys: string): string | null {
  const edited = new EditedProgram(program);
  let fault = edited.difference(false);
  let at = edited.text.indexOf(place) + place.length;
  for (const key of keys) {
    edited.text = edited.text.slice(0, at) + key + edited.text.slice(at);
    at += key.length;
    fault ??= edited.difference(key === ';' || key === '(');
  }
  return fault;
}
