// Generate function: what it takes and returns, by the call; and imports for calls behind a value.

import { describe, expect, it } from 'vitest';
import { analyse, applyEdits, codeActionsAt } from '../../src/queries/index.ts';
import { memoryReader } from '../../src/memory-reader.ts';
import { createSourceFile } from '../../src/source.ts';
import { ask } from './cursor.ts';

/** The text after generating a function at the mark, which has no more errors; null where it is not offered. */
function generated(script: string, others: Readonly<Record<string, string>> = {}): string | null {
  const { analysis, file, offset } = ask(script, others);
  const plain = script.replace('§', '');
  const action = codeActionsAt(analysis, file, { start: offset, end: offset }).find(({ title }) =>
    title.startsWith('Generate'),
  );
  if (action === undefined) return null;
  expect(action.diagnostic).not.toBeNull();
  const text = applyEdits(file, plain, action.edits);
  const after = analyse(createSourceFile(file, text), memoryReader({ ...others, [file]: text }));
  expect(after.diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([]);
  return text;
}

const head = (script: string, others?: Readonly<Record<string, string>>): string | undefined =>
  /\n\n([^\n]*) \{\n {2}throw "/.exec(generated(script, others) ?? '')?.[1];

describe('the function', () => {
  it('stands behind the one that calls it, and throws', () => {
    expect(generated('int f(int n) {\n  return §twice(n);\n}\n\nmain() {\n  yield f(1);\n}\n')).toBe(
      'int f(int n) {\n  return twice(n);\n}\n\n' +
        'int twice(int n) {\n  throw "twice is not written yet";\n}\n\nmain() {\n  yield f(1);\n}\n',
    );
    expect(generated('yield §f(1) + 1;\nint g = 2;\n')).toBe(
      'yield f(1) + 1;\nint g = 2;\n\nint f(int value) {\n  throw "f is not written yet";\n}\n',
    );
  });

  const parameters: readonly (readonly [string, string])[] = [
    ['1, 2.5, "a", true', 'int value, double value2, string text, boolean condition'],
    ['n, p.x, p, p.names[0]', 'int n, double x, P p, string text'],
    ['s.length(), s.length(), j.size', 'int length, int length2, json size'],
    [
      '[1, 2], [1, 2.5], ["a"], [n], { a: 1 }, null, []',
      'int[] value, double[] value2, string[] value3, json value4, json value5, json value6, json value7',
    ],
    ['`${n}`, new int[2], j as P', 'string text, int[] values, P j'],
    ['', ''],
  ];
  it.each(parameters)('takes %s', (values, expected) => {
    const types = 'type P { double x; string[] names; }\n';
    const script = `${types}main(int n, string s, json j) {\n  P p = j as P;\n  §f(${values});\n  yield p;\n}`;
    expect(head(script)).toBe(`void f(${expected})`);
  });

  const results: readonly (readonly [string, string])[] = [
    ['§f();', 'void'],
    ['double d = §f();', 'double'],
    ['P[] ps = §f(); yield ps;', 'P[]'],
    ['if (§f()) yield 1;', 'boolean'],
    ['yield n + §f();', 'int'],
    ['yield §f() * 2.5;', 'double'],
    ['yield "a" + §f();', 'string'],
    ['yield §f() == "a";', 'string'],
    ['yield n > 1 && §f();', 'boolean'],
    ['yield !§f();', 'boolean'],
    ['yield `${§f()}`;', 'string'],
    ['foreach (P p in §f()) yield p;', 'P[]'],
    ['yield n > 1 ? §f() : 2.5;', 'double'],
    ['yield [1, 2][§f()];', 'int'],
    ['throw §f();', 'string'],
    ['yield §f();', 'json'],
    ['yield Math.sqrt(§f());', 'double'],
    ['n = §f();', 'int'],
  ];
  it.each(results)('for %s returns %s', (statement, type) => {
    expect(head(`type P { int x; }\nmain(int n) {\n  ${statement}\n}`)).toBe(`${type} f()`);
  });

  it('of a call behind a value takes that first', () => {
    expect(head('main(string name, int n) {\n  yield name.§shorten(n) + "";\n}')).toBe(
      'string shorten(string name, int n)',
    );
  });

  it('is named by the types of other files', () => {
    const others = { 'shop.slu': 'type Item { int n; }\nItem make() { return { n: 1 }; }\n' };
    expect(head('import "shop.slu" as shop;\nshop.Item i = §f(shop.make());\nyield i;', others)).toBe(
      'shop.Item f(shop.Item make)',
    );
  });

  it('is not generated for what is there, or is no function', () => {
    for (const script of [
      'yield §unknown;',
      'type P { int x; }\nyield §P(1);',
      'int f(int n) { return n; }\nyield "a".§f();',
      'yield Math.§unknown(1);',
      'main() {\n  yield §f(1);\n',
    ])
      expect(generated(script)).toBeNull();
  });
});

describe('an import for a call behind a value', () => {
  const shop = 'double total(double a, double b = 0) { return a + b; }\nint none() { return 1; }\n';
  const beside = ask('import "lib/shop.slu" as s;', { 'lib/shop.slu': shop }).analysis;

  function imported(script: string): readonly string[] {
    const { analysis, file, offset } = ask(script, { 'lib/shop.slu': shop });
    return codeActionsAt(analysis, file, { start: offset, end: offset }, [beside])
      .filter(({ title }) => title.includes('(…)'))
      .map(({ title, edits }) => `${title}: ${applyEdits(file, script.replace('§', ''), edits)}`);
  }

  it('makes the value the first argument', () => {
    const title = "Import 'shop' and write 'shop.total(…)': import \"lib/shop.slu\" as shop;\n\n";
    expect(imported('yield (1.5 + 2).§total(3.0);')).toEqual([`${title}yield shop.total((1.5 + 2), 3.0);`]);
    expect(imported('yield 1.5\n  .§total();')).toEqual([`${title}yield shop.total(1.5);`]);
    expect(imported('import "lib/shop.slu" as s;\nyield 1.5.§total();')).toEqual([
      'Write \'s.total(…)\': import "lib/shop.slu" as s;\nyield s.total(1.5);',
    ]);
  });

  it('is not offered for a function without parameters, or where a comment would be lost', () => {
    expect(imported('yield 1.5.§none();')).toEqual([]);
    expect(imported('yield 1.5 /* why */ .§total();')).toEqual([]);
  });
});
