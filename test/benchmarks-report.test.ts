// What the benchmark suite makes of its times: the quotients, the verdicts on the goals, and a report in which all of
// it stands and which needs nothing from elsewhere.

import { expect, it } from 'vitest';
import { makeReport } from '../benchmarks/reporting/content.ts';
import { writeMarkdown } from '../benchmarks/reporting/markdown.ts';
import { writePage } from '../benchmarks/reporting/page.ts';
import { logScale } from '../benchmarks/reporting/scale.ts';
import { makeFigures, pickTime } from '../benchmarks/suite/figures.ts';
import type { KernelResult, Results, Times } from '../benchmarks/suite/results.ts';

const times = (first: number, ...steady: number[]): Times => ({ first: [first + 1, first, first - 1], steady });

const kernel = (
  name: string,
  measured: Readonly<Record<string, Times>>,
  failed: Readonly<Record<string, string>> = {},
): KernelResult => ({
  name,
  about: 'a <kind> of work',
  n: 100,
  result: 42,
  times: measured,
  failures: failed,
});

const results: Results = {
  date: '2026-01-31T12:00:00.000Z',
  machine: { processor: 'A & B', cores: 2, memory: '8 GiB', system: 'Linux' },
  settings: { processes: 3, warmUp: 2, repetitions: 1 },
  competitors: [{ id: 'sluice', title: 'Sluice', version: '1', flags: '' }],
  kernels: [
    kernel('even', {
      sluice: times(130, 90, 100, 110),
      'gcc-scalar': times(90, 80),
      'clang-scalar': times(90, 100),
      javascript: times(150, 400),
      'javascript-node24': times(500, 200),
    }),
    kernel(
      'odd',
      { sluice: times(100, 100), 'gcc-scalar': times(60, 50), javascript: times(95, 90) },
      { wat: 'computed 1 where others computed 42\nand more' },
    ),
  ],
};

const figure = (id: string) => makeFigures(results).find(({ comparison }) => comparison.id === id);

it('takes medians, and the better of the competitors', () => {
  expect(pickTime(results.kernels[0]!.times, { of: ['sluice'], time: 'steady' })).toBe(100);
  expect(pickTime(results.kernels[0]!.times, { of: ['gcc-scalar', 'clang-scalar'], time: 'steady' })).toBe(80);
  expect(pickTime(results.kernels[0]!.times, { of: ['sluice'], time: 'first' })).toBe(130);
  expect(pickTime(results.kernels[0]!.times, { of: ['wat'], time: 'steady' })).toBeNull();
});

it('counts the first run of JavaScript where it is the best one', () => {
  expect(figure('javascript')!.ratios).toEqual([
    { kernel: 'even', ratio: 1.5 },
    { kernel: 'odd', ratio: 0.9 },
  ]);
});

it('judges the mean and each kernel', () => {
  expect(figure('scalar-c')!.mean).toBeCloseTo(Math.sqrt(1.25 * 2));
  expect(figure('scalar-c')!.verdicts).toEqual([{ goal: 'at most 1.25', found: '1.58', holds: false }]);
  expect(figure('first-run')!.verdicts).toEqual([{ goal: 'at most 1.20', found: '1.14', holds: true }]);
  expect(figure('javascript')!.verdicts[1]).toEqual({ goal: 'each at least 0.95', found: 'odd 0.90', holds: false });
});

it('leaves out what nobody measured', () => {
  expect(figure('wasm-c')).toBeUndefined();
});

it('writes tables with every kernel, goal and failure', () => {
  const text = writeMarkdown(makeReport(results));
  expect(text).toContain('2 kernels, measured on 31 January 2026 on A & B, 2 cores');
  expect(text).toContain('| Scalar C | 1.58 | at most 1.25 | missed |');
  expect(text).toContain('| even | 100 | 80.0 | 150 | 130 | 150 |');
  expect(text).toContain('| even | a <kind> of work | 100 |');
  expect(text).toContain('| odd | wat | computed 1 where others computed 42 |');
});

it('writes a page that needs nothing else', () => {
  const page = writePage(makeReport(results));
  expect(page).not.toMatch(/<script|<link|<img|@import|url\(|src=|href="[^#]/);
  expect(page).not.toMatch(/NaN|undefined|null/);
  expect(page).toContain('a &lt;kind&gt; of work');
  expect(page).toContain('A &amp; B');
  // The overview, and those of JavaScript, scalar C and the first run.
  expect(page.match(/<svg role="img"/g)).toHaveLength(4);
  expect(page.match(/<svg role="img"[^>]*><title>[^<]+<\/title><desc>[^<]+<\/desc>/g)).toHaveLength(4);
});

it('puts twice and half at the same distance from one', () => {
  const { place, ticks } = logScale([0.5, 2], [100, 500]);
  expect(place(2) - place(1)).toBeCloseTo(place(1) - place(0.5), 0);
  expect(ticks).toContain(1);
  expect(place(0.5)).toBeGreaterThan(100);
  expect(place(2)).toBeLessThan(500);
});
