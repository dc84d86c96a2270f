// What people bring from other languages, and the advice that they get: one message, with this in its help.

import { describe, expect, it } from 'vitest';
import { checkSource } from '../../src/compile.ts';

const trials: readonly (readonly [text: string, help: string])[] = [
  ['const x = 5;\nyield x;', 'in front of a type'],
  ['int f(a) { return 1; }\nyield f(1);', 'A parameter has a type'],
  ['int[] xs = {1, 2, 3};\nyield xs;', 'An array is written [1, 2, 3]'],
  ['int xs[10];\nyield xs;', 'int[] xs = new int[10];'],
  ['yield (int) 5.5;', 'x.toInt()'],
  ['type A { int o; }\nA a = new A(1);\nyield a.o;', 'There are no constructors'],
  ['throw new Error("x");', 'throw "message";'],
  ['throw Error("x");', 'throw "message";'],
  ['type P { int x; }\nP p = P(1);\nyield p.x;', 'P x = { x: … }'],
  ['type P { int x; }\nP p = { x = 1 };\nyield p.x;', "a ':' stands between"],
  ['type P = { int x; }\nyield 1;', 'declared without ='],
  ['string s = “hi”;\nyield s;', 'straight quotation marks'],
  ['string s = "abc\ndef";\nyield s;', 'in backticks'],
  ['import math\nyield 1;', 'import "file.slu" as name;'],
  ['List<int> xs = [];\nyield xs;', 'a list is T[]'],
  ['int[] xs = [1, 2];\nyield xs[0:1];', 'xs.slice(from, to)'],
  ['int x = 1; # one\nyield x;', 'Comments begin with //'],
  ['yield f"a {1}";', 'template in backticks'],
  ['foreach (x in [1, 2]) yield x;', 'has a type'],
  ['yield not (1 > 2);', 'Write !'],
  ['int m = Math.max(1, 2);\nyield m;', 'a.max(b)'],
  ['int x = NULL;\nyield x;', 'null'],
  ['string[][] x = [["a"]];\nx.sort();', '"Sort structs" in the cookbook'],
  ['string[] x = ["a"];\nx.sum();', 'a method of int[], double[]'],
  ['int main() { return 1; }', 'main(…)'],
  ['public int f() { return 1; }\nyield f();', 'leave the word away'],
  ['function f(n) {\n  let x = 1;\n  return x;\n}\nmain(int n = 1) { return n; }', 'declared by its return type'],
  ['f(int a) {\n  yield a;\n}\nmain() { return 1; }', 'begins with its return type'],
  ['main() {\n  if (1 == 1) {\n    yield 1;\n  yield 2;\n}\nint twice(int x) { return x * 2; }\n', ''],
];

describe('a habit of another language', () => {
  it.each(trials)('%j', (text, help) => {
    const { diagnostics } = checkSource('habit.slu', text);
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ code, message }) => `${code} ${message}`)).toHaveLength(1);
    expect(errors[0]!.help ?? '').toContain(help);
  });
});

describe('a bracket before a statement on the next line', () => {
  it.each([
    ['int[] xs = [1, 2, 3\nforeach (int x in xs) yield x;', "E1010 this '[' is never closed; a ']' is missing", 11],
    ['int[] xs = [1, 2, 3\nyield xs;', "E1010 this '[' is never closed; a ']' is missing", 11],
    ['yield "a".repeat(2\nyield 1;', "E1010 this '(' is never closed; a ')' is missing", 16],
  ])('is never closed: %j', (text, message, at) => {
    const [first, ...others] = checkSource('open.slu', text).diagnostics;
    expect([`${first!.code} ${first!.message}`, first!.span.start]).toEqual([message, at]);
    expect(others).toEqual([]);
  });

  it('is closed where its partner follows', () => {
    const [first] = checkSource('open.slu', 'int[] xs = [1\n  for (int x in [2])];').diagnostics;
    expect(first!.code).toBe('E1017');
  });
});
