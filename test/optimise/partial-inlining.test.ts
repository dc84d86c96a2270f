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
    ['where the value could', 'int f(int a, int n) { if (n == 0) return 1 / a; return f(a, n - 1); }\nf(1, 0);'],
    [
      'where something happens before',
      'int done = 0;\nint f(int n) { done++; if (n == 0) return 1; return f(n - 1); }\nf(1);',
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
