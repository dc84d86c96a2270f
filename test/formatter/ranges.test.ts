// Ranges of some scripts of the repository, and what a range covers. All scripts: ranges.full.ts.

import { describe, expect, it } from 'vitest';
import { formatRange } from '../../src/formatter/format.ts';
import { formatWell } from './checks.ts';
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

/** How far the line of `int` is indented decides whether `f(` belongs to it, and formatting the range changes that. */
it('leaves what does not parse to the whole, whose lines decide what it is', () => {
  const text = 'a = g(\n\t);  int\n  \n\n\tf(\n';
  const formatted = 'a = g();\nint\n  \n\n\tf(\n';
  expect(formatWell(text).text).toBe(formatted);
  expect(formatWell(formatRange(text, { start: 0, end: 1 }).text).text).toBe(formatted);
});
