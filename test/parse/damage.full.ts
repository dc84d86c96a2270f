// Each example cut at any character and without any one token, and a sample of the conformance cases.

import { describe, expect, it } from 'vitest';
import { cases, examples, faultOfCut, faultOfLoss } from './damage.ts';
import { parseText } from './parsed.ts';

/** Every how many-th token and character is looked at. */
function testDamage(text: string, step: number): void {
  const count = parseText(text).file.tokens.length;
  for (let at = 0; at < count; at += step) expect(faultOfLoss(text, at), `without token ${at}`).toBeNull();
  for (let end = 0; end < text.length; end += step) expect(faultOfCut(text, end), `cut at ${end}`).toBeNull();
}

describe('what a mistake is not in stays what it was', () => {
  it.each(examples)('%s', (_path, text) => testDamage(text, 1));
  it.each(cases)('%s', (_path, text) => testDamage(text, 11));
});
