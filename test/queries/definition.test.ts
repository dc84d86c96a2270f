// Where names are declared: in the file, in imported files, in code that the checker could not check.

import { describe, expect, it } from 'vitest';
import { definitionAt, typeDefinitionAt } from '../../src/queries/index.ts';
import { ask, place } from './cursor.ts';

const geometry = `type Point { double x; double y; }
const double scale = 2.0;
double length(Point p) { return Math.sqrt(p.x * p.x + p.y * p.y); }
`;

/** Script, and the place of the declaration; null where no file has one. */
const rows: readonly (readonly [what: string, script: string, target: string | null])[] = [
  ['a local', 'int x = 1;\nyield §x;', '1: x'],
  ['its own declaration', 'int §x = 1;\nyield x;', '1: x'],
  ['right behind the name', 'int x = 1;\nyield x§;', '1: x'],
  [
    'an inner variable hides the outer',
    'main() {\n  int x = 1;\n  if (true) {\n    int x = 2;\n    yield §x;\n  }\n}',
    '4: x',
  ],
  [
    'behind the block the outer counts',
    'main() {\n  int x = 1;\n  if (true) {\n    int x = 2;\n    yield x;\n  }\n  yield §x;\n}',
    '2: x',
  ],
  ['a function declared below', 'yield §f();\nint f() { return 1; }', '2: f'],
  ['a method that is a function', 'int twice(int n) { return n * 2; }\nyield 4.§twice();', '1: twice'],
  ['a parameter in a default', 'int f(int a,\n  int b = §a) { return b; }\nyield f(1);', '1: a'],
  ['a parameter of main', 'main(int n) {\n  yield §n;\n}', '1: n'],
  ['a foreach variable', 'foreach (int n in [1])\n  yield §n;', '1: n'],
  ['the message of a clause', 'try { throw "a"; }\ncatch (e) {\n  yield §e; }', '2: e'],
  ['a type', 'type P { int a; }\n§P p = { a: 1 };\nyield p;', '1: P'],
  ['a field behind a dot', 'type P { int a; }\nP p = { a: 1 };\nyield p.§a;', '1: a'],
  ['a field in a literal', 'type P { int a; }\nP p = { §a: 1 };\nyield p;', '1: a'],
  ['a field in quotes', 'type P { int a; }\nP p = { "§a": 1 };\nyield p;', '1: a'],
  ['a field that is set', 'type P { int a; }\nP p = { a: 1 };\np.§a = 2;\nyield p;', '1: a'],
  ['what a template holds', 'int x = 1;\nyield `a ${§x} b`;', '1: x'],
  ['a global from a function', 'const int n = 3;\nint f() { return §n; }\nmain() { yield f(); }', '1: n'],
  ['an import', 'import "geometry.slu" as geometry;\nyield §geometry.scale;', '1: geometry'],
  ['an imported variable', 'import "geometry.slu" as g;\nyield g.§scale;', 'geometry.slu 2: scale'],
  [
    'an imported function',
    'import "geometry.slu" as g;\nyield g.§length({ x: 1.0, y: 2.0 });',
    'geometry.slu 3: length',
  ],
  [
    'an imported type',
    'import "geometry.slu" as g;\ng.§Point p = { x: 1.0, y: 2.0 };\nyield p;',
    'geometry.slu 1: Point',
  ],
  [
    'a field of an imported type',
    'import "geometry.slu" as g;\ng.Point p = { x: 1.0, y: 2.0 };\nyield p.§y;',
    'geometry.slu 1: y',
  ],
  ['the path of an import', 'import "geom§etry.slu" as g;\nyield g.scale;', 'geometry.slu 1: '],
  ['an argument of an unknown function', 'int x = 1;\nyield unknown({ a: §x });', '1: x'],
  ['behind a mistake of meaning', 'int x = 1;\nyield "a" + §x;', '1: x'],
  ['a function of the library', 'yield Math.§sqrt(2.0);', null],
  ['a namespace', 'yield §Math.sqrt(2.0);', null],
  ['a key of a json', 'json j = { a: 1 };\nyield j.§a;', null],
  ['no name', 'yield §1;', null],
  ['a keyword', 'yie§ld 1;', null],
];

describe('definition', () => {
  it.each(rows)('%s', (_, script, target) => {
    const { analysis, file, offset } = ask(script, { 'geometry.slu': geometry });
    const found = definitionAt(analysis, file, offset);
    expect(found === null ? null : place(found.target.name)).toBe(target);
  });

  it('gives the whole declaration beside the name', () => {
    const { analysis, file, offset } = ask('yield §f(1);\nint f(int a) {\n  return a;\n}');
    expect(place(definitionAt(analysis, file, offset)!.target.whole)).toBe('2: int f(int a) {\n  return a;\n}');
  });

  it('works in an imported file', () => {
    const { analysis, file, offset } = ask('import "geometry.slu" as g;\nyield g.scale;', {
      'geometry.slu': geometry.replace('p.x *', '§p.x *'),
    });
    expect(place(definitionAt(analysis, file, offset)!.target.name)).toBe('geometry.slu 3: p');
  });
});

describe('type definition', () => {
  it.each<readonly [string, string, string | null]>([
    ['a variable', 'type P { int a; }\nP p = { a: 1 };\nyield §p;', '1: P'],
    ['an array', 'type P { int a; }\nP[] ps = [];\nyield §ps;', '1: P'],
    ['a function gives what it returns', 'type P { int a; }\nP f() { return null; }\nyield §f();', '1: P'],
    ['a field', 'type P { P next; }\nP p = { next: null };\nyield p.§next;', '1: P'],
    ['an int has none', 'int n = 1;\nyield §n;', null],
  ])('%s', (_, script, target) => {
    const { analysis, file, offset } = ask(script);
    const found = typeDefinitionAt(analysis, file, offset);
    expect(found === null ? null : place(found.target.name)).toBe(target);
  });
});
