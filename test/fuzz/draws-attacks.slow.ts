// Each parameter of each function of the library is drawn from each kind of place at least 100 times in 20,000
// programs.

import { expect, it } from 'vitest';
import { seldomDrawn } from './draws.ts';

it('draws each parameter from each kind of place, and stores into each result', () => {
  expect(seldomDrawn(20_000, 100)).toEqual([]);
}, 600_000);
