// Whatever the text, parsing ends with a tree or with diagnostics, and every span lies within the file.
// The randomness is seeded: a failure comes back.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Span } from '../../src/source.ts';
import { parseText } from './parsed.ts';
import type { Parsed } from './parsed.ts';

/** Numbers below `limit`, the same sequence for the same seed (mulberry32). */
function createRandom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** Every span of a tree. */
function collectSpans(value: unknown, into: Span[] = []): readonly Span[] {
  if (typeof value !== 'object' || value === null) return into;
  if (Array.isArray(value)) {
    for (const element of value) collectSpans(element, into);
    return into;
  }
  for (const [field, child] of Object.entries(value)) {
    if (field.endsWith('pan')) into.push(child as Span);
    else if (field !== 'source') collectSpans(child, into);
  }
  return into;
}

function checkText(text: string): Parsed {
  const parsed = parseText(text);
  const spans = [
    ...collectSpans(parsed.file),
    ...parsed.diagnostics.flatMap(({ span, labels, fix }) => [
      span,
      ...labels.map((label) => label.span),
      ...(fix === null ? [] : [fix.span]),
    ]),
  ];
  for (const { start, end } of spans) {
    if (!(start >= 0 && start <= end && end <= text.length))
      throw new Error(`a span of ${start} to ${end} in ${JSON.stringify(text)}`);
  }
  checkTokens(parsed);
  return parsed;
}

/** All that is not white space is in a token, in order. */
function checkTokens({ file: { source, tokens } }: Parsed): void {
  let end = 0;
  for (const token of [...tokens, { start: source.text.length, end: source.text.length }]) {
    const gap = source.text.slice(end, token.start);
    if (token.start < end || /[^ \t\r\n\f\v]/.test(gap))
      throw new Error(`${JSON.stringify(gap)} before ${token.start} in ${JSON.stringify(source.text)}`);
    end = token.end;
  }
}

const root = join(import.meta.dirname, '../..');
const scripts = ['examples', 'src/prelude', 'test/conformance/templates', 'test/conformance/literals']
  .flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.slu'))
      .map((name) => readFileSync(join(root, folder, name), 'utf8')),
  )
  .map((text) => text.slice(0, 1500));

const words = [
  'type',
  'if',
  'else',
  'while',
  'do',
  'for',
  'foreach',
  'in',
  'return',
  'yield',
  'break',
  'try',
  'catch',
  'throw',
  'import',
  'export',
  'new',
  'const',
  'as',
  'null',
  'true',
  'int',
  'string',
  'json',
  'void',
  'main',
  'x',
  'Point',
  'ns',
  '1',
  '2.5',
  '"s"',
  '`',
  '${',
  '}',
  '{',
  '(',
  ')',
  '[',
  ']',
  ';',
  ',',
  '.',
  ':',
  '?',
  '=',
  '+=',
  '+',
  '-',
  '*',
  '<',
  '==',
  '&&',
  '!',
  '++',
  '...',
  '@a:b',
  "'c'",
  '007',
  '"',
  '/*',
  '//\n',
  '\n',
  '===',
  '=>',
  '#',
  '\\',
  'é',
  '😀',
  '\0',
];

describe('any text', () => {
  it('of words at random', () => {
    const random = createRandom(1);
    for (let round = 0; round < 3000; round++) {
      checkText(
        Array.from({ length: 1 + random(30) }, () => words[random(words.length)]!).join(random(3) === 0 ? '' : ' '),
      );
    }
  });

  it('of characters at random', () => {
    const random = createRandom(2);
    for (let round = 0; round < 500; round++) {
      checkText(
        String.fromCharCode(
          ...Array.from({ length: random(200) }, () => (random(4) === 0 ? random(0x10000) : random(0x80))),
        ),
      );
    }
  });

  it('that ends too soon', () => {
    const random = createRandom(3);
    for (const text of scripts)
      for (let round = 0; round < 12; round++) checkText(text.slice(0, random(text.length + 1)));
  });

  it('with a piece taken out, put in or doubled', () => {
    const random = createRandom(4);
    for (const text of scripts) {
      for (let round = 0; round < 12; round++) {
        const at = random(text.length + 1);
        const to = Math.min(text.length, at + random(20));
        const piece = [words[random(words.length)]!, '', text.slice(at, to).repeat(2)][random(3)]!;
        checkText(text.slice(0, at) + piece + text.slice(to));
      }
    }
  });
});

describe('a text without a fault', () => {
  it('has statements that are texts without a fault', () => {
    let looked = 0;
    for (const text of scripts) {
      const { file, diagnostics } = checkText(text);
      if (diagnostics.length > 0) continue;
      for (const { span, kind } of file.items) {
        const piece = text.replace(/^\ufeff/, '').slice(span.start, span.end);
        const again = checkText(piece);
        expect(again.diagnostics, piece).toEqual([]);
        expect(again.file.items.map((item) => item.kind)).toEqual([kind]);
        looked++;
      }
    }
    expect(looked).toBeGreaterThan(50);
  });
});
