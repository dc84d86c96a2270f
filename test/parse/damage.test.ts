// Some mistakes in some scripts. All of them: damage.full.ts.

import { describe, expect, it } from 'vitest';
import { examples, faultOfCut, faultOfLoss, hoverFaultOfCut, hoverFaultOfLoss } from './damage.ts';
import { parseText } from './parsed.ts';

const each = 4;

describe('what a mistake is not in stays what it was', () => {
  it.each(examples)('%s', (_path, text) => {
    const count = parseText(text).file.tokens.length;
    for (let at = 0; at < each; at++) {
      const token = Math.floor((count * (at + 0.5)) / each);
      expect(faultOfLoss(text, token), `without token ${token}`).toBeNull();
      expect(hoverFaultOfLoss(text, token), `hover without token ${token}`).toBeNull();
      const end = Math.floor((text.length * (at + 0.5)) / each);
      expect(faultOfCut(text, end), `cut at ${end}`).toBeNull();
      expect(hoverFaultOfCut(text, end), `hover when cut at ${end}`).toBeNull();
    }
  });
});
