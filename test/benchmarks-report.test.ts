// What the benchmark suite makes of its times: the quotients, the verdicts on the goals, and a report in which all of
// it stands and which needs nothing from elsewhere.

import { expect, it } from 'vitest';
import { makeReport } from '../benchmarks/reporting/content.ts';
import { writeMarkdown } from '../benchmarks/reporting/markdown.ts';
import { writePage } from '../benchmarks/reporting/page.ts';
import { findMisses, nameOf, reasonOf, reasons } from '../benchmarks/reporting/reasons.ts';
import { logScale } from '../benchmarks/reporting/scale.ts';
import { comparisons } from '../benchmarks/suite/comparisons.ts';
import { makeFigures, misses, pickTime, writeFigures } from '../benchmarks/suite/figures.ts';
import { readResults } from '../benchmarks/suite/results.ts';
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
    kernel('poly-lu', {
      sluice: times(130, 90, 100, 110),
      'gcc-scalar': times(90, 80),
      'clang-scalar': times(90, 100),
      javascript: times(150, 400),
      'javascript-node24': times(500, 200),
    }),
    kernel(
      'quicksort',
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
    { kernel: 'poly-lu', ratio: 1.5 },
    { kernel: 'quicksort', ratio: 0.9 },
  ]);
});

it('judges the mean and each kernel of a group', () => {
  expect(figure('scalar-c')!.means).toEqual({ polybench: 1.25, rest: 2, all: expect.closeTo(Math.sqrt(1.25 * 2)) });
  expect(figure('scalar-c')!.verdicts).toEqual([
    { group: 'polybench', of: 'mean', goal: 'at most 0.60', found: '1.25', holds: false },
    { group: 'polybench', of: 'each', goal: 'each at most 1.30', found: 'all 1', holds: true },
    { group: 'rest', of: 'mean', goal: 'at most 1.15', found: '2.00', holds: false },
  ]);
  expect(figure('first-run')!.verdicts).toEqual([
    { group: 'all', of: 'mean', goal: 'at most 1.15', found: '1.14', holds: true },
  ]);
  expect(figure('javascript')!.verdicts.at(-1)).toEqual({
    group: 'rest',
    of: 'each',
    goal: 'each at least 1.00, but json, json-records, json-trees',
    found: 'quicksort 0.90',
    holds: false,
  });
});

it('holds an exception to no bound', () => {
  const comparison = comparisons.find(({ id }) => id === 'javascript');
  expect(misses(comparison!, 'csv', 0.9)).toBe(true);
  expect(misses(comparison!, 'json', 0.9)).toBe(false);
  expect(misses(comparison!, 'poly-lu', 0.9)).toBe(false);
});

it('writes the figures as lines', () => {
  expect(writeFigures([figure('scalar-c')!])).toEqual([
    'Scalar C                         PolyBench 1.25, the rest 2.00, all 1.58',
    '  goal for PolyBench: at most 0.60, missed: 1.25',
    '  goal for PolyBench: each at most 1.30, met',
    '  goal for the rest: at most 1.15, missed: 2.00',
  ]);
});

it('finds what misses a goal, means first, and its reason', () => {
  const found = findMisses([figure('scalar-c')!, figure('javascript')!]);
  expect(found.map((miss) => [miss.figure.comparison.id, nameOf(miss)])).toEqual([
    ['scalar-c', 'polybench'],
    ['scalar-c', 'rest'],
    ['javascript', 'polybench'],
    ['javascript', 'rest'],
    ['javascript', 'quicksort'],
  ]);
  const why = { comparison: 'javascript', of: ['quicksort'], why: 'of calls' };
  expect(found.map((miss) => reasonOf(miss, [why]))).toEqual([null, null, null, null, 'of calls']);
});

it('has a reason for each goal that was missed last, and for no other', () => {
  const missed = findMisses(makeFigures(readResults()));
  expect(missed.filter((miss) => reasonOf(miss) === null).map(nameOf)).toEqual([]);
  const stale = reasons.flatMap(({ comparison, of }) =>
    of
      .filter((name) => !missed.some((miss) => miss.figure.comparison.id === comparison && nameOf(miss) === name))
      .map((name) => `${comparison} ${name}`),
  );
  expect(stale).toEqual([]);
});

it('leaves out what nobody measured', () => {
  expect(figure('wasm-c')).toBeUndefined();
});

it('writes tables with every kernel, goal and failure', () => {
  const text = writeMarkdown(makeReport(results));
  expect(text).toContain('2 kernels, measured on 31 January 2026 on A & B, 2 cores');
  expect(text).toContain('| Scalar C | PolyBench | 1.25 | at most 0.60 | missed |');
  expect(text).toContain('| poly-lu | 100 | 80.0 | 150 | 130 | 150 |');
  expect(text).toContain('| poly-lu | a <kind> of work | 100 |');
  expect(text).toContain('| geometric mean, PolyBench | 1.25 |');
  expect(text).toContain('| quicksort | wat | computed 1 where others computed 42 |');
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
