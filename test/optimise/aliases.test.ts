// Two names of one array, struct or json, made by every function of the library and every construct that can make them:
// what is stored through the one is read through the other, inside loops and outside, with ints of more than 32 bits,
// and with arrays that get longer. Where a copy is made, the other stays as it was.

import { describe, expect, it } from 'vitest';
import { loadScript } from '../../runtime-host/api/node.ts';
import type { ScriptInstance, ScriptOptions } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/index.ts';
import { lab } from '../lab.ts';
import { outcomeOf, settings } from '../emit/compare-settings.ts';

interface Row {
  /** What makes `r` of `xs`, an `int[]`. */
  readonly make: string;
  /** Declarations in front of main. */
  readonly declares?: string;
  /** Whether both are the same object. */
  readonly shares: boolean;
}

const rows: Readonly<Record<string, Row>> = {
  'an assignment': { make: 'int[] r = xs;', shares: true },
  'getIntArray without the key': { make: 'json j = {}; int[] r = j.getIntArray("k", xs);', shares: true },
  'getIntArray of another kind': { make: 'json j = { k: "x" }; int[] r = j.getIntArray("k", xs);', shares: true },
  'getIntArray of an array that does not fit': {
    make: 'json j = { k: [1, "x"] }; int[] r = j.getIntArray("k", xs);',
    shares: true,
  },
  'getIntArray with the key': { make: 'json j = { k: [1, 2, 3] }; int[] r = j.getIntArray("k", xs);', shares: false },
  'getObject of an array': { make: 'json j = {}; int[] r = j.getObject("k", xs);', shares: true },
  'getObject of an array that is there': {
    make: 'json j = { k: [1, 2, 3] }; int[] r = j.getObject("k", xs);',
    shares: false,
  },
  'getObject of a struct': {
    declares: 'type B { int[] w; }',
    make: 'json j = {}; B b = { w: xs }; int[] r = j.getObject("k", b).w;',
    shares: true,
  },
  'getArray of structs': {
    declares: 'type B { int[] w; }',
    make: 'json j = {}; B[] bs = [{ w: xs }]; int[] r = j.getArray("k", B, bs)[0].w;',
    shares: true,
  },
  'getArray of structs that are there': {
    declares: 'type B { int[] w; }',
    make: 'json j = { k: [{ w: [1, 2, 3] }] }; B[] bs = [{ w: xs }]; int[] r = j.getArray("k", B, bs)[0].w;',
    shares: false,
  },
  push: { make: 'int[][] all = []; all.push(xs); int[] r = all[0];', shares: true },
  insert: { make: 'int[][] all = [[4]]; all.insert(0, xs); int[] r = all[0];', shares: true },
  fill: { make: 'int[][] all = [[4], [5]]; all.fill(xs); int[] r = all[1];', shares: true },
  pop: { make: 'int[][] all = [[4], xs]; int[] r = all.pop();', shares: true },
  removeAt: { make: 'int[][] all = [xs, [4]]; int[] r = all.removeAt(0);', shares: true },
  'concat of what holds it': {
    make: 'int[][] one = [[4]]; int[][] two = [xs]; int[] r = one.concat(two)[1];',
    shares: true,
  },
  'concat of it': { make: 'int[] none = []; int[] r = none.concat(xs);', shares: false },
  'concat with nothing': { make: 'int[] r = xs.concat([]);', shares: false },
  'slice of what holds it': { make: 'int[][] all = [[4], xs]; int[] r = all.slice(1, 2)[0];', shares: true },
  'slice of it': { make: 'int[] r = xs.slice(0, 3);', shares: false },
  'copy of what holds it': { make: 'int[][] all = [xs]; int[] r = all.copy()[0];', shares: true },
  copy: { make: 'int[] r = xs.copy();', shares: false },
  'reverse of what holds it': { make: 'int[][] all = [xs, [4]]; all.reverse(); int[] r = all[1];', shares: true },
  'a choice': { make: 'int[] other = [9, 9, 9]; int[] r = n == 0 ? xs : other;', shares: true },
  'a choice of the other': { make: 'int[] other = [1, 2, 3]; int[] r = n != 0 ? xs : other;', shares: false },
  'a choice in the place that is stored to': {
    make: 'int[] other = [9, 9, 9]; int[] r = null; if (n == 0) r = xs; else r = other;',
    shares: true,
  },
  'an array literal': { make: 'int[] r = [[4], xs][1];', shares: true },
  'an element': { make: 'int[][] all = new int[2][1]; all[1] = xs; int[] r = all[1];', shares: true },
  'a field': { declares: 'type B { int[] w; }', make: 'B b = { w: xs }; int[] r = b.w;', shares: true },
  'a field that is set': {
    declares: 'type B { int[] w; }',
    make: 'B b = { w: [] }; b.w = xs; int[] r = b.w;',
    shares: true,
  },
  'a field of a field': {
    declares: 'type B { int[] w; B next; }',
    make: 'B b = { w: xs, next: null }; B c = { w: [4], next: b }; int[] r = c.next.w;',
    shares: true,
  },
  'a global': { declares: 'int[] g = [];', make: 'g = xs; int[] r = g;', shares: true },
  'a global that a function sets': {
    declares: 'int[] g = []; void keep(int[] a) { g = a; }',
    make: 'keep(xs); int[] r = g;',
    shares: true,
  },
  'a function': { declares: 'int[] same(int[] a) { return a; }', make: 'int[] r = same(xs);', shares: true },
  'a function in the way of a method': {
    declares: 'int[] same(int[] a) { return a; }',
    make: 'int[] r = xs.same();',
    shares: true,
  },
  'a function that chooses': {
    declares: 'int[] first(int[] a, int[] b, int n) { return n == 0 ? a : b; }',
    make: 'int[] r = first(xs, [4], n);',
    shares: true,
  },
  'a function that calls itself': {
    declares: 'int[] down(int[] a, int n) { return n == 0 ? a : down(a, n - 1); }',
    make: 'int[] r = down(xs, n + 3);',
    shares: true,
  },
  'the default of a parameter': {
    declares: 'int[] pick(json j, int[] a = [1, 2, 3]) { return j.getIntArray("k", a); }',
    make: 'xs = pick({}); int[] r = pick({});',
    shares: false,
  },
  'a parameter for a default': {
    declares: 'int[] pick(json j, int[] a = [7]) { return j.getIntArray("k", a); }',
    make: 'int[] r = pick({}, xs);',
    shares: true,
  },
  'a default that is an earlier parameter': {
    declares: 'int[] pick(int[] a, int[] b = a) { return b; }',
    make: 'int[] r = pick(xs);',
    shares: true,
  },
  'a default that is a global': {
    declares: 'int[] g = [9]; int[] pick(int[] a = g) { return a; }',
    make: 'g = xs; int[] r = pick();',
    shares: true,
  },
  'an array for a variadic parameter': {
    declares: 'int[] pick(int ...a[]) { return a; }',
    make: 'int[] r = pick(xs);',
    shares: true,
  },
  'numbers for a variadic parameter': {
    declares: 'int[] pick(int ...a[]) { return a; }',
    make: 'int[] r = pick(xs[0], xs[1], xs[2]);',
    shares: false,
  },
  'a cast': { make: 'json j = [xs[0], xs[1], xs[2]]; int[] r = j as int[];', shares: false },
  'a cast of json that it was pushed to': {
    declares: 'type B { int[] w; }',
    make: 'json j = []; j.push(xs); int[] r = j[0] as int[];',
    shares: false,
  },
  'split and join': {
    make: 'string[] parts = "1,2,3".split(","); int[] r = []; foreach (string part in parts) r.push(part.toInt(0));',
    shares: false,
  },
  foreach: { make: 'int[] r = null; int[][] all = [[4], xs]; foreach (int[] one in all) r = one;', shares: true },
  'a struct out of an array': {
    declares: 'type B { int[] w; }',
    make: 'B[] bs = []; bs.push({ w: xs }); int[] r = bs.pop().w;',
    shares: true,
  },
  'a chain of all': {
    declares: 'type B { int[] w; } B g = null;',
    make:
      'json j = {}; g = { w: j.getObject("k", xs) }; B[] bs = [g]; ' +
      'int[] r = j.getArray("k", B, bs.slice(0, 1))[0].w;',
    shares: true,
  },
};

const wide = 1n << 36n;

/** What is done with both names, and what is printed then: where they are one, and where they are not. */
const uses: Readonly<
  Record<
    string,
    {
      readonly text: string;
      readonly shared: readonly (bigint | number)[];
      readonly apart: readonly (bigint | number)[];
    }
  >
> = {
  'outside a loop': { text: 'r[0] = 1 << 36; yield (xs[0] >>> 7) & 0xffffffff;', shared: [wide >> 7n], apart: [0] },
  'the other way round': {
    text: 'xs[0] = 1 << 36; yield (r[0] >>> 7) & 0xffffffff;',
    shared: [wide >> 7n],
    apart: [0],
  },
  'in a loop': {
    text:
      'int sum = 0; for (int i = 0; i < 3; i++) { xs[i] = 5; r[i] = 1 << 36; ' +
      'sum = (sum + (xs[i] >>> 7)) & 0xffffffff; } yield sum;',
    shared: [3n * (wide >> 7n)],
    apart: [0],
  },
  'in a loop to the length': {
    text:
      'int seen = 0; for (int i = 0; i < r.length(); i++) { r[i] = 1 << 36; if (xs[i] == 1 << 36) seen++; } ' +
      'yield seen;',
    shared: [3],
    apart: [0],
  },
  'while they get longer': {
    text:
      'r.push(1 << 36); yield xs.length(); yield (xs[xs.length() - 1] >>> 7) & 0xffffffff; int iterations = 0; ' +
      'for (int i = 0; i < xs.length(); i++) { if (i < 2) r.push(1 << 37); iterations++; } yield iterations; ' +
      'yield (xs.pop() >>> 8) & 0xffffffff; yield r.length();',
    shared: [4, wide >> 7n, 6, wide >> 7n, 5],
    apart: [3, 0, 3, 0, 6],
  },
};

function programOf({ declares = '', make }: Row, use: string): string {
  return `${declares}\nmain(int n = 0) {\n  int[] xs = [1, 2, 3];\n  ${make}\n  ${use}\n}`;
}

const ways = ['without optimisation', 'as it is'];

describe.each(Object.entries(rows))('%s', (_name, row) => {
  it.each(Object.entries(uses))('shares what it should %s', async (_title, { text, shared, apart }) => {
    const expected = [...(row.shares ? shared : apart).map(String), 'returns undefined'];
    for (const way of ways)
      expect([way, ...(await outcomeOf(programOf(row, text), settings[way]!))]).toEqual([way, ...expected]);
  });
});

describe('structs and json', () => {
  const cases: readonly (readonly [name: string, text: string, outcome: readonly string[]])[] = [
    [
      'getObject gives its default itself',
      'type P { int v; } main() { P p = { v: 3 }; json j = {}; P q = j.getObject("k", p); q.v = 1 << 36; ' +
        'yield (p.v >>> 7) & 0xffffffff; for (int i = 0; i < 3; i++) { p.v = i; q.v += 1 << 36; ' +
        'yield (p.v >>> 7) & 0xffffffff; } }',
      ['536870912', '536870912', '536870912', '536870912'],
    ],
    [
      'getArray gives its default itself',
      'type P { int v; } main() { P[] ps = [{ v: 3 }]; json j = {}; P[] qs = j.getArray("k", P, ps); ' +
        'qs[0].v = 1 << 36; yield (ps[0].v >>> 7) & 0xffffffff; qs.push({ v: 1 << 40 }); yield ps.length(); ' +
        'yield ps[1].v; }',
      ['536870912', '2', '1099511627776'],
    ],
    [
      'getDoubleArray gives its default itself',
      'main() { double[] xs = [1.0]; json j = {}; double[] r = j.getDoubleArray("k", xs); for (int i = 0; i < 3; ' +
        'i++) { xs[0] = 0.5; r[0] = r[0] + 1.0; yield xs[0]; } }',
      ['1.5', '1.5', '1.5'],
    ],
    [
      'getStringArray gives its default itself',
      'main() { string[] xs = ["a"]; json j = {}; string[] r = j.getStringArray("k", xs); r.push("b"); ' +
        'for (int i = 0; i < xs.length(); i++) { if (i == 0) r.push("c"); yield xs[i]; } }',
      ['a', 'b', 'c'],
    ],
    [
      'getJSON gives its default itself',
      'main() { json d = { n: 1 }; json j = {}; json r = j.getJSON("k", d); r.n = 1 << 36; yield d.n; ' +
        'for (int i = 0; i < 2; i++) { d.n = i; r.n = r.getInt("n", 0) + (1 << 36); yield d.n; } }',
      ['68719476736', '68719476736', '68719476737'],
    ],
    [
      'getJSON gives the member itself',
      'main() { json j = { k: { n: 1 } }; json r = j.getJSON("k", {}); r.n = 1 << 36; yield j.k.n; }',
      ['68719476736'],
    ],
    [
      'getObject gives json in a struct itself',
      'type B { json w; } main() { json j = { k: { w: { n: 1 } } }; B none = null; B b = j.getObject("k", none); ' +
        'b.w.n = 1 << 36; yield j.k.w.n; }',
      ['68719476736'],
    ],
    [
      'a cast gives json in a struct itself',
      'type B { json w; } main() { json j = { w: { n: 1 } }; B b = j as B; b.w.n = 1 << 36; yield j.w.n; }',
      ['68719476736'],
    ],
    [
      'setJson keeps what it is given',
      'main() { json a = { n: 1 }; json j = {}; j.setJson("k", a); a.n = 1 << 36; yield j.k.n; for (int i = 0; ' +
        'i < 2; i++) { a.n = i; yield j.k.n; } }',
      ['68719476736', '0', '1'],
    ],
    [
      'push of json keeps what it is given',
      'main() { json a = { n: 1 }; json j = []; j.push(a); a.n = 1 << 36; yield j[0].n; j[0].n = 2; yield a.n; }',
      ['68719476736', '2'],
    ],
    [
      'push of json copies arrays of the script',
      'main() { int[] xs = [1]; json j = []; j.push(xs); xs[0] = 1 << 36; yield j[0][0]; }',
      ['1'],
    ],
    [
      'copy of json shares nothing',
      'main() { json j = { a: { n: 1 }, b: [{ n: 2 }] }; json k = j.copy(); k.a.n = 5; k.b[0].n = 6; ' +
        'k.b.push(7); yield j; }',
      ['{"a":{"n":1},"b":[{"n":2}]}'],
    ],
    [
      'indexOf and contains change nothing',
      'main() { int[] xs = [1, 2, 1 << 36]; int at = xs.indexOf(1 << 36); yield at; int n = 0; for (int i = 0; ' +
        'i < 3; i++) { if (xs.contains(i)) n++; xs[i] += 1 << 40; } yield n; yield xs[2] >>> 36; }',
      ['2', '0', '17'],
    ],
    [
      'arrays of structs share them',
      'type P { int v; } main() { P p = { v: 1 }; P[] ps = [p, { v: 2 }]; ' +
        'P[] two = ps.concat(ps.slice(0, 1)).copy(); two[2].v = 1 << 36; yield (p.v >>> 7) & 0xffffffff; ' +
        'int sum = 0; for (int i = 0; i < 3; i++) { p.v = i; two[0].v += 1 << 36; ' +
        'sum += (ps[0].v >>> 7) & 0xffffffff; } yield sum; }',
      ['536870912', '1610612736'],
    ],
    [
      'fill puts one struct everywhere',
      'type P { int v; } main() { P[] ps = new P[3]; P p = { v: 1 }; ps.fill(p); int sum = 0; for (int i = 0; ' +
        'i < ps.length(); i++) { ps[i].v += 1 << 36; sum += (p.v >>> 7) & 0xffffffff; } yield sum; }',
      [String((1n + 2n + 3n) * (wide >> 7n))],
    ],
  ];
  it.each(cases)('%s', async (_name, text, outcome) => {
    for (const way of ways)
      expect([way, ...(await outcomeOf(text, settings[way]!))]).toEqual([way, ...outcome, 'returns undefined']);
  });
});

describe('the host', () => {
  const instanceOf = async (text: string, options: ScriptOptions = {}): Promise<ScriptInstance> => {
    const { artifact, diagnostics } = await compile(
      'test.slu',
      text,
      options.plugins === undefined ? {} : { plugins: options.plugins },
    );
    if (artifact === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
    return (await loadScript(artifact.wasm, options)).instance();
  };

  it('shares no array with a script, and the script keeps its own', async () => {
    const instance = await instanceOf(
      'int[] g = []; export int[] keep(int[] a, int[] b) { g = a; b[0] = 1 << 40; return g; } ' +
        'export int read(int at) { g[0] += 1 << 36; return (g[at] >>> 7) & 0xffffffff; } main() { }',
    );
    const given = new BigInt64Array([1n, 2n]);
    const kept = (await instance.call('keep', given, given)).value as BigInt64Array;
    expect([...given, ...kept]).toEqual([1n, 2n, 1n, 2n]);
    given[0] = 7n;
    kept[0] = 9n;
    expect((await instance.call('read', 0)).value).toBe(wide >> 7n);
    expect((await instance.call('read', 0)).value).toBe((2n * wide) >> 7n);
  });

  it('gives what is new from a plugin', async () => {
    const text =
      'export int f() { int[] xs = [1, 2, 3]; int[] r = Lab.twice(xs); r[0] = 1 << 36; int sum = 0; ' +
      'for (int i = 0; i < 3; i++) { xs[i] += r[i]; sum += (xs[i] >>> 7) & 0xffffffff; } return sum; } ' +
      'export int g() { Lab.Point p = { x: 1.0, label: null }; Lab.Point q = Lab.move(p, 1.0); q.x = 5.0; ' +
      'return p.x.toInt(); } main() { }';
    const instance = await instanceOf(text, { plugins: [lab] });
    expect((await instance.call('f')).value).toBe(wide >> 7n);
    expect((await instance.call('g')).value).toBe(1n);
  });
});
