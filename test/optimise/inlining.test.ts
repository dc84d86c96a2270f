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
      ['yield ($x = n; $y = ($x * 2); ($y - $x))'],
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
      ['yield ($x = n; $y = ($value = n; n = ($value + 1); $value); ($x - $y))'],
    ],
    [
      'that chooses',
      'int f(int x) { if (x > 5) return 5; else if (x < 0) { int y = -x; return y; } return x; }\n' +
        'main(int n) { yield f(n); }',
      ['yield ($x = n; (($x > 5) ? 5 : (($x < 0) ? ($y = (-$x); $y) : $x)))'],
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
    expect(mainOf(text, true)).toEqual(['charge 1', 'yield ($x = n; charge 1; ((charge 1; ($x + $x)) * 2))']);
  });
});

describe('a function is called', () => {
  it.each([
    ['that can fail', 'int f(int x) { return 10 / x; }\nmain(int n) { yield f(n); }'],
    ['that reads an array', 'int f(int[] a) { return a[0]; }\nmain(int n) { yield f([n]); }'],
    ['that is recursive', 'int f(int x) { return x == 0 ? 0 : f(x - 1); }\nmain(int n) { yield f(n); }'],
    [
      'that leads back to itself by another',
      'int f(int x) { return g(x) + 1; }\nint g(int x) { return x == 0 ? 0 : f(x - 1); }\nmain(int n) { yield f(n); }',
    ],
    [
      'that goes on behind a branch',
      'int f(int x) { if (x > 0) { x = 1; x += 2; } return x; }\nmain(int n) { yield f(n); }',
    ],
    ['with a loop', 'int f(int x) { while (x > 9) x -= 9; return x; }\nmain(int n) { yield f(n); }'],
    ['that makes a text', 'string f(int x) { return `${x}`; }\nmain(int n) { yield f(n); }'],
    [
      'that has thousands of branches',
      `int f(int x) { ${Array.from({ length: 20_000 }, (_, n) => `if (x == ${n}) return ${n};`).join(' ')} ` +
        'return 0; }\nmain(int n) { yield f(n); }',
    ],
    [
      'that is large',
      `int f(int x) { return ${Array.from({ length: 40 }, () => 'x').join(' + ')}; }\nmain(int n) { yield f(n); }`,
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
