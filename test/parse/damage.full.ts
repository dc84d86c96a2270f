// Each example cut at any character and without any one token, and a sample of the conformance cases.

import { describe, expect, it } from 'vitest';
import { cases, examples, faultOfCut, faultOfLoss, hoverFaultOfCut, hoverFaultOfLoss } from './damage.ts';
import { parseText } from './parsed.ts';

const perTest = 300;
/** Hovers are asked for at every so many places. */
const hoverStep = 25;

describe.each(examples)('what a mistake is not in stays what it was: %s', (_path, text) => {
  it.each(ranges(parseText(text).file.tokens.length))('without one of the tokens from %d on', (first, end) => {
    for (let at = first; at < end; at++) expect(faultOfLoss(text, at), `without token ${at}`).toBeNull();
  });
  it.each(ranges(text.length))('cut at one of the characters from %d on', (first, end) => {
    for (let at = first; at < end; at++) expect(faultOfCut(text, at), `cut at ${at}`).toBeNull();
  });
  it('in hovers without a token', () => {
    const count = parseText(text).file.tokens.length;
    for (let at = 0; at < count; at += hoverStep) expect(hoverFaultOfLoss(text, at), `without token ${at}`).toBeNull();
  });
  it('in hovers of what is cut', () => {
    for (let end = 0; end < text.length; end += hoverStep)
      expect(hoverFaultOfCut(text, end), `cut at ${end}`).toBeNull();
  });
});

describe('what a mistake is not in stays what it was', () => {
  const step = 11;
  it.each(cases)('%s', (_path, text) => {
    const count = parseText(text).file.tokens.length;
    for (let at = 0; at < count; at += step) expect(faultOfLoss(text, at), `without token ${at}`).toBeNull();
    for (let end = 0; end < text.length; end += step) expect(faultOfCut(text, end), `cut at ${end}`).toBeNull();
  });
});

/** Few enough positions for one test. */
function ranges(count: number): readonly (readonly [first: number, end: number])[] {
  const firsts = Array.from({ length: Math.ceil(count / perTest) }, (_, at) => at * perTest);
  return firsts.map((first) => [first, Math.min(first + perTest, count)]);
}
