// The public functions: what they answer, and what they say to callers who get something wrong.

import { describe, expect, it } from 'vitest';
import { format, formatRange } from '../../src/format.ts';
import type { FormatOptions } from '../../src/format.ts';

describe('format', () => {
  it('answers with the text, the edits that lead there, and what stays as it was', () => {
    const text = 'int  x = 1;\nyield ] x;\nyield x ;\n';
    const { text: formatted, edits, kept, fault } = format(text);
    expect(formatted.startsWith('int')).toBe(true);
    expect(fault).toBe(null);
    expect(kept.length).toBeGreaterThan(0);
    let applied = text;
    for (const { start, end, text: wanted } of edits.toReversed())
      applied = applied.slice(0, start) + wanted + applied.slice(end);
    expect(applied).toBe(formatted);
  });

  it('takes options, of which undefined counts as left out', () => {
    const text = 'if (a) {\nb(1000, 2000);\n}\n';
    expect(format(text, { indentSize: 4, endOfLine: 'crlf' }).text).toBe('if (a) {\r\n    b(1000, 2000);\r\n}\r\n');
    expect(format(text, { indentStyle: 'tab' }).text).toBe('if (a) {\n\tb(1000, 2000);\n}\n');
    expect(format(text, { indentSize: undefined } as unknown as FormatOptions).text).toBe(
      'if (a) {\n  b(1000, 2000);\n}\n',
    );
  });

  it.each<[unknown, unknown, string]>([
    [1, {}, 'format(text) takes a string, not number'],
    ['', null, 'the options are an object, not null'],
    ['', { indentsize: 2 }, 'there is no option indentsize: did you mean indentSize?'],
    ['', { indentSize: 0 }, 'the option indentSize takes a whole number from 1 on, not 0'],
    ['', { indentStyle: 'tabs' }, "the option indentStyle takes 'space' or 'tab', not \"tabs\""],
    ['', { maxLineLength: null }, 'the option maxLineLength takes a whole number from 1 on, or Infinity, not null'],
    ['', { endOfLine: 'auto' }, "the option endOfLine takes 'lf' or 'crlf', not \"auto\""],
  ])('refuses %j with the options %j', (text, options, message) => {
    expect(() => format(text as string, options as FormatOptions)).toThrow(new TypeError(message));
  });
});

describe('formatRange', () => {
  const text = 'a( );\nb( );\nc( );\n';

  it('formats the statements that a range lies in', () => {
    expect(formatRange(text, { start: 7, end: 8 }).text).toBe('a( );\nb();\nc( );\n');
  });

  it.each([
    [null],
    [{}],
    [{ start: 2, end: 1 }],
    [{ start: -1, end: 1 }],
    [{ start: 0, end: 99 }],
    [{ start: 0.5, end: 1 }],
  ])('refuses the range %j', (range) => {
    expect(() => formatRange(text, range as { start: number; end: number })).toThrow(
      'the range has a start and an end, offsets in the text of which the end is not the smaller',
    );
  });
});
