// The notation of `// →` comments: what is written is read back the same.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSame, readEvents, readMarker, writeEvents } from '../../src/testing/notation.ts';
import type { Event } from '../../src/testing/notation.ts';

const value = (text: string): Event => ({ kind: 'value', text });

describe('a marker', () => {
  it('begins with an arrow, or with what is easier to type', () => {
    expect(readMarker('// → 42')).toBe('42');
    expect(readMarker('//→ 42')).toBe('42');
    expect(readMarker('// -> 42  ')).toBe('42');
    expect(readMarker('// →')).toBe('');
    expect(readMarker('// → ')).toBe('');
  });

  it('is no other comment', () => {
    for (const comment of ['// 42', '// x → y', '//->42', '// →42', '/* → 42 */', '//'])
      expect(readMarker(comment), comment).toBeNull();
  });
});

describe('the values of a marker', () => {
  it('stand behind one another', () => {
    expect(readEvents('1 | two | [3,4]')).toEqual([value('1'), value('two'), value('[3,4]')]);
    expect(readEvents('')).toEqual([]);
  });

  it('may stand in quotes', () => {
    expect(readEvents('"a | b" | "" | "\\n"')).toEqual([value('a | b'), value(''), value('\n')]);
  });

  it('are taken as they are where quotes are no JSON string', () => {
    expect(readEvents('"a" and "b"')).toEqual([value('"a" and "b"')]);
    expect(readEvents('"\\q"')).toEqual([value('"\\q"')]);
  });

  it('end with an error', () => {
    expect(readEvents('1 | throws Error: a | b')).toEqual([
      value('1'),
      { kind: 'error', type: 'Error', message: 'a | b' },
    ]);
    expect(readEvents('throws CastError')).toEqual([{ kind: 'error', type: 'CastError', message: null }]);
    expect(readEvents('throws Error: " a"')).toEqual([{ kind: 'error', type: 'Error', message: ' a' }]);
  });
});

const text = fc.oneof(
  fc.string({ unit: 'binary' }).map((any) => any.toWellFormed()),
  fc.string({ unit: fc.constantFrom('"', '\\', '|', ' ', '\n', 't', 'throws ', ' | ', '→', '{', ':') }),
);
const event = fc.oneof(
  text.map(value),
  fc.record({ kind: fc.constant('error' as const), type: fc.constantFrom('Error', 'CastError'), message: text }),
);

it('reads back what it writes', () => {
  fc.assert(
    fc.property(fc.array(text.map(value)), fc.option(event), (values, last) => {
      const events: Event[] = last === null ? values : [...values, last];
      const written = writeEvents(events);
      expect(written).not.toMatch(/[\n\r\u2028]/);
      const read = readEvents(readMarker(`// → ${written}`)!);
      expect(read).toEqual(events);
      expect(read.every((one, at) => isSame(one, events[at]!))).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

it('compares messages where there is one', () => {
  const seen: Event = { kind: 'error', type: 'Error', message: 'no' };
  expect(isSame({ kind: 'error', type: 'Error', message: null }, seen)).toBe(true);
  expect(isSame({ kind: 'error', type: 'Error', message: 'yes' }, seen)).toBe(false);
  expect(isSame(value('throws Error'), seen)).toBe(false);
});
