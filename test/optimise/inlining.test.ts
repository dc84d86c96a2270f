// Which calls become part of their caller, and as what.

import { describe, expect, it } from 'vitest';
import { printBody } from '../../src/mir/print.ts';
import { optimised } from './lowering.ts';

/** What `main` becomes, as the lines of its body. */
function mainOf(text: string, counts = false): readonly string[] {
  return printBody(optimised(text, counts).entry!);
}

describe('a small function becomes part of its caller', () => {
  it.each([
    [
      'with its arguments in it',
      'int twice(int x) { return x + x; }\nmain(int n) { yield twice(n); }',
      ['yield (n + n)'],
    ],
    [
      'with a constant',
      'int shift(int x, int by) { return x << by; }\nmain(int n) { yield shift(n, 3); }',
      ['yield (n << 3)'],
    ],
    [
      'with an argument that is worked out once',
      'int square(int x) { return x * x; }\nmain(int n) { yield square(n + 1); }',
      ['yield ($x = (n + 1); ($x * $x))'],
    ],
    [
      'of another such',
      'int twice(int x) { return x + x; }\nint four(int x) { return twice(x) * 2; }\nmain(int n) { yield four(n); }',
      ['yield ((n + n) * 2)'],
    ],
    [
      'with variables of its own',
      'int f(int x) { int y = x * 2; return y - x; }\nmain(int n) { yield f(n); }',
      ['yield ($y = (n * 2); ($y - n))'],
    ],
    [
      'that sets its parameter',
      'int f(int x) { x = x * 2; return x; }\nmain(int n) { yield f(7) + n; }',
      ['yield (($x = 7; $x = ($x * 2); $x) + n)'],
    ],
    [
      'that sets a global',
      'int state = 1;\nint next() { state = state * 3; return state; }\nmain() { yield next(); }',
      ['yield (#state = (#state * 3); #state)'],
    ],
    [
      'with an argument that sets a variable',
      'int f(int x, int y) { return x - y; }\nmain(int n) { yield f(n, n++); }',
      ['yield ($x = n; $value = n; n = ($value + 1); $y = $value; ($x - $y))'],
    ],
    [
      'that chooses',
      'int f(int x) { if (x > 5) return 5; else if (x < 0) { int y = -x; return y; } return x; }\n' +
        'main(int n) { yield f(n); }',
      ['yield ((n > 5) ? 5 : ((n < 0) ? ($y = (-n); $y) : n))'],
    ],
    [
      'with a square root in it',
      'double length(double x, double y) { return Math.sqrt(x * x + y * y); }\nmain(double a) { yield length(a, a); }',
      ['yield Math.sqrt(((a * a) + (a * a)))'],
    ],
  ])('%s', (_name, text, lines) => expect(mainOf(text)).toEqual(lines));

  it('and goes on to use a unit where those are counted', () => {
    const text =
      'int twice(int x) { return x + x; }\nint four(int x) { return twice(x) * 2; }\nmain(int n) { yield four(n); }';
    expect(mainOf(text, true)).toEqual(['charge 1', 'yield (charge 1; charge 1; ((n + n) * 2))']);
  });
});

describe('a function that can fail becomes statements', () => {
  it.each([
    [
      'without a value',
      'type S { int a; }\nvoid set(S s, int x) { s.a = x; s.a++; }\nmain(int n) { S s = null; set(s, n); yield s.a; }',
      ['s = null', 's.0 = n', '$object = s!', '$object!.0 = ($object!.0 + 1)', 'yield s!.0'],
    ],
    [
      'with a value behind them',
      'int take(int[] a, int i) { int x = a[i]; a[i] = 0; return x; }\n' +
        'main(int n) { int[] a = [n]; int x = take(a, n); yield x; }',
      ['a = [n]', '$x = a![n]', 'a![n] again = 0', 'x = $x', 'yield x'],
    ],
    [
      'with a return in a branch, and what stands behind it in the other',
      'int f(int[] a, int i) { if (i < 0) return a[0]; if (i > 9) i = 9; return a[i]; }\n' +
        'main(int n) { int[] a = [n]; int x = f(a, n); yield x; }',
      [
        'a = [n]',
        '$i = n',
        'if ($i < 0)',
        '  $result = a![0]',
        'else',
        '  $i = int.min($i, 9)',
        '  $result = a![$i]',
        'x = $result',
        'yield x',
      ],
    ],
    [
      'with a throw',
      'int f(int x) { if (x < 0) throw "less"; return x; }\nmain(int n) { int x = f(n); yield x; }',
      ['if (n < 0)', '  throw "less"', 'x = n', 'yield x'],
    ],
    [
      'in front of a condition',
      'type S { int a; }\nint next(S s) { s.a++; return s.a; }\n' +
        'main(int n) { S[] all = [{ a: n }]; S s = all[0]; if (next(s) > 3) yield s.a; }',
      ['all = [{0: n}]', 's = all![0]', '$object = s', '$object.0 = ($object.0 + 1)', 'if (s.0 > 3)', '  yield s!.0'],
    ],
    [
      'with arguments evaluated before it, where a later one sets a variable',
      'int f(int x, int y) { return x / y; }\nmain(int n) { yield f(n, n++); }',
      ['yield ($x = n; $value = n; n = ($value + 1); $y = $value; ($x / $y))'],
    ],
  ])('%s', (_name, text, lines) => expect(mainOf(text)).toEqual(lines));

  it('uses a unit once its arguments are there', () => {
    const text = 'int f(int x, int y) { return x / y; }\nmain(int n) { int x = f(n / 2, 1 / n); yield x; }';
    expect(mainOf(text, true)).toEqual([
      'charge 1',
      '$x = (n / 2)',
      '$y = (1 / n)',
      'charge 1',
      'x = ($x / $y)',
      'yield x',
    ]);
  });
});

describe('a function is called', () => {
  it.each([
    ['that is recursive', 'int f(int x) { return x == 0 ? 0 : f(x - 1); }\nmain(int n) { yield f(n); }'],
    [
      'that leads back to itself by another',
      'int f(int x) { return g(x) + 1; }\nint g(int x) { return x == 0 ? 0 : f(x - 1); }\nmain(int n) { yield f(n); }',
    ],
    ['with a loop', 'int f(int x) { while (x > 9) x -= 9; return x; }\nmain(int n) { yield f(n); }'],
    ['with a clause', 'int f(int x) { try { return 1 / x; } catch (e) { return 0; } }\nmain(int n) { yield f(n); }'],
    [
      'whose rest is needed in two branches',
      'int f(int x, int y) { if (x > 0) { if (y > 0) return 1; x++; } else if (y < 0) return 2; return x / y; }\n' +
        'main(int n) { yield f(n, 1); }',
    ],
    [
      'of some size that is called in many places',
      `int f(int[] a) { return ${Array.from({ length: 9 }, (_, n) => `a[${n}]`).join(' + ')}; }\n` +
        `main(int n) { ${'yield f([n]); '.repeat(12)} }`,
    ],
    ['that makes a text', 'string f(int x) { return `${x}`; }\nmain(int n) { yield f(n); }'],
    [
      'that has thousands of branches',
      `int f(int x) { ${Array.from({ length: 20_000 }, (_, n) => `if (x == ${n}) return ${n};`).join(' ')} ` +
        'return 0; }\nmain(int n) { yield f(n); }',
    ],
    [
      'that is large',
      `int f(int x) { return ${Array.from({ length: 100 }, () => 'x').join(' + ')}; }\nmain(int n) { yield f(n); }`,
    ],
  ])('%s', (_name, text) => expect(mainOf(text).join('\n')).toMatch(/#f\(/));
});

it('grows a function no further than to some size', () => {
  const calls = Array.from({ length: 200 }, (_, n) => `yield f(n + ${n});`).join(' ');
  const lines = mainOf(`int f(int x) { return x * x + x * x + x * x + x * x + x * x; }\nmain(int n) { ${calls} }`);
  const called = lines.filter((line) => line.includes('#f(')).length;
  expect(called).toBeGreaterThan(50);
  expect(called).toBeLessThan(150);
});
