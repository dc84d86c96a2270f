// Refactorings keep what a program does: all that is offered anywhere in examples, and much of it in the cases of
// conformance and in many random programs.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { programs } from '../fuzz/programs.ts';
import { textOf } from '../fuzz/random-text.ts';
import { exampleTexts } from './examples.ts';
import { diceOf, tryRefactorings } from './refactored.ts';

describe.each(Object.keys(exampleTexts))('%s', (path) => {
  it('does the same after each of them', () => {
    expect(tryRefactorings(path, exampleTexts, null).faults).toEqual([]);
  });
});

const cases = join(import.meta.dirname, '../conformance');
// The reference interpreter has variables of its own.
const topics = readdirSync(cases).filter((name) => !name.includes('.') && name !== 'environment');

describe.each(topics)('the cases of %s', (topic) => {
  it('do the same after each of them', () => {
    const names = readdirSync(join(cases, topic), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.slu'),
    );
    const texts = Object.fromEntries(
      names.map((name) => [name.replaceAll('\\', '/'), readFileSync(join(cases, topic, name), 'utf8')]),
    );
    for (const name of Object.keys(texts)) expect(tryRefactorings(name, texts, diceOf(1), 40).faults, name).toEqual([]);
  });
});

const perTest = 10;

describe.each(Array.from({ length: 20 }, (_, at) => at * perTest))('the random programs from %d on', (first) => {
  it('do the same after many of them', () => {
    for (let seed = first; seed < first + perTest; seed++) {
      const texts = { 'main.slu': textOf(programs, seed) };
      expect(tryRefactorings('main.slu', texts, diceOf(seed), 60).faults, `seed ${seed}`).toEqual([]);
    }
  });
});
