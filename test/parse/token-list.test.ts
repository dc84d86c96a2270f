// The tokens that tools are given: all of them, comments too, in files with mistakes as well.

import { describe, expect, it } from 'vitest';
import { parseText } from './parsed.ts';

/** `kind text` of each token. */
function tokensOf(text: string): readonly string[] {
  const { source, tokens } = parseText(text).file;
  return tokens.map(({ kind, start, end }) => `${kind} ${source.text.slice(start, end)}`);
}

describe('the tokens of a file', () => {
  it('are what is written, comments and brackets too', () => {
    expect(tokensOf('// a\nint x = (1 + 2.5); /* b */ main;')).toEqual([
      'line-comment // a',
      'keyword int',
      'name x',
      'operator =',
      'punctuation (',
      'number 1',
      'operator +',
      'number 2.5',
      'punctuation )',
      'punctuation ;',
      'block-comment /* b */',
      'keyword main',
      'punctuation ;',
    ]);
  });

  it('tell the end of an expression in a template from the end of an object', () => {
    expect(tokensOf('yield `a $ ${f({ k: `${x}` })} b`;')).toEqual([
      'keyword yield',
      'template-start `',
      'template-text a ',
      'template-text $',
      'template-text  ',
      'expression-start ${',
      'name f',
      'punctuation (',
      'punctuation {',
      'name k',
      'punctuation :',
      'template-start `',
      'expression-start ${',
      'name x',
      'expression-end }',
      'template-end `',
      'punctuation }',
      'punctuation )',
      'expression-end }',
      'template-text  b',
      'template-end `',
      'punctuation ;',
    ]);
  });

  it('are there whatever is wrong with a file', () => {
    expect(tokensOf("x === 007 'q' \"open\n# .5 /* never closed")).toEqual([
      'name x',
      'operator ===',
      'number 007',
      "string 'q'",
      'string "open',
      'unknown #',
      'number .5',
      'unknown /* never closed',
    ]);
    expect(tokensOf('} int f( {')).toEqual([
      'punctuation }',
      'keyword int',
      'name f',
      'punctuation (',
      'punctuation {',
    ]);
  });

  it('have UTF-16 offsets, and a first line for an interpreter as it is', () => {
    const { tokens } = parseText('#!/usr/bin/env sluice\nyield "😀"; yield 1;').file;
    expect(tokens.map(({ start, end }) => [start, end])).toEqual([
      [0, 21],
      [22, 27],
      [28, 32],
      [32, 33],
      [34, 39],
      [40, 41],
      [41, 42],
    ]);
  });
});
