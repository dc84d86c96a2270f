// Formatting held to what is always so, on programs that the fuzzer's generator draws. A seed names a program.

import { drawAny } from '../fuzz/programs.ts';
import { RandomText, textOf } from '../fuzz/random-text.ts';
import { formatWell } from './checks.ts';
import { checkRanges } from './range-checks.ts';
import { damaged, withRandomGaps } from './random-gaps.ts';

const between = '\0';

/** A program as it is drawn, with random gaps and comments, and with a mistake besides. */
const forms = new RandomText<never>(
  (dice) => {
    const { text } = drawAny(dice);
    const gaps = withRandomGaps(text, dice);
    return [text, gaps, damaged(gaps, dice)].join(between);
  },
  () => [],
);

/** Formats the forms of each seed from one up to another, and a range of those of each so many seeds. */
export function formatGenerated(from: number, to: number, rangesEach = Infinity): void {
  for (let seed = from; seed < to; seed++)
    for (const form of textOf(forms, seed).split(between)) {
      try {
        formatWell(form);
        if (seed % rangesEach === 0) checkRanges('it', form, 1);
      } catch (fault) {
        throw new Error(`a program of seed ${seed}:\n${form}\n${String(fault)}`, { cause: fault });
      }
    }
}
