// Completion where a script is being written, which is mostly where it is not whole.

import { describe, expect, it } from 'vitest';
import { applyEdits, completionsAt } from '../../src/queries/index.ts';
import type { Completion } from '../../src/queries/index.ts';
import { ask } from './cursor.ts';

const lib = `// A place.
type Point { double x; double y; }
// How far it is from the middle.
double far(Point p) { return Math.hypot(p.x, p.y); }
const int most = 3;
`;

function complete(script: string, others: Readonly<Record<string, string>> = {}): readonly Completion[] {
  const { analysis, file, offset } = ask(script, others);
  return completionsAt(analysis, file, offset);
}

function labels(script: string): string[] {
  return complete(script, { 'lib.slu': lib }).map(({ label }) => label);
}

/** Script, what must be among the labels, what must not. */
const rows: readonly (readonly [string, string, readonly string[], readonly string[]])[] = [
  ['members of an array', 'int[] xs = [1];\nxs.§', ['push', 'length', 'sum'], ['upper', 'xs', 'if']],
  ['a keyword on the next line is no member', 'int[] xs = [1];\nxs.§\nreturn 1;', ['push'], ['xs']],
  ['part of a member', 'int[] xs = [1];\nyield xs.le§;', ['length'], ['xs']],
  ['members in the middle of a call', 'int[] xs = [1];\nyield Math.sqrt(xs.§, 2);', ['sum'], ['xs']],
  ['members in open brackets', 'string s = "a";\nint n = [1, (s.§\nyield n;', ['length'], ['s', 'push']],
  ['members of a call', 'string f() { return "a"; }\nyield f().§;', ['upper'], ['f']],
  ['members of an element', 'string[] xs = ["a"];\nyield xs[0].§;', ['upper'], ['push']],
  ['fields', 'type P { int a; string b; }\nP p = { a: 1, b: "" };\nyield p.§;', ['a', 'b'], ['length', 'p']],
  ['fields of fields', 'type P { int a; P next; }\nP p = null;\nyield p.next.§;', ['a', 'next'], ['p']],
  [
    'own functions behind a dot',
    'int twice(int n) { return n * 2; }\nint of(string s) { return 1; }\nyield 4.§',
    [],
    ['of'],
  ],
  [
    'own functions behind the dot of a variable',
    'int twice(int n) { return n * 2; }\nint of(string s) { return 1; }\nint k = 1;\nyield k.§;',
    ['twice', 'toHex'],
    ['of'],
  ],
  ['functions of a namespace', 'yield Math.§', ['sqrt', 'PI'], ['upper']],
  ['what a file declares', 'import "lib.slu" as lib;\nyield lib.§', ['far', 'most', 'Point'], ['lib', 'sqrt']],
  ['types of a file', 'import "lib.slu" as lib;\nint f(lib.§ p) { return 1; }', ['Point'], ['far', 'most']],
  ['members of json', 'json j = {};\nyield j.§', ['has', 'keys'], ['j']],
  ['members in a template', 'string s = "a";\nyield `x ${s.§} y`;', ['upper'], ['s']],
  ['values', 'int one = 1;\nint two() { return 2; }\nyield §;', ['one', 'two', 'true', 'Math'], ['if', 'int']],
  [
    'statements',
    'int one = 1;\nint two() { return 2; }\n§',
    ['one', 'two', 'if', 'foreach', 'int', 'import', 'main'],
    ['break', 'else'],
  ],
  [
    'statements of a loop',
    'main() {\n  while (true) {\n    §\n  }\n}',
    ['break', 'continue', 'if'],
    ['import', 'else'],
  ],
  ['behind an if', 'main() {\n  if (true) { yield 1; }\n  §\n}', ['else'], ['catch']],
  ['behind an if with an else', 'main() {\n  if (true) { yield 1; } else { yield 2; }\n  §\n}', ['if'], ['else']],
  ['behind a try', 'main() {\n  try { yield 1; }\n  §\n}', ['catch'], ['else']],
  [
    'locals of the blocks around',
    'main() {\n  int a = 1;\n  if (true) {\n    int b = 2;\n    yield §;\n  }\n  int c = 3;\n}',
    ['a', 'b'],
    ['c'],
  ],
  [
    'no locals of other blocks',
    'int f() {\n  int other = 1;\n  return other;\n}\nmain() {\n  { int inner = 1; }\n  yield §;\n}',
    ['f'],
    ['other', 'inner'],
  ],
  ['no variable in its own value', 'int a = 1;\nmain() {\n  int b = §;\n}', ['a'], ['b']],
  [
    'globals that come later, in functions',
    'int f() { return §; }\nint later = 1;\nmain() { yield f(); }',
    ['later'],
    [],
  ],
  ['globals that come later, above them', 'yield §;\nint later = 1;', [], ['later']],
  ['parameters', 'int f(int first, int second = §) { return 1; }', ['first'], ['second']],
  ['types of parameters', 'type P { int a; }\nint f(§) { return 1; }', ['P', 'int', 'string'], ['f', 'if']],
  ['types of further parameters', 'type P { int a; }\nint f(int a, §) { return 1; }', ['P', 'int'], ['f', 'a']],
  ['types of main', 'type P { int a; }\nmain(§) { yield 1; }', ['P', 'int'], ['if']],
  ['types behind as', 'type P { int a; }\njson j = {};\nP p = j as §;', ['P', 'int'], ['j', 'if']],
  ['types behind new', 'type P { int a; }\nP[] p = new §', ['P', 'int'], ['p', 'if']],
  ['types of a foreach', 'type P { int a; }\nforeach (§', ['P', 'int'], ['if']],
  ['in, behind the name of a foreach', 'int[] xs = [];\nforeach (int x §', ['in'], ['xs']],
  ['what a foreach walks through', 'int[] xs = [];\nforeach (int x in §', ['xs'], ['int']],
  ['fields of a type', 'type P { int a; }\ntype Q { § }', ['P', 'int'], ['if']],
  ['no name is suggested for what is declared', 'type P { int a; }\nint §', [], ['P', 'if', 'int']],
  ['fields of a literal', 'type P { int a; int b; }\nP p = { § };', ['a', 'b'], ['p', 'if']],
  ['the other fields of a literal', 'type P { int a; int b; int c; }\nP p = { b: 1, § };', ['a', 'c'], ['b']],
  ['fields of an argument', 'type P { int a; int b; }\nint f(P p) { return p.a; }\nyield f({ § });', ['a', 'b'], ['p']],
  ['values of a literal', 'type P { int a; }\nint one = 1;\nP p = { a: § };', ['one'], ['a']],
  ['no fields of a json', 'int one = 1;\njson j = { § };', [], ['one']],
  ['errors', 'try { yield 1; } catch (§', ['CastError', 'FileError'], ['if']],
  ['headers', '@§\nyield 1;', ['@tool:name'], ['if']],
  ['paths', 'import "§" as x;\nimport "lib.slu" as lib;', ['lib.slu'], ['lib']],
  ['nothing in a comment', 'int one = 1; // on§', [], ['one']],
  ['nothing in a text', 'int one = 1;\nyield "on§";', [], ['one']],
  ['nothing in the text of a template', 'int one = 1;\nyield `on§`;', [], ['one']],
  ['nothing in a number', 'int one = 1;\nyield 1§;', [], ['one']],
];

describe('completion', () => {
  it.each(rows)('%s', (_, script, wanted, unwanted) => {
    const found = labels(script);
    expect(found).toEqual(expect.arrayContaining([...wanted]));
    expect(found.filter((label) => unwanted.includes(label))).toEqual([]);
    expect(new Set(found).size).toBe(found.length);
  });

  it('puts what fits first', () => {
    const items = complete(
      'string text = "a";\nint count = 1;\nint twice(int n) { return n; }\nint result = §;',
    ).toSorted((a, b) => a.rank - b.rank);
    expect(
      items
        .slice(0, 2)
        .map(({ label }) => label)
        .sort(),
    ).toEqual(['count', 'twice']);
  });

  it('writes calls with places for their arguments', () => {
    const of = (script: string, label: string): string | undefined =>
      complete(script).find((found) => found.label === label)?.text;
    const add = 'int add(int a, int b, int c = 3) { return a + b + c; }\nint none() { return 1; }\nint k = 1;\n';
    expect(of(`${add}yield §;`, 'add')).toBe('add(${1:a}, ${2:b})');
    expect(of(`${add}yield §;`, 'none')).toBe('none()');
    expect(of(`${add}yield §(1, 2);`, 'add')).toBe('add');
    expect(of(`${add}yield k.§;`, 'add')).toBe('add(${1:b})');
    expect(of('yield "a".§;', 'padStart')).toBe('padStart(${1:n})');
    expect(of('yield Math.§;', 'PI')).toBe('PI');
  });

  it('replaces the whole word', () => {
    const [first] = complete('int abc = 1;\nyield a§bc;');
    expect(first!.replace).toMatchObject({ start: 19, end: 22 });
  });

  it('has the documentation of what it shows', () => {
    const items = complete('import "lib.slu" as lib;\nyield lib.§', { 'lib.slu': lib });
    expect(items.find(({ label }) => label === 'far')).toMatchObject({
      detail: 'double far(Point p)',
      documentation: 'How far it is from the middle.',
    });
    expect(complete('yield "a".§').find(({ label }) => label === 'trim')?.documentation).toMatch(/white space/i);
  });

  it('imports what other programs have', () => {
    const other = ask('import "tools/lib.slu" as lib;\nyield lib.most;', { 'tools/lib.slu': lib }).analysis;
    const { analysis, file, offset } = ask('@tool:name "x"\nint n = §;');
    const item = completionsAt(analysis, file, offset, { others: [other] }).find(({ label }) => label === 'lib.far')!;
    expect(item.text).toBe('lib.far(${1:p})');
    expect(applyEdits(file, analysis.entry.source.text, item.edits)).toBe(
      '@tool:name "x"\nimport "tools/lib.slu" as lib;\nint n = ;',
    );
  });
});
