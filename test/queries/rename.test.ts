// References and renaming: every place and no other, and a refusal wherever a name would then mean something else.

import { describe, expect, it } from 'vitest';
import { applyEdits, highlightsAt, prepareRenameAt, referencesAt, renameAt } from '../../src/queries/index.ts';
import { ask, place } from './cursor.ts';

const shop = `type Item { string name; double price; }
double total(Item[] items) {
  double sum = 0.0;
  foreach (Item item in items) sum += item.price;
  return sum;
}
`;

function references(script: string, others: Readonly<Record<string, string>> = {}): string[] {
  const { analysis, file, offset } = ask(script, others);
  return referencesAt(analysis, file, offset).map(({ span, kind }) => `${place(span)} ${kind}`);
}

describe('references', () => {
  it('tell what is done at each place', () => {
    expect(references('int §x = 1;\nx = 2;\nx += 1;\nx++;\nyield x;')).toEqual([
      '1: x declaration',
      '2: x write',
      '3: x write',
      '4: x write',
      '5: x read',
    ]);
  });

  it('are the same from every one of them', () => {
    const script = 'int x = 1;\nx = 2;\nyield x;';
    const places = [...script.matchAll(/x/g)].map(({ index }) => `${script.slice(0, index)}§${script.slice(index)}`);
    for (const asked of places) expect(references(asked)).toEqual(references(places[0]!));
  });

  it('leave out what another declaration hides', () => {
    expect(
      references('main() {\n  int §x = 1;\n  if (x > 0) {\n    int x = 2;\n    yield x;\n  }\n  yield x;\n}'),
    ).toEqual(['2: x declaration', '3: x read', '7: x read']);
  });

  it('of a function are its calls, also behind a dot', () => {
    expect(references('int §twice(int n) { return n * 2; }\nyield twice(1);\nyield 1.twice();')).toEqual([
      '1: twice declaration',
      '2: twice call',
      '3: twice call',
    ]);
  });

  it('of a field are those of its struct alone', () => {
    expect(
      references('type P { int §a; }\ntype Q { int a; }\nP p = { a: 1 };\nQ q = { a: 1 };\nyield p.a;\nyield q.a;'),
    ).toEqual(['1: a declaration', '3: a write', '5: a read']);
  });

  it('cross files', () => {
    const script = 'import "shop.slu" as shop;\nshop.Item i = { name: "a", §price: 2.0 };\nyield shop.total([i]);';
    expect(references(script, { 'shop.slu': shop })).toEqual([
      '2: price write',
      'shop.slu 1: price declaration',
      'shop.slu 4: price read',
    ]);
    expect(references(script.replace('§', ''), { 'shop.slu': shop.replace('Item {', '§Item {') })).toEqual([
      '2: Item type',
      'shop.slu 1: Item declaration',
      'shop.slu 2: Item type',
      'shop.slu 4: Item type',
    ]);
  });

  it('of several programs that import one file are all there, each once', () => {
    const one = ask('import "shop.slu" as s;\nyield s.total([]);', { 'shop.slu': shop.replace('total', '§total') });
    const two = ask('import "shop.slu" as t;\nyield t.total([]);\nyield 1;', { 'shop.slu': shop });
    expect(referencesAt(one.analysis, one.file, one.offset, [two.analysis]).map(({ span }) => place(span))).toEqual([
      '2: total',
      'shop.slu 2: total',
    ]);
  });

  it('of what the library has are its uses', () => {
    expect(references('yield Math.§sqrt(1.0);\nyield Math.sqrt(2.0) + Math.cbrt(2.0);')).toEqual([
      '1: sqrt call',
      '2: sqrt call',
    ]);
  });

  it('are none where no name is', () => {
    expect(references('yield §1;')).toEqual([]);
    expect(references('yield §unknown;')).toEqual([]);
  });
});

describe('highlights', () => {
  it('are those of one file, told apart as reads and writes', () => {
    const { analysis, file, offset } = ask(
      'import "shop.slu" as s;\ns.Item i = { name: "a", price: 1.0 };\nyield i.§price;',
      {
        'shop.slu': shop,
      },
    );
    expect(highlightsAt(analysis, file, offset).map(({ span, kind }) => `${place(span)} ${kind}`)).toEqual([
      '2: price write',
      '3: price read',
    ]);
  });
});

/** The texts after renaming, or why not. */
function rename(script: string, name: string, others: Readonly<Record<string, string>> = {}): unknown {
  const { analysis, file, offset } = ask(script, others);
  const result = renameAt(analysis, file, offset, name);
  if (result.kind === 'refusal') return result.reason;
  const texts = analysis.files.map(({ source }) => applyEdits(source.name, source.text, result.edits));
  return texts.length === 1 ? texts[0] : texts;
}

describe('rename', () => {
  it.each<readonly [string, string, string, string]>([
    ['a local', 'int §x = 1;\nx = x + 1;\nyield `${x}`;', 'y', 'int y = 1;\ny = y + 1;\nyield `${y}`;'],
    [
      'a quoted field',
      'type P { int a; }\nP p = { "§a": 1 };\nyield p;',
      'b',
      'type P { int b; }\nP p = { "b": 1 };\nyield p;',
    ],
    ['a method call', 'int f(int n) { return n; }\nyield 1.§f();', 'g', 'int g(int n) { return n; }\nyield 1.g();'],
    [
      'a parameter with a default that uses it',
      'int f(int §a, int b = a) { return a + b; }\nyield f(1);',
      'c',
      'int f(int c, int b = c) { return c + b; }\nyield f(1);',
    ],
    [
      'a field to a word of the language',
      'type P { int §a; }\nP p = { a: 1 };\nyield p.a;',
      'type',
      'type P { int type; }\nP p = { type: 1 };\nyield p.type;',
    ],
    ['to the same name', 'int §x = 1;\nyield x;', 'x', 'int x = 1;\nyield x;'],
    [
      'to a name that is hidden elsewhere',
      'int f(int §a) { return a; }\nint g(int b) { return b; }\nyield f(1) + g(1);',
      'b',
      'int f(int b) { return b; }\nint g(int b) { return b; }\nyield f(1) + g(1);',
    ],
  ])('%s', (_, script, name, after) => {
    expect(rename(script, name)).toBe(after);
  });

  it('reaches all files', () => {
    const script = 'import "shop.slu" as shop;\nshop.Item i = { name: "a", §price: 2.0 };\nyield shop.total([i]);';
    expect(rename(script, 'cost', { 'shop.slu': shop })).toEqual([
      shop.replaceAll('price', 'cost'),
      script.replace('§', '').replace('price', 'cost'),
    ]);
  });

  it.each<readonly [string, string, string, RegExp]>([
    ['a word of the language', 'int §x = 1; yield x;', 'while', /^while is a word of the language/],
    ['no name at all', 'int §x = 1; yield x;', '1x', /^A name is made of/],
    ['a namespace', 'int §x = 1; yield x;', 'Math', /^Math is a namespace/],
    ['a second variable of the block', 'int §x = 1; int y = 2; yield x + y;', 'y', /y/],
    ['a second field', 'type P { int §a; int b; } P p = { a: 1, b: 2 }; yield p;', 'b', /b/],
    ['a second function', 'int §f() { return 1; } int g() { return 2; } yield f() + g();', 'g', /g/],
    [
      'capturing: an inner variable takes a use',
      'main() {\n  int §x = 1;\n  if (true) {\n    int y = 2;\n    yield x + y;\n  }\n}',
      'y',
      /^y at main\.slu:5:11 would stand for the variable in line 4\.$/,
    ],
    [
      'being captured: it takes a use of an outer one',
      'int y = 1;\nmain() {\n  int §x = 2;\n  yield x + y;\n}',
      'y',
      /^y at main\.slu:4:13 would stand for the variable in line 3\.$/,
    ],
    [
      'a method of the library',
      'int §f(string s) { return 1; }\nyield "a".f();',
      'length',
      /^length at main\.slu:2:11 would stand for what the library calls so\.$/,
    ],
    ['what the library has', 'yield Math.§sqrt(1.0);', 'root', /^sqrt belongs to the library/],
    ['a key of a json', 'json j = { a: 1 }; yield j.§a;', 'b', /^a is a key of a json/],
    ['main', '§main() { yield 1; }', 'start', /^main is where a program begins/],
    ['nothing known', 'yield §x;', 'y', /^Nothing known is called x/],
  ])('refuses %s', (_, script, name, reason) => {
    expect(rename(script, name)).toMatch(reason);
  });

  it('says beforehand what cannot be renamed, and where the name stands', () => {
    const can = ask('int §abc = 1;\nyield abc;');
    expect(prepareRenameAt(can.analysis, can.file, can.offset)).toMatchObject({ kind: 'name', name: 'abc' });
    const cannot = ask('yield §1;');
    expect(prepareRenameAt(cannot.analysis, cannot.file, cannot.offset)).toEqual({
      kind: 'refusal',
      reason: 'No name stands here.',
    });
  });
});
