// The comparisons that are drawn from the times, as one table: what is divided by what, and the goal that is set for
// the quotient.

import type { Group } from './kernels.ts';
import type { Times } from './results.ts';

/** A time of a kernel: the least that any of these competitors has. */
export interface TimePick {
  readonly of: readonly string[];
  /** The median of the first runs or of later ones; `best` is the lower of the two. */
  readonly time: 'first' | 'steady' | 'best';
}

/** Bounds for the quotient over a group of kernels: of the geometric mean, and of each kernel. */
export interface Goal {
  readonly group: Group;
  readonly mean?: Bound;
  readonly each?: Bound;
  /** Kernels that the bound of each is not for. */
  readonly exceptions?: readonly string[];
}

export type Bound = { readonly atMost: number } | { readonly atLeast: number };

export interface Comparison {
  readonly id: string;
  readonly title: string;
  /** What the figure says, for a reader who knows nothing else. */
  readonly meaning: string;
  readonly dividend: TimePick;
  readonly divisor: TimePick;
  readonly goals: readonly Goal[];
}

/** Sluice's time, which most comparisons are about. */
const ours: TimePick = { of: ['sluice'], time: 'steady' };
const scalarC = ['gcc-scalar', 'clang-scalar'];
const vectorC = ['gcc', 'clang'];
const javascript = ['javascript', 'javascript-node24', 'javascript-flat', 'javascript-flat-node24'];
/** Sluice on every engine. */
const engines: readonly (readonly [id: string, title: string])[] = [
  ['sluice', 'Node 26'],
  ['sluice-node24', 'Node 24'],
  ['sluice-chromium', 'Chromium'],
  ['sluice-firefox', 'Firefox'],
];

/** What is drawn beside Sluice in the chart of each kernel. */
export const opponents: readonly { readonly title: string; readonly pick: TimePick }[] = [
  { title: 'Sluice', pick: ours },
  { title: 'C, scalar', pick: { of: scalarC, time: 'steady' } },
  { title: 'C, vectorised', pick: { of: vectorC, time: 'steady' } },
  { title: 'C as wasm', pick: { of: ['wasm-c'], time: 'steady' } },
  { title: 'C as wasm, SIMD', pick: { of: ['wasm-c-simd'], time: 'steady' } },
  { title: 'AssemblyScript', pick: { of: ['assemblyscript'], time: 'steady' } },
  { title: 'wasm by hand', pick: { of: ['wat'], time: 'steady' } },
  { title: 'JavaScript', pick: { of: javascript, time: 'best' } },
];

export const comparisons: readonly Comparison[] = [
  {
    id: 'scalar-c',
    title: 'Scalar C',
    meaning: 'Sluice’s steady time divided by that of the better of gcc and clang, both native without vectorisation',
    dividend: ours,
    divisor: { of: scalarC, time: 'steady' },
    goals: [
      { group: 'polybench', mean: { atMost: 0.6 }, each: { atMost: 1.3 } },
      { group: 'rest', mean: { atMost: 1.15 } },
    ],
  },
  {
    id: 'vector-c',
    title: 'Vectorised C',
    meaning:
      'Sluice’s steady time divided by that of the better of gcc and clang, both native with all that the ' +
      'processor has',
    dividend: ours,
    divisor: { of: vectorC, time: 'steady' },
    goals: [
      { group: 'polybench', mean: { atMost: 0.85 } },
      { group: 'rest', mean: { atMost: 1.8 } },
    ],
  },
  {
    id: 'wasm-c',
    title: 'C as wasm',
    meaning: 'Sluice’s steady time divided by that of the same C, compiled to wasm without SIMD, on the same Node',
    dividend: ours,
    divisor: { of: ['wasm-c'], time: 'steady' },
    goals: [{ group: 'rest', mean: { atMost: 1.1 } }],
  },
  {
    id: 'wasm-c-simd',
    title: 'C as wasm, SIMD',
    meaning: 'Sluice’s steady time divided by that of the same C, compiled to wasm with SIMD, on the same Node',
    dividend: ours,
    divisor: { of: ['wasm-c-simd'], time: 'steady' },
    goals: [],
  },
  {
    id: 'assemblyscript',
    title: 'AssemblyScript',
    meaning: 'Sluice’s steady time divided by AssemblyScript’s',
    dividend: ours,
    divisor: { of: ['assemblyscript'], time: 'steady' },
    goals: [],
  },
  {
    id: 'wat',
    title: 'wasm by hand',
    meaning: 'Sluice’s steady time divided by that of WebAssembly text written by hand in linear memory',
    dividend: ours,
    divisor: { of: ['wat'], time: 'steady' },
    goals: [],
  },
  {
    id: 'javascript',
    title: 'JavaScript',
    meaning:
      'JavaScript’s time divided by Sluice’s steady time: the best that JavaScript reaches in any form, first run ' +
      'or steady, on either Node',
    dividend: { of: javascript, time: 'best' },
    divisor: ours,
    goals: [
      { group: 'polybench', mean: { atLeast: 4 } },
      {
        group: 'rest',
        mean: { atLeast: 1.45 },
        each: { atLeast: 1 },
        exceptions: ['json', 'json-records', 'json-trees'],
      },
    ],
  },
  {
    id: 'javascript-same-node',
    title: 'JavaScript, same Node',
    meaning: 'JavaScript’s time divided by Sluice’s steady time, both on the Node that runs the suite',
    dividend: { of: ['javascript', 'javascript-flat'], time: 'best' },
    divisor: ours,
    goals: [],
  },
  ...engines.map(([id, title]) => ({
    id: `engine-${id}`,
    title,
    meaning: `Sluice’s steady time on ${title} divided by that on the engine that is the quickest`,
    dividend: { of: [id], time: 'steady' } as const,
    divisor: { of: engines.map(([engine]) => engine), time: 'steady' } as const,
    goals: [{ group: 'all' as const, each: { atMost: 1.5 } }],
  })),
  {
    id: 'first-run',
    title: 'First run',
    meaning: 'Sluice’s first run in a fresh process divided by its steady time',
    dividend: { of: ['sluice'], time: 'first' },
    divisor: ours,
    goals: [{ group: 'all', mean: { atMost: 1.15 } }],
  },
  {
    id: 'limits',
    title: 'Limits',
    meaning:
      'Sluice’s steady time with guards compiled in and limits of fuel, time, memory, depth and output set, ' +
      'divided by that without either',
    dividend: { of: ['sluice-limits'], time: 'steady' },
    divisor: ours,
    goals: [
      { group: 'all', mean: { atMost: 1.04 } },
      { group: 'recursive', each: { atMost: 1.1 } },
    ],
  },
  {
    id: 'javascript-first-run',
    title: 'JavaScript’s first run',
    meaning: 'JavaScript’s first run in a fresh process, on the better Node, divided by Sluice’s first run',
    dividend: { of: javascript, time: 'first' },
    divisor: { of: ['sluice'], time: 'first' },
    goals: [],
  },
  {
    id: 'first-run-chromium',
    title: 'First run, Chromium',
    meaning: 'Sluice’s first run in a fresh browser divided by its steady time there',
    dividend: { of: ['sluice-chromium'], time: 'first' },
    divisor: { of: ['sluice-chromium'], time: 'steady' },
    goals: [{ group: 'all', mean: { atMost: 1.2 } }],
  },
  {
    id: 'javascript-first-run-chromium',
    title: 'JavaScript’s first run, Chromium',
    meaning: 'JavaScript’s first run in a fresh browser divided by Sluice’s first run there',
    dividend: { of: ['javascript-chromium'], time: 'first' },
    divisor: { of: ['sluice-chromium'], time: 'first' },
    goals: [],
  },
];

/** The times of a kernel, by competitor. */
export type TimesOf = Readonly<Record<string, Times>>;
