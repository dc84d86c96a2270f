// The generator of programs hands every kind of place to every parameter of the library, and stores into what comes back. `npm run
// attacks` counts in 20,000 programs that each was drawn 100 times; here it is a fifth of them, and less of each, for speed.

import { expect, it } from 'vitest';
import { builtInLibraries } from '../../src/library/registry.ts';
import { seldomDrawn, wantedDraws } from './draws.ts';
import { drawnRows } from './generator/library-calls.ts';
import { library } from './reference/library.ts';

const callable = builtInLibraries.filter(({ preludeOnly }) => !preludeOnly).flatMap(({ functions }) => functions);

it('draws every row of the registry that has one right answer', () => {
  const left = callable.filter((row) => !drawnRows.includes(row)).map(({ id }) => id);
  expect(left.filter((id) => !/^(?:File|Http|Env)\./.test(id))).toEqual(['Math.random']);
});

it('knows what each row does', () => {
  expect(drawnRows.map(({ id }) => id).filter((id) => !library.has(id))).toEqual([]);
});

it('draws each parameter from each kind of place, and stores into each result', () => {
  expect(wantedDraws.length).toBeGreaterThan(1200);
  expect(seldomDrawn(4000, 10)).toEqual([]);
}, 120_000);
