// Why goals are missed: a sentence for each group of kernels whose mean misses one, and for each kernel that misses one
// of its own. It is checked that what was measured last has its reasons, and that no reason outlives its cause.

import type { Figure } from '../suite/figures.ts';
import { misses } from '../suite/figures.ts';
import type { Group } from '../suite/kernels.ts';

export interface Reason {
  /** The id of the comparison. */
  readonly comparison: string;
  /** Kernels, or groups of them where it is the mean that misses the goal. */
  readonly of: readonly string[];
  readonly why: string;
}

/** A goal that is missed, by a kernel or by the mean of a group. */
export interface Miss {
  readonly figure: Figure;
  readonly of: { readonly group: Group } | { readonly kernel: string };
  readonly found: number;
}

export const reasons: readonly Reason[] = [
  {
    comparison: 'javascript',
    of: ['polybench'],
    why:
      'Products and updates of matrices are four to five times as fast, and some more. Where each element needs the ' +
      'one before it (durbin), or where all wait for loads (jacobi-1d, gemver), that is what takes the time in any ' +
      'language.',
  },
  {
    comparison: 'javascript',
    of: ['nbody'],
    why: 'C takes as long: a chain of operations on doubles, which no compiler shortens. The rest is noise.',
  },
  {
    comparison: 'javascript',
    of: ['lz'],
    why:
      'JavaScript has its bytes in elements of one byte, and an int has eight: the time goes to caches that hold ' +
      'less.',
  },
  {
    comparison: 'engine-sluice-node24',
    of: ['binary-trees'],
    why: 'The time goes to objects that the engine makes and collects, which the newer one does faster.',
  },
  {
    comparison: 'engine-sluice-firefox',
    of: ['binary-trees', 'json', 'json-records', 'json-trees', 'linked-list', 'text-building'],
    why:
      'The time goes to objects that the engine makes and collects. JavaScript takes 1.3 to 1.7 times as long for ' +
      'them as in Chromium, too.',
  },
  {
    comparison: 'engine-sluice-firefox',
    of: ['poly-trisolv'],
    why: 'JavaScript takes 1.4 times as long for it as in Chromium, too.',
  },
  {
    comparison: 'engine-sluice-firefox',
    of: ['nqueens', 'permute', 'towers'],
    why: 'Calls of small functions, for which JavaScript takes 1.5 to 1.7 times as long as in Chromium, too.',
  },
  {
    comparison: 'engine-sluice-firefox',
    of: ['stencil-3d'],
    why: 'JavaScript takes 1.6 times as long for it as in Chromium, too.',
  },
  {
    comparison: 'engine-sluice-firefox',
    of: ['csv'],
    why:
      'Elements of arrays that the engine collects, which Firefox takes longer to reach. ' +
      'In C, whose arrays lie in linear memory, it takes about as long there as in Chromium.',
  },
  {
    comparison: 'first-run',
    of: ['all'],
    why:
      'The host starts for the first time, memory is touched for the first time, and the heap grows in steps: some ' +
      'milliseconds, which runs of 7 to 15 ms feel most. With all functions optimised before the run begins, those ' +
      'are still at 1.6 to 2.1 (decision 0087).',
  },
  {
    comparison: 'first-run-chromium',
    of: ['all'],
    why: 'The same start as in Node; what a page adds to it was not examined.',
  },
  {
    comparison: 'limits',
    of: ['binary-trees', 'permute', 'queens'],
    why: 'Functions of a few instructions hand on how much fuel and depth is left: one more parameter and result.',
  },
  {
    comparison: 'limits',
    of: ['linked-list'],
    why:
      'The time goes to objects that the engine makes and collects, and runs differ, with limits and without: from ' +
      '100 to 490 ms.',
  },
];

/** Means first, then kernels from the worst on. */
export function findMisses(figures: readonly Figure[]): readonly Miss[] {
  return figures.flatMap((figure) => {
    const { comparison, ratios, means, verdicts } = figure;
    const groups = verdicts.flatMap(({ group, of, holds }): Miss[] =>
      of === 'mean' && !holds ? [{ figure, of: { group }, found: means[group]! }] : [],
    );
    const kernels = ratios
      .filter(({ kernel, ratio }) => misses(comparison, kernel, ratio))
      .toSorted((a, b) => Math.abs(Math.log(b.ratio)) - Math.abs(Math.log(a.ratio)));
    return [...groups, ...kernels.map(({ kernel, ratio }): Miss => ({ figure, of: { kernel }, found: ratio }))];
  });
}

/** The key of `Reason.of` that is about the miss. */
export function nameOf({ of }: Miss): string {
  return 'group' in of ? of.group : of.kernel;
}

export function reasonOf(miss: Miss, known: readonly Reason[] = reasons): string | null {
  const { id } = miss.figure.comparison;
  return known.find(({ comparison, of }) => comparison === id && of.includes(nameOf(miss)))?.why ?? null;
}
