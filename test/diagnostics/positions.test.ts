// Line and column of a place: characters are counted, whatever they take in UTF-16, and a line may be a megabyte long.

import { describe, expect, it } from 'vitest';
import { createSourceFile, positionAt } from '../../src/source.ts';

/** As the definition says it. */
function counted(text: string, offset: number): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, offset).split('\n');
  const start = offset - lines.at(-1)!.length;
  let column = 1;
  for (let at = start; at < offset; column++) at += text.codePointAt(at)! > 0xffff ? 2 : 1;
  return { line: lines.length, column };
}

describe('the place of an offset', () => {
  it('counts characters, pairs of units and halves of them', () => {
    const text = 'a\n😀b😀\n\ud83d x \ude00\ud83d\ud83d\ude00\r\n\n😀';
    const file = createSourceFile('a.slu', text);
    for (let offset = 0; offset <= text.length; offset++)
      expect(positionAt(file, offset), String(offset)).toEqual(counted(text, offset));
  });

  it('is found at once in a long line', () => {
    const text = 'a😀'.repeat(400_000);
    const file = createSourceFile('a.slu', text);
    // Counted one by one, these are 60,000,000,000 steps.
    for (let at = 0; at < 100_000; at++) expect(positionAt(file, at * 12).column).toBe(at * 8 + 1);
  });
});
