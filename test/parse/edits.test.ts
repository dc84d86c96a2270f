// Some edits of some scripts. Many more: edits.full.ts.

import { describe, expect, it } from 'vitest';
import { examples } from './damage.ts';
import { faultOfEdits, faultOfTyping, tokensRead } from './edits.ts';

describe('a parse that takes items over is the same as one that does not', () => {
  it.each(examples.slice(0, 4))('%s, edited', (_path, text) => expect(faultOfEdits(text, 25, 1)).toBeNull());
  it.each([0, 1, 2, 3, 4])('typing %d', (seed) => expect(faultOfTyping(examples[0]![1], seed)).toBeNull());
});

describe('tokens and items that did not change are not read again', () => {
  const functions = Array.from({ length: 200 }, (_, at) => `int f${at}(int x) {\n  return x + ${at};\n}\n`).join('');
  const place = functions.indexOf('int f100');

  it.each(['int y = 1;\n', 'int y = ', 'int g() {\n', 'type {', '}', '"', 'if (f1(1) == 2) return', 'x = (1;\n'])(
    'with %s typed between them',
    (words) => {
      const { fresh, again } = tokensRead(functions, place, words);
      expect(again).toBeLessThan(fresh / 10);
    },
  );
});
