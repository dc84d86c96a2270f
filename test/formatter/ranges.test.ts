// Ranges of some scripts of the repository, and what a range covers. All scripts: ranges.full.ts.

import { describe, expect, it } from 'vitest';
import { formatRange } from '../../src/formatter/format.ts';
import { checkRanges, scripts } from './range-checks.ts';

it('keeps what is always so for ranges of scripts', () => {
  for (const [path, text] of scripts.filter((_script, at) => at % 12 === 0)) checkRanges(path, text, 2);
});

describe('a range', () => {
  const text = 'a( );\nif(x){\nb( );\nc( );\n}else{\nd( );\n}\ntype  P{\nint  x;\nint  y;\n}\ne( );\n';
  const formatted = (part: string): string => {
    const start = text.indexOf(part);
    return formatRange(text, { start, end: start + part.length }).text;
  };

  it.each([
    ['a statement', 'a', 'a( );', 'a();'],
    ['statements of a block', 'b( );\nc', 'b( );\nc( );', '  b();\n  c();'],
    ['the second branch', 'd(', 'd( );', '  d();'],
    [
      'both branches',
      'c( );\n}else{\nd',
      'if(x){\nb( );\nc( );\n}else{\nd( );\n}',
      'if (x) {\n  b();\n  c();\n} else {\n  d();\n}',
    ],
    ['a condition', '(x)', 'if(x){\nb( );\nc( );\n}else{\nd( );\n}', 'if (x) {\n  b();\n  c();\n} else {\n  d();\n}'],
    ['a field', 'y;', 'int  y;', '  int y;'],
    ['a type', 'P', 'type  P{\nint  x;\nint  y;\n}', 'type P {\n  int x;\n  int y;\n}'],
  ])('covers %s', (_what, part, before, after) => expect(formatted(part)).toBe(text.replace(before, after)));

  it('formats nothing where no statement is', () => {
    expect(formatRange('\n\n//  a\n\n\n', { start: 9, end: 9 }).edits).toEqual([]);
  });
});
