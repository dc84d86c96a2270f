// Many edits of a program.

import { expect, it } from 'vitest';
import { faultOfProgramEdits } from './edits.ts';

it.each(Array.from({ length: 40 }, (_, at) => at + 100))('edits %d', (seed) =>
  expect(faultOfProgramEdits(80, seed)).toBeNull(),
);
