// Whatever the script, checking it ends, without an exception and in reasonable time.

import { describe, expect, it } from 'vitest';
import { readCases } from '../conformance-cases.ts';
import { checkText } from './checking.ts';

describe('long expressions', () => {
  const count = 100_000;
  const chains: readonly (readonly [name: string, text: string])[] = [
    ['a sum', `int x = 1; yield ${'x + '.repeat(count)}x;`],
    ['a sum that is dropped', `int x = 1; ${'x + '.repeat(count)}x;`],
    ['text', `string s = ""; yield ${'s + '.repeat(count)}s;`],
    ['conditions', `boolean b = true; if (${'b && '.repeat(count)}b) yield 1;`],
    ['a default', `int f(int x = ${'1 + '.repeat(count)}1) { return x; } yield f();`],
    ['a global', `int g = ${'1 + '.repeat(count)}1; main() { return g; }`],
    ['a compound assignment', `int[] a = [1]; a[0] += ${'1 + '.repeat(count)}1;`],
    ['an array', `yield [${'1, '.repeat(count)}1];`],
  ];
  it.each(chains)('%s', (_, text) => {
    expect(checkText(text).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('a mistake at their end is one message', () => {
    expect(checkText(`yield ${'1 + '.repeat(count)}"a";`).diagnostics.map(({ message }) => message)).toEqual([
      "Operator '+' not defined for (int, string)",
    ]);
  });

  const postfix: readonly (readonly [name: string, text: string])[] = [
    ['fields', `type P { P p; }\nP p = { p: null };\nyield p${'.p'.repeat(20_000)};`],
    ['methods', `string s = "a";\nyield s${'.upper()'.repeat(20_000)};`],
    ['elements', `int[] a = [1];\nyield a${'[0]'.repeat(20_000)};`],
    ['calls of functions', `int f(int x) { return x; }\nyield 1${'.f()'.repeat(20_000)};`],
  ];
  it.each(postfix)('of %s', (_, text) => {
    checkText(text);
  });
});

describe('many declarations', () => {
  it('are checked in time in proportion', () => {
    const lines = Array.from(
      { length: 5000 },
      (_, index) => `int f${index}(int x) { int y = x; return f${(index * 7) % 5000}(y); }`,
    );
    const start = performance.now();
    expect(checkText(`${lines.join('\n')}\nyield f0(1);`).diagnostics).toEqual([]);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it('with mistakes too', () => {
    const lines = Array.from({ length: 1000 }, (_, index) => `int variable${index} = unknown${index};`);
    expect(checkText(lines.join('\n')).diagnostics).toHaveLength(1000);
  });
});

describe('scripts that are not what they were', () => {
  const texts = readCases()
    .filter(({ text }) => text.length < 800)
    .map(({ text }) => text.replace(/\/\/.*$/gm, ''));

  /** A small generator of numbers, the same at every run. */
  function* numbers(): Generator<number, never> {
    for (let state = 12345; ;) {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
      yield state;
    }
  }

  it('never raise an exception where two words change places', () => {
    const random = numbers();
    for (const text of texts) {
      const words = text.match(/\w+|"[^"\n]*"|\s+|[^\w\s]/g) ?? [];
      const solid = words.flatMap((word, index) => (/^(\w|")/.test(word) ? [index] : []));
      if (solid.length < 2) continue;
      const [a, b] = [solid[random.next().value % solid.length]!, solid[random.next().value % solid.length]!];
      [words[a], words[b]] = [words[b]!, words[a]!];
      const changed = words.join('');
      expect(() => checkText(changed), changed).not.toThrow();
    }
  });

  it('never raise an exception where a line is missing', () => {
    const random = numbers();
    for (const text of texts) {
      const lines = text.split('\n');
      lines.splice(random.next().value % lines.length, 1);
      expect(() => checkText(lines.join('\n')), lines.join('\n')).not.toThrow();
    }
  });

  it('never raise an exception in prelude mode', () => {
    for (const text of texts) expect(() => checkText(text, { prelude: true }), text).not.toThrow();
  });
});
