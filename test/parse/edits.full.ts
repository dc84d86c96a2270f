// Many edits of all examples and of a sample of the conformance cases.

import { describe, expect, it } from 'vitest';
import { cases, examples } from './damage.ts';
import { faultOfEdits, faultOfTyping } from './edits.ts';

const scripts = [...examples, ...cases];

describe('a parse that takes items over is the same as one that does not', () => {
  it.each(scripts)('%s, edited', (_path, text) => {
    for (let seed = 1; seed <= 2; seed++) expect(faultOfEdits(text, 40, seed), `seed ${seed}`).toBeNull();
  });
  it.each(scripts)('%s, typed into', (_path, text) => {
    expect(faultOfTyping(text, text.length)).toBeNull();
  });
});
