// Many edits of all examples and of a sample of the conformance cases.

import { describe, expect, it } from 'vitest';
import { cases, examples } from './damage.ts';
import { faultOfEdits, faultOfTyping } from './edits.ts';

const scripts = [...examples, ...cases];

describe('a parse that takes items over is the same as one that does not', () => {
  it.each(scripts)('%s, edited', (_path, text) => {
    for (let seed = 1; seed <= 4; seed++) expect(faultOfEdits(text, 100, seed), `seed ${seed}`).toBeNull();
  });
  it.each(scripts)('%s, typed into', (_path, text) => {
    for (let seed = 0; seed < 5; seed++) expect(faultOfTyping(text, seed), `seed ${seed}`).toBeNull();
  });
});
