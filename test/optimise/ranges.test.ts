// What the optimiser knows of the ints of a program, and where it works in 32 bits because of it.

import { describe, expect, it } from 'vitest';
import { narrowInts } from '../../src/4-optimise/transform/int32-narrowing.ts';
import { Ranges } from '../../src/4-optimise/analysis/ranges.ts';
import { printBody } from '../../src/mir/print.ts';
import { rangeOfX } from './int-ranges.ts';
import { mirOf } from './lowering.ts';

/** Loops in each other, whose limits read the counter around several times. */
function nestedLoops(depth: number): string {
  const heads = Array.from({ length: depth }, (_, at) => {
    const around = at === 0 ? '50' : `i${at - 1} - i${at - 1} / 2 + i${at - 1} / 2 + 1`;
    return `for (int i${at} = 0; i${at} < ${around}; i${at}++)`;
  });
  return `${heads.join(' ')} x = i${depth - 1};`;
}

describe('an int ranges over', () => {
  it.each([
    ['what its function is called with', 'int f(int x) { return x; }\nreturn f(3) + f(7);', '3..7'],
    ['anything, if the host may call the function', 'export int f(int x) { return x; }\nreturn f(3);', 'any'],
    ['what is masked', 'int f(int n) { int x = n & 255; return x; }\nmain(int n) { return f(n); }', '0..255'],
    ['what is shifted', 'int f(int n) { int x = n >>> 40; return x; }\nmain(int n) { return f(n); }', '0..16777215'],
    [
      'sums and differences',
      'int f(int n) { int x = 5; x = (n & 7) - 10; return x; }\nmain(int n) { return f(n); }',
      '-10..5',
    ],
    [
      'anything, where a sum could wrap',
      'int f(int n) { int x = n + 1; return x; }\nmain(int n) { return f(n); }',
      'any',
    ],
    ['remainders', 'int f(int n) { int x = n % 10; return x; }\nmain(int n) { return f(n); }', '-9..9'],
    ['either of two', 'int f(int n) { int x = n > 3 ? 4 : 9; return x; }\nmain(int n) { return f(n); }', '0..9'],
    [
      'remainders by anything',
      'int f(int n) { int x = (n & 63) % n; return x; }\nmain(int n) { return f(n); }',
      '0..63',
    ],
    [
      'counters in front of their step',
      'int f() { int x = 0; for (int i = 3; i < 256; i++) x = i; return x; }\nreturn f();',
      '0..255',
    ],
    [
      'counters behind a step in the body',
      'int f() { int x = 0; int i = 3; while (i <= 255) { i++; x = i; } return x; }\nreturn f();',
      '0..256',
    ],
    [
      'falling counters',
      'int f() { int x = 9; for (int i = 9; i > -3; i -= 2) x = i; return x; }\nreturn f();',
      '-2..9',
    ],
    [
      'counters that something else sets, too',
      'int f(int n) { int x = 0; for (int i = 0; i < 9; i++) { i = n; x = i; } return x; }\n' +
        'main(int n) { return f(n); }',
      'any',
    ],
    [
      'counters within those of loops around them',
      `int f() { int x = 0; ${nestedLoops(20)} return x; }\nreturn f();`,
      '0..2147483647',
    ],
    [
      'what was the length of a new array',
      'int f(int n) { int[] a = new int[n + 2]; int x = n; return x + a.length(); }\nmain(int n) { return f(n); }',
      '-2..134217718',
    ],
    [
      'anything, where the array may not have been made',
      'int f(int n, int m) { int[] a = null; if (m < 9) a = new int[n]; int x = n; return x + a.length(); }\n' +
        'main(int n) { return f(n, n); }',
      'any',
    ],
    [
      'anything, where it is set again',
      'int f(int n) { int[] a = new int[n]; n = n * n * n; int x = n; return x + a.length(); }\n' +
        'main(int n) { return f(n); }',
      'any',
    ],
    [
      'anything, where it goes on growing',
      'int f(int n) { int x = 0; while (x != n) x += 3; return x; }\nmain(int n) { return f(n); }',
      'any',
    ],
    ['the elements of its array', 'int f(int[] a) { int x = a[0]; return x; }\nreturn f([1, 2, 3]);', '0..3'],
    [
      'what another name of the array sets',
      'int f(int[] a) { int[] b = a; b[0] = 100; int x = a[0]; return x; }\nreturn f([1, 2, 3]);',
      '0..100',
    ],
    [
      'not what another array holds',
      'int f(int[] a) { int[] b = [5000]; b[0] = 7000; int x = a[0]; return x + b[0]; }\nreturn f([1, 2, 3]);',
      '0..3',
    ],
    [
      'what is pushed in a function that is called',
      'void add(int[] c) { c.push(40); }\nint f(int[] a) { add(a); int x = a[0]; return x; }\nreturn f([1, 2, 3]);',
      '0..40',
    ],
    [
      'what a row of rows holds',
      'int f(int[][] a) { int[] row = a[0]; row[0] = 77; int x = a[1][0]; return x; }\nreturn f([[1], [2]]);',
      '0..77',
    ],
    [
      'what a choice between arrays holds',
      'int f(int[] a, int[] b, boolean c) { (c ? a : b)[0] = 50; int x = a[0]; return x; }\nreturn f([1], [2], true);',
      '0..50',
    ],
    [
      'what a field holds',
      'type P { int v; int[] w; }\nint f(P p) { p.w[0] = 9; int x = p.v + p.w[0]; return x; }\n' +
        'return f({ v: 20, w: [4] });',
      '0..29',
    ],
    [
      'anything out of json',
      'type P { int v; int[] w; }\nint f(json j) { P p = j as P; int x = p.w[0]; return x; }\n' +
        'json j = { v: 1, w: [2] };\nreturn f(j);',
      'any',
    ],
    [
      'anything in an array that comes from outside',
      'int f(int[] a) { int x = a[0]; return x; }\nmain(int[] a) { return f(a); }',
      'any',
    ],
    ['a length', 'int f(string s) { int x = s.length(); return x; }\nreturn f("abc");', '0..2147483647'],
  ])('%s', (_name, text, range) => expect(rangeOfX(text)).toBe(range));
});

describe('32 bits do', () => {
  const wordsOf = (body: string): readonly string[] => {
    const program = mirOf(
      `int f(int a, int b, int n) { ${body} }\nmain(int n) { return f(n & 0xffffffff, n & 31, n); }`,
    );
    return printBody(narrowInts(program.functions.get('#f')!, new Ranges(program)));
  };

  it.each([
    ['for sums and products', 'return (a * b + n) & 0xffffffff;', ['return wrap32(((a * b) + n))']],
    [
      'for a shift to the right of what has no more bits',
      'return (a >>> 7 | n) & 0xffffffff;',
      ['return wrap32(((wrap32(a) >>> wrap32(7)) | n))'],
    ],
    [
      'for a count that is known to be below 32',
      'return (n << b) & 0xffffffff;',
      ['return wrap32((wrap32(n) << wrap32(b)))'],
    ],
  ])('%s', (_name, body, lines) => expect(wordsOf(body)).toEqual(lines));

  it.each([
    [
      'for a shift to the right of what may have more bits',
      'return (n >>> 7 | a) & 0xffffffff;',
      ['return wrap32(((n >>> 7) | a))'],
    ],
    ['for a count that may be larger', 'return (a << n) & 0xffffffff;', ['return wrap32((a << n))']],
    ['for a quotient', 'return (a / 3) & 0xffffffff;', ['return wrap32((a / 3))']],
    ['for another mask', 'return (a + n) & 0xfffffff;', ['return ((a + n) & 268435455)']],
  ])('not %s', (_name, body, lines) => expect(wordsOf(body)).toEqual(lines));
});
