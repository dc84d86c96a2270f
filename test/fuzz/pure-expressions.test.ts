// What effectsOf calls free of effects may be done twice, in front of a loop, or not at all: random programs answer
// just the same then, before the passes and behind them.

import { describe, expect, it } from 'vitest';
import { findDifference, programs } from './programs.ts';
import { disturbPure } from './pure-expressions.ts';
import { settings } from './compiled.ts';
import type { Setting } from './compiled.ts';
import type { MirProgram } from '../../src/mir/program.ts';

const named = (name: string): Setting => settings.find((setting) => setting.name === name)!;
const bases = ['Mir optimised', 'Mir optimised, with guards', 'without optimisation'].map(named);

/** A setting of the compiler with the pass in front of all others or behind them. */
function settingOf(seed: number): Setting {
  const base = bases[seed % bases.length]!;
  const disturb = (program: MirProgram): MirProgram => disturbPure(program, seed);
  return seed % 2 === 0 ? { ...base, first: disturb } : { ...base, last: disturb };
}

describe('expressions without effects', () => {
  it.each([1, 13, 25, 37])('may be done again, earlier or not at all: from seed %i', async (from) => {
    for (let seed = from; seed < from + 12; seed++)
      expect(await findDifference(seed, programs, [settingOf(seed)])).toBeNull();
  });
});
