// Which calls of recursive functions get a look in front, whether they would end at once.

import { describe, expect, it } from 'vitest';
import { printBody } from '../../src/mir/print.ts';
import { optimised } from './lowering.ts';

function linesOf(text: string, name: string, counts = false): readonly string[] {
  return printBody(optimised(text, counts).functions.get(`#${name}`)!).map((line) => line.trim());
}

describe('a call of a recursive function that may end at once', () => {
  it.each([
    [
      'by a choice',
      'int f(int n) { return n < 1 ? 7 : f(n - 1); }',
      ['return ((n < 1) ? 7 : ($n = (n - 1); (($n < 1) ? 7 : #f($n))))'],
    ],
    [
      'by a choice the other way round',
      'int f(int n) { return n > 0 ? f(n - 1) : n; }',
      ['return ((n > 0) ? ($n = (n - 1); ((!($n > 0)) ? $n : #f($n))) : n)'],
    ],
    [
      'by a return',
      'int f(int n) { if (n == 0) return 1; return f(n - 1); }',
      ['if (n == 0)', 'return 1', 'return ($n = (n - 1); (($n == 0) ? 1 : #f($n)))'],
    ],
    [
      'without a value',
      'void f(int n) { if (n == 0) return; f(n - 1); }',
      ['if (n == 0)', 'return', '$n = (n - 1)', 'if ($n == 0)', 'else', '#f($n)'],
    ],
  ])('%s', (_name, text, lines) => expect(linesOf(`${text}\nf(3);`, 'f')).toEqual(lines));

  it.each([
    [
      'what happens before the end',
      'int done = 0;\nint f(int n) { done++; if (n == 0) return done; return f(n - 1); }',
      'return ($n = (n - 1); (($n == 0) ? (#done = (#done + 1); #done) : #f($n)))',
    ],
    [
      'a value that may fail',
      'int f(int n) { if (n == 0) return 1 / n; return f(n - 1); }',
      'return ($n = (n - 1); (($n == 0) ? (1 / $n) : #f($n)))',
    ],
    [
      'what happens at the end',
      'int done = 0;\nint f(int n) { if (n == 0) { done++; return done; } return f(n - 1); }',
      'return ($n = (n - 1); (($n == 0) ? (#done = (#done + 1); #done) : #f($n)))',
    ],
  ])('does in place of the call %s', (_name, text, last) => {
    expect(linesOf(`${text}\nf(3);`, 'f').at(-1)).toBe(last);
  });

  it('is not looked at where a field of null would be read', () => {
    const text =
      'type Node { Node next; }\nint f(Node node) { if (node.next == null) return 1; return 1 + f(node.next); }\n' +
      'f({ next: null });';
    expect(linesOf(text, 'f').at(-1)).toBe(
      'return (1 + ($node = node!.0; (((!isnull($node)) && isnull($node!.0)) ? 1 : #f($node))))',
    );
  });

  it('uses a unit all the same', () => {
    expect(linesOf('int f(int n) { if (n == 0) return 1; return f(n - 1); }\nf(3);', 'f', true).at(-1)).toBe(
      'return ($n = (n - 1); (($n == 0) ? (charge 1; 1) : #f($n)))',
    );
  });
});

describe('no look in front of a call', () => {
  it.each([
    ['where the look could fail', 'int f(int[] a, int n) { if (a[n] == 0) return 1; return f(a, n - 1); }\nf([0], 0);'],
    [
      'where something before may change the test',
      'int done = 0;\nint f(int n) { done++; if (n == done) return 1; return f(n - 1); }\nf(1);',
    ],
    [
      'where something before changes what is tested',
      'int f(int n, int by) { n -= by; if (n == 0) return 1; return f(n, by); }\nf(1, 1);',
    ],
    [
      'where something is called before',
      'int g(int m) { while (m > 0) m--; return m; }\n' +
        'int f(int n) { g(n); if (n == 0) return 1; return f(n - 1); }\nf(1);',
    ],
    [
      'where something happens at the end',
      'int f(int n) { if (n == 0) { yield 1; return 1; } return f(n - 1); }\nf(1);',
    ],
    [
      'from a function that is not recursive',
      'int f(int n) { if (n == 0) return 1; return g(n - 1); }\nint g(int n) { return 2; }\nf(1);',
    ],
  ])('%s', (_name, text) => expect(linesOf(text, 'f').join('\n')).not.toMatch(/\$n = .* \?|if \(\$n/));
});
