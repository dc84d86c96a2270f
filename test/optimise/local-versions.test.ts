// What is known of ints behind conditions, where paths join, and in loops.

import { describe, expect, it } from 'vitest';
import { rangeOfX } from './int-ranges.ts';

/** What x is set to by a function that may be called with any v and w. */
function rangeBy(body: string): string {
  const head = 'boolean any(int n) { return n % 3 == 1; }\nvoid fail(int n) { if (n % 5 == 1) throw "five"; }\n';
  return rangeOfX(
    `${head}int f(int v, int w) { int x = 0; ${body} return x; }\nmain(int v, int w) { return f(v, w); }`,
  );
}

const most = 2n ** 63n - 1n;

describe('behind a condition', () => {
  it.each([
    ['a clamp', 'if (v < 0) v = 0; if (v > 255) v = 255; x = v;', '0..255'],
    ['a clamp of choices', 'x = v < 0 ? 0 : v > 255 ? 255 : v;', '0..255'],
    ['a clamp with an else', 'if (v < 0) x = 0; else if (v > 255) x = 255; else x = v;', '0..255'],
    ['either branch', 'if (v > 9) { if (v < 20) x = v; } else if (v > 3) x = v;', '0..19'],
    ['one branch of two', 'if (v >= 3 && v <= 7) x = v; else x = -1;', '-1..7'],
    ['its negation', 'if (!(v < 3 || v > 7)) x = v;', '0..7'],
    ['an equality', 'if (v == 7) x = v;', '0..7'],
    ['what is not one', 'v = v & 7; if (v != 7) x = v;', '0..6'],
    ['what is not within', 'v = v & 7; if (v != 3) x = v;', '0..7'],
    ['not being one, otherwise', 'if (v != 7) return 1; x = v;', '0..7'],
    ['a comparison with a variable', 'w = w & 15; if (v < w && v > -w) x = v;', '-14..14'],
    ['a comparison of two variables', 'v = v & 15; if (v > w && w > 3) x = w;', '0..14'],
    ['a comparison of a sum', 'v = v & 255; if (v + 5 < 20) x = v;', '0..14'],
    ['a comparison of a difference', 'v = v & 255; if (v - 5 >= 20) x = v;', '0..255'],
    ['what was compared before the limit was set', 'w = w & 7; if (v >= 0 && v < w) { w = 9999; x = v; }', '0..6'],
    ['a choice within the other', 'x = (v < 9 ? v : 9) > 3 ? 4 : 5;', '0..5'],
    ['a part of a condition', 'x = v > 0 && v < 9 ? v : 3;', '0..8'],
    ['a copy', 'if (v < 0 || v > 9) return 1; int u = v; v = 1000; x = u;', '0..9'],
  ])('%s', (_name, body, range) => expect(rangeBy(body)).toBe(range));

  it.each([
    ['of another comparison of what was set since', 'if (v < 0) v = 0; if (v < 9) { v = v * w; x = v; }', 'any'],
    ['of one branch only', 'if (v >= 0) { if (v > 9) v = 9; } x = v;', `${-most - 1n}..9`],
    ['of a sum that may wrap around', 'if (v + 5 < 20) x = v;', 'any'],
    ['below what is least of all', 'if (v > 100) return 0; v = v - 1; x = v;', 'any'],
    ['where one of several holds', 'if (v < 9 || w < 9) x = v;', 'any'],
    ['where not all hold', 'if (!(v > 9 && w > 9)) x = v;', 'any'],
    ['of two chosen values', 'x = w < 9 ? v : 3;', 'any'],
  ])('not %s', (_name, body, range) => expect(rangeBy(body)).toBe(range));
});

describe('behind a branch that is left', () => {
  it.each([
    ['by return', 'if (v < 0 || v >= 100) return 0; x = v;', '0..99'],
    ['by throw', 'if (v < 0 || v >= 100) throw "no"; x = v;', '0..99'],
    ['by continue', 'for (int i = 0; i < 9; i++) { v = v * 3; if (v < 0 || v > 9) continue; x = v; }', '0..9'],
    ['by break', 'while (true) { v = v * 3; if (v < 0 || v > 9) break; x = v; }', '0..9'],
    ['by an access outside', 'int[] a = [1]; int u = a[v]; x = v; x -= u;', '-1..134217719'],
    ['by an assignment outside', 'int[] a = [1]; a[v - 1] = 1; x = v;', '0..134217720'],
  ])('%s', (_name, body, range) => expect(rangeBy(body)).toBe(range));

  it.each([
    ['by an access with what was then set', 'int[] a = [1]; x = a[v]; v = w; x = v;', 'any'],
    ['by an access in one branch', 'int[] a = [1]; if (any(w)) x = a[v]; x = v;', 'any'],
    ['by an access that may not come', 'int[] a = [1]; if (any(w) || a[v] == 1) x = v;', 'any'],
  ])('not %s', (_name, body, range) => expect(rangeBy(body)).toBe(range));
});

describe('within an expression', () => {
  it.each([
    ['it knows what is set', 'if (v < 0 || v > 9) return 0; int[] a = [0, 0]; a[v++ & 1] = 1; x = v;', '0..10'],
    ['it does not take one read for another', 'v = v & 7; if (v < 0 * v++ + 1) x = v;', '0..8'],
    ['it follows the operands of a condition', 'if (v >= 0 && v < 9 && v++ < 5) x = v;', '0..9'],
    ['it follows what may be evaluated', 'v = v & 7; if (any(w) || v++ > 90) w = 3; x = v;', '0..8'],
  ])('%s', (_name, body, range) => expect(rangeBy(body)).toBe(range));

  it('a read that stands in two places is known in none', () => {
    const statements = 'int x = 0; if (v < 0 || v > 9) return 0; x = v; return x;';
    const text = `int f(int v) { ${statements} }\nmain(int v) { return f(v); }`;
    expect(rangeOfX(text)).toBe('0..9');
    expect(rangeOfX(text, (nodes) => [nodes[2]!, ...nodes])).toBe('any');
  });
});

describe('in and behind a loop', () => {
  it.each([
    ['what ends it', 'v = v & 9999; while (v >= 255) { v -= 255; } x = v;', '0..254'],
    ['what goes around', 'for (int i = 0; i < w; i++) { x = x + 1; if (x >= 10) x = 0; }', '0..10'],
    ['what is stored of what goes around', 'int p = 0; while (any(w)) { p++; if (p > 9) p = 0; x = p; }', '0..9'],
    ['what it does not set', 'if (v < 0 || v > 9) return 0; while (any(w)) { w++; x = v; }', '0..9'],
    ['what bounds its step', 'int i = 0; while (any(w)) { if (i < 300) i += 7; x = i; }', '0..306'],
    ['the condition of do', 'do { v = v * 3; } while (v < 0 || v > 9); x = v;', '0..9'],
    ['the outermost condition', 'for (int i = 0; i < 9; i++) for (int j = 0; j < w; j++) x = i;', '0..8'],
    ['a break', 'v = 3; while (any(w)) { v = w; if (any(v)) { v = 7; break; } v = 5; } x = v;', '0..7'],
    ['nothing that is not left', 'v = 3; while (true) { if (any(w)) { v = 5; break; } v = w; } x = v;', '0..5'],
  ])('%s', (_name, body, range) => expect(rangeBy(body)).toBe(range));

  it.each([
    ['what a break leaves', 'v = v & 9999; while (v >= 255) { if (any(w)) break; v -= 255; } x = v;', '0..9999'],
    ['behind a set in the body', 'while (v < 9) { v = w; x = v; }', 'any'],
    ['a read in front of a set', 'v = 0; while (any(w)) { x = v; v = w; }', 'any'],
    [
      'what a loop inside sets',
      'if (v > 9 || v < 0) return 0; while (any(w)) { x = v; while (any(v)) v += w; }',
      'any',
    ],
    ['what the step sets', 'int i = 0; for (; any(w); i = w) x = i;', 'any'],
    ['a condition of do, at first', 'do { x = v; v++; } while (v >= 0 && v < 9);', 'any'],
    ['what a continue leaves', 'v = 1; while (any(w)) { x = v; v = w; if (any(v)) continue; v = 1; }', 'any'],
    ['what a continue takes on', 'int i = 0; for (; any(w); x = i) { i = w; if (any(w)) continue; i = 1; }', 'any'],
    ['what a loop inside goes on with', 'v = 1; while (any(w)) { x = v; while (any(v)) { v = w; } }', 'any'],
  ])('not %s', (_name, body, range) => expect(rangeBy(body)).toBe(range));
});

describe('where errors are caught', () => {
  it.each([
    ['what was in front', 'if (v < 0 || v > 9) return 0; try { fail(w); } catch (Error e) { x = v; }', '0..9'],
    ['what both set', 'try { fail(w); v = 3; } catch (Error e) { v = 5; } x = v;', '0..5'],
  ])('%s', (_name, body, range) => expect(rangeBy(body)).toBe(range));

  it.each([
    ['what was set in between', 'v = 3; try { v = w; fail(w); v = 3; } catch (Error e) { x = v; }', 'any'],
    [
      'what was found out in it',
      'try { if (v < 0 || v > 9) fail(w); else fail(v); } catch (Error e) { x = v; }',
      'any',
    ],
    ['what fails', 'int[] a = [1]; try { a[v] = 1; } catch (Error e) { x = v; }', 'any'],
    ['behind it', 'v = 3; try { v = w; fail(w); v = 3; } catch (Error e) { w = 1; } x = v;', 'any'],
  ])('not %s', (_name, body, range) => expect(rangeBy(body)).toBe(range));
});

describe('what is stored', () => {
  it.each([
    [
      'is no more than what is there, where it is less',
      'int[] a = [40, 7, 12]; while (any(w)) { int t = a[1] + a[2]; if (t < a[0]) a[0] = t; x = a[0]; }',
      '0..40',
    ],
    [
      'is no more than a best of those',
      'int[] a = [40]; for (int i = 0; i < w; i++) { int t = i % 101; if (t > a[0]) a[0] = t; x = a[0]; }',
      '0..100',
    ],
  ])('%s', (_name, body, range) => expect(rangeBy(body)).toBe(range));

  it('is within what calls itself', () =>
    expect(rangeOfX('int f(int x) { if (x >= 10) return x; return f(x + 1); }\nreturn f(0);')).toBe('0..10'));
});
