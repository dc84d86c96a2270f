// Each fault that fuzzing is to find can still be put into the sources. Whether it is found says `npm run
// fuzz:mutants`.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { passes } from '../../../src/4-optimise/passes.ts';
import { mutants } from './mutants.ts';

it.each(mutants)('$name', ({ file, from, to }) => {
  const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
  expect(text.split(from).length - 1, `how often ${file} holds what is replaced`).toBe(1);
  expect(to).not.toBe(from);
});

it.each(passes.map(({ name }) => name))('are there for the pass %s', (pass) => {
  const names = mutants.map(({ name }) => name.slice(0, name.indexOf(':')).replaceAll(' ', '-'));
  expect(names).toContain(pass);
});

it('have names of their own', () => {
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
});
