// The fuzzer goes on where a program has no end, and says which one it was.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { Watched } from './watched.ts';

let watched: Watched;
beforeEach(() => {
  watched = new Watched(new URL('endless-seeds.ts', import.meta.url), [], { search: 2000, reduction: 500 });
});
afterEach(() => watched.end());

it('works on one seed after another', async () => {
  expect(await watched.run(1)).toEqual({ kind: 'done', differences: [], texts: 1 });
  expect(await watched.run(5)).toEqual({ kind: 'done', differences: ['seed 5: another'], texts: 1 });
});

it('gives a seed up that has no end, and goes on with the next', async () => {
  expect(await watched.run(2)).toEqual({ differences: ['seed 2: no end within 2 s'], texts: 0 });
  expect(await watched.run(1)).toMatchObject({ differences: [] });
});

it('says what was found of a seed that has no end afterwards', async () => {
  const { differences } = await watched.run(3);
  expect(differences).toEqual([
    expect.stringMatching(/^seed 3: a difference\n\(a smaller program .* was not found\)$/),
  ]);
  expect(await watched.run(1)).toMatchObject({ differences: [] });
});

it('is an error where the process ends by itself', async () => {
  await expect(watched.run(4)).rejects.toThrow('the process of seed 4 ended with 7');
});
