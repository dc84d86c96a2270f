// Scripts that go on and on in one way each: whatever they are, compiling them ends, with a module or with diagnostics.
// Larger ones are in sizes-attacks.slow.ts, times in `npm run bench:compile`.

import { describe, expect, it } from 'vitest';
import { kinds } from '../../benchmarks/compile/kinds.ts';
import { loadScript } from '../../runtime-host/api/index.ts';
import { compile } from '../../src/index.ts';

describe('a script of 4 KB', () => {
  it.each(kinds.map(({ name, make }) => [name, make] as const))(
    'of %s ends',
    async (_name, make) => {
      const { artifact, diagnostics } = await compile('test.slu', make(4096), { limits: { timeMs: 60_000 } });
      expect(diagnostics.map(({ code }) => code)).not.toContain('E3004');
      if (diagnostics.some(({ severity }) => severity === 'error')) expect(artifact).toBeNull();
      else
        expect(
          WebAssembly.validate(artifact!.wasm, { builtins: ['js-string'], importedStringConstants: "'" } as never),
        ).toBe(true);
    },
    60_000,
  );
});

describe('names that stand for sums of names', () => {
  it('are not written out', async () => {
    // Each line doubles what the one before stands for.
    const lines = Array.from({ length: 30 }, (_, index) => `int x${index + 1} = x${index} + x${index};`).join(' ');
    const text =
      `main() { int[] xs = [1]; int sum = 0; for (int i = 0; i < xs.length(); i++) { int x0 = i; ${lines} ` +
      'sum += xs[x30]; } return sum; }';
    expect((await compile('test.slu', text, { limits: { timeMs: 30_000 } })).diagnostics).toEqual([]);
  });
});

describe('a function that engines would need gigabytes for', () => {
  const loops = (count: number): string =>
    `main(int n = 1) { int a = n; ${'for (int i = 0; i < n; i++) a += i;\n'.repeat(count)} return a; }`;

  it('is divided where it has many loops', async () => {
    const { artifact } = await compile('test.slu', loops(1000), { text: true });
    const functions = artifact!.text!.split('\n (func ').filter((text) => text.includes('(loop'));
    // No function has more than a few of them.
    expect(
      Math.max(
        ...functions.filter((text) => !text.startsWith('$$entry ')).map((text) => text.split('(loop').length - 1),
      ),
    ).toBeLessThan(10);
    expect(functions.length).toBeGreaterThan(1000);
  });

  it('is written with fewer variables where that is enough', async () => {
    // Too many nodes to be seen as small, too few to be seen as large at once.
    const text = `main(int n = 1) { int a = n; ${'while (a < n) a++;\n'.repeat(1900)} return a; }`;
    expect((await compile('test.slu', text)).diagnostics).toEqual([]);
  }, 60_000);

  it('is written without deep values where passes would nest them', async () => {
    const text = `type T { T t; }\nmain() { T t = null; ${`t = t${'.t'.repeat(200)};\n`.repeat(17)}return t; }`;
    expect((await compile('test.slu', text)).diagnostics).toEqual([]);
  }, 60_000);

  it('is refused where its branches and variables are too many together', async () => {
    const variables = Array.from({ length: 2000 }, (_, index) => `int v${index} = n;`).join(' ');
    const branches = Array.from({ length: 2000 }, (_, index) => `if (v${index} > n) v${index} = 1;`).join(' ');
    const { diagnostics, artifact } = await compile('test.slu', `main(int n = 1) { ${variables} ${branches} }`);
    expect(artifact).toBeNull();
    expect(diagnostics.map(({ code }) => code)).toContain('E3005');
  });

  it('is refused where defaults fill in too many arguments', async () => {
    const parameters = Array.from({ length: 900 }, (_, index) => `int p${index} = ${index}`).join(', ');
    const { diagnostics } = await compile(
      'test.slu',
      `int f(${parameters}) { return p0; }\nmain() { ${'yield f(); '.repeat(1000)}}`,
    );
    expect(diagnostics.filter(({ code }) => code === 'E3002').length).toBeGreaterThan(0);
  });
});

describe('sums in calls in sums', () => {
  it.each([
    ['at the beginning', 'f(', 200, 40n],
    ['further on', 'f(1 + ', 200, 41n],
    ['behind a sign', 'f(1 - -', 120, 41n],
  ])('may be as long as they are deep: %s', async (_name, before, depth, added) => {
    const value = `${before.repeat(depth)}x${`${' + 1'.repeat(40)})`.repeat(depth)}`;
    const text = `int f(int n) { return n; }\nmain(int x = 7) { return ${value}; }`;
    const { artifact, diagnostics } = await compile('test.slu', text);
    expect(diagnostics).toEqual([]);
    const script = await loadScript(artifact!.wasm);
    expect(await script.run({}).result).toBe(7n + BigInt(depth) * added);
  });
});

describe('chains of logical operators', () => {
  it.each([
    ['of single operands', 'more(n)', 3000, 3000n],
    ['of pairs in parentheses', '(more(n) && n.value < 1000000)', 3000, 3000n],
    ['of pairs behind one another', '(n.value < 1000000 && (more(n) || more(n)))', 3000, 3000n],
  ])('may have thousands of terms: %s', async (_name, term, count, calls) => {
    const text =
      'type N { int value; }\nboolean more(N n) { n.value++; return n.value > 0; }\n' +
      `main() { N n = { value: 0 }; boolean all = n != null${` && ${term}`.repeat(count)}; ` +
      'return all ? n.value : -1; }';
    const { artifact, diagnostics } = await compile('test.slu', text);
    expect(diagnostics).toEqual([]);
    expect(await (await loadScript(artifact!.wasm)).run({}).result).toBe(calls);
  });
});

describe('functions that call each other', () => {
  it('may do so in a ring of any length', async () => {
    const ring = Array.from(
      { length: 5000 },
      (_, index) => `int f${index}(int x) { if (x < 1) return 0; return f${(index + 1) % 5000}(x - 1); }`,
    ).join('\n');
    expect((await compile('test.slu', `${ring}\nmain() { return f0(9); }`)).diagnostics).toEqual([]);
  }, 60_000);

  it('may refer to each other as types in a ring of any length', async () => {
    const ring = Array.from({ length: 8000 }, (_, index) => `type T${index} { T${(index + 1) % 8000} t; }`).join('\n');
    const { diagnostics } = await compile('test.slu', `${ring}\nmain() { T0 t = { t: null }; return t; }`);
    expect(diagnostics).toEqual([]);
  }, 60_000);
});
