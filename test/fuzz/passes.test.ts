// The pass that breaks a program is found, whichever it is and whatever others are left out.

import { describe, expect, it } from 'vitest';
import { passes } from '../../src/4-optimise/passes.ts';
import type { compareProgram } from './compare.ts';
import { settings } from './compiled.ts';
import { findBreakingPass, withSomePasses } from './passes.ts';

const optional = passes.filter(({ isRequired }) => !isRequired).map(({ name }) => name);
const setting = settings.find(({ asLowered }) => asLowered !== true)!;
const difference = { kind: 'different', part: 'yield', expected: '1', found: '2' } as const;

/** As if a program went wrong wherever a pass runs. */
const wrongBy =
  (broken: string | null): typeof compareProgram =>
  async (_text, by) => {
    const [one] = by!;
    return broken === null || !one!.without!.has(broken) ? { ...difference, setting: one! } : { kind: 'same' };
  };

describe('the pass that breaks a program', () => {
  it.each(optional)('is found: %s', async (name) => {
    expect(await findBreakingPass('', { ...difference, setting }, wrongBy(name))).toContain(`the pass ${name}:`);
  });

  it('is found among those that are left', async () => {
    const without = new Set(optional.filter((_, at) => at % 2 === 0));
    const broken = optional[1]!;
    const found = await findBreakingPass('', { ...difference, setting: { ...setting, without } }, wrongBy(broken));
    expect(found).toContain(`the pass ${broken}:`);
  });

  it('is none where lowering or emitting is wrong', async () => {
    expect(await findBreakingPass('', { ...difference, setting }, wrongBy(null))).toBe(
      'wrong without any optional pass',
    );
  });
});

describe('sets of passes', () => {
  it('are the same for the same seed, and each pass is left out by some', () => {
    const sets = Array.from({ length: 60 }, (_, seed) => [...(withSomePasses(setting, seed).without ?? [])]);
    expect(sets).toEqual(Array.from({ length: 60 }, (_, seed) => [...(withSomePasses(setting, seed).without ?? [])]));
    expect(new Set(sets.flat())).toEqual(new Set(optional));
    expect(sets.filter((names) => names.length === 0).length).toBeGreaterThanOrEqual(30);
  });
});
