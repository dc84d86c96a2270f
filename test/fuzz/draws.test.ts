// The generator of programs hands every kind of place to every parameter of the library, and stores into what comes
// back. `npm run attacks` counts in 20,000 programs that each was drawn 100 times; here it is a fifth of them, and less
// of each, for speed.

import { expect, it } from 'vitest';
import { seldomDrawn, wantedDraws } from './draws.ts';
import { drawnRows } from './generator/library-calls.ts';
import { library } from './reference/library.ts';

it('knows what each row does', () => {
  expect(drawnRows.map(({ id }) => id).filter((id) => !library.has(id))).toEqual([]);
});

it('draws each parameter from each kind of place, and stores into each result', () => {
  expect(wantedDraws.length).toBeGreaterThan(1200);
  expect(seldomDrawn(4000, 10)).toEqual([]);
}, 120_000);
