// What is made of the counters: a table, and a file for speedscope.

import { describe, expect, it } from 'vitest';
import { createSourceFile } from '../../src/source.ts';
import { plainStyle } from '../../src/diagnostics/render.ts';
import type { Charge, ChargedFunction } from '../../src/profile/charges.ts';
import { fuelProfile } from '../../src/profile/fuel.ts';
import { Samples, unitsPerSample } from '../../src/profile/samples.ts';
import { speedscopeFile } from '../../src/profile/speedscope.ts';
import { fuelTable } from '../../src/profile/table.ts';

const file = createSourceFile('a.slu', 'f\ng\n\n\n\n');
const at = (line: number) => ({ file, start: file.lineStarts[line - 1]!, end: file.text.length });
const f: ChargedFunction = { name: 'f', span: at(1) };
const g: ChargedFunction = { name: 'g', span: at(2) };
const charges: readonly Charge[] = [
  { kind: 'before' },
  { kind: 'call', function: f, span: at(1) },
  { kind: 'call', function: g, span: at(2) },
  { kind: 'loop', function: g, span: at(3) },
  { kind: 'library', function: g, span: at(4) },
  { kind: 'loop', function: g, span: at(5) },
];
const profile = fuelProfile(charges, [0n, 2n, 1n, 1000n, 1500n, 0n], 2503n);

describe('a profile', () => {
  it('has what was used by function, and by its loops and lines', () => {
    expect(profile).toEqual({
      total: 2503n,
      functions: [
        {
          name: 'g',
          file: 'a.slu',
          line: 2,
          units: 2501n,
          calls: 1n,
          parts: [
            { kind: 'library', line: 4, units: 1500n },
            { kind: 'loop', line: 3, units: 1000n },
          ],
        },
        { name: 'f', file: 'a.slu', line: 1, units: 2n, calls: 2n, parts: [] },
      ],
    });
  });

  it('of nothing is empty', () => {
    expect(fuelProfile(charges, [], 0n)).toEqual({ total: 0n, functions: [] });
  });

  it('is a table for people', () => {
    expect(fuelTable(profile, plainStyle)).toEqual([
      ' fuel    share  function',
      '2,501   99.9 %  g a.slu:2, 1 call',
      '1,500   59.9 %    library in line 4',
      '1,000   40.0 %    loop in line 3',
      '    2    0.1 %  f a.slu:1, 2 calls',
      '2,503           in all',
    ]);
  });

  it('shows no more than helps', () => {
    const many = Array.from({ length: 30 }, (_, line): Charge => {
      const fn = { name: `f${line}`, span: { file, start: 0, end: 0 } };
      return { kind: 'call', function: fn, span: fn.span };
    });
    const table = fuelTable(
      fuelProfile(
        many,
        many.map(() => 1n),
        30n,
      ),
      plainStyle,
    );
    expect(table).toHaveLength(23);
    expect(table.at(-2)).toContain('and 10 more');
  });
});

describe('the file for speedscope', () => {
  interface File {
    readonly shared: { readonly frames: readonly { readonly name: string }[] };
    readonly profiles: readonly {
      readonly type: string;
      readonly unit: string;
      readonly startValue: number;
      readonly endValue: number;
      readonly samples: readonly (readonly number[])[];
      readonly weights: readonly number[];
    }[];
  }
  const stack = [
    { function: 'f', file: 'a.slu' },
    { function: 'g', file: 'a.slu' },
  ];
  const made = JSON.parse(speedscopeFile('a.slu', profile, [{ stack, units: 997 }], 'sluice@1')) as File;

  it('has stacks from the outermost function, and what no stack was taken for', () => {
    const { frames } = made.shared;
    const [sampled] = made.profiles;
    expect(sampled!.samples.map((one) => one.map((frame) => frames[frame]!.name))).toEqual([['g', 'f'], []]);
    expect(sampled!.weights).toEqual([997, 1506]);
  });

  it('has what is exact', () => {
    const { frames } = made.shared;
    const exact = made.profiles[1]!;
    expect(exact.samples.map((one, at) => [...one.map((frame) => frames[frame]!.name), exact.weights[at]])).toEqual([
      ['g', 1],
      ['g', 'g: library in line 4', 1500],
      ['g', 'g: loop in line 3', 1000],
      ['f', 2],
    ]);
  });

  it('adds up', () => {
    for (const { type, unit, startValue, endValue, weights, samples } of made.profiles) {
      expect({ type, unit, startValue, endValue }).toEqual({
        type: 'sampled',
        unit: 'none',
        startValue: 0,
        endValue: 2503,
      });
      expect(weights.reduce((sum, weight) => sum + weight, 0)).toBe(2503);
      expect(weights).toHaveLength(samples.length);
    }
  });
});

describe('samples', () => {
  it('are taken less often once there are many, and lose no unit', () => {
    const samples = new Samples<number>();
    let taken = 0;
    for (let poll = 0; poll < 60_000; poll++) samples.add(unitsPerSample, () => taken++);
    expect(samples.list.length).toBe(taken);
    expect(taken).toBeGreaterThan(20_000);
    expect(taken).toBeLessThan(40_000);
    const units = samples.list.reduce((sum, sample) => sum + sample.units, 0);
    expect(60_000 * unitsPerSample - units).toBeLessThan(8 * unitsPerSample);
  });
});
