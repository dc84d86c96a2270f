// The figures: medians of times, quotients of medians, and whether the goals are met.

import { geometricMean, median } from '../statistics.ts';
import { comparisons } from './comparisons.ts';
import type { Bound, Comparison, Goal, TimePick, TimesOf } from './comparisons.ts';
import { groupTitles, isIn } from './kernels.ts';
import type { Group } from './kernels.ts';
import type { KernelResult, Results } from './results.ts';

/** A comparison over all kernels for which there are both times. */
export interface Figure {
  readonly comparison: Comparison;
  readonly ratios: readonly Ratio[];
  /** The geometric mean of each group that has such kernels. */
  readonly means: Readonly<Partial<Record<Group, number>>>;
  readonly verdicts: readonly Verdict[];
}

export interface Ratio {
  readonly kernel: string;
  readonly ratio: number;
}

export interface Verdict {
  readonly group: Group;
  readonly of: 'mean' | 'each';
  readonly goal: string;
  readonly found: string;
  readonly holds: boolean;
}

/** The groups that every figure has a mean of, as they are shown. */
export const shownGroups: readonly Group[] = ['polybench', 'rest', 'all'];

/** The milliseconds that the pick names, null where nobody has such a time. */
export function pickTime(times: TimesOf, { of, time }: TimePick): number | null {
  const found = of.flatMap((id) => {
    const own = times[id];
    if (own === undefined) return [];
    const [first, steady] = [own.first, own.steady].map((values) =>
      values.length === 0 ? Infinity : median(values),
    ) as [number, number];
    return [time === 'best' ? Math.min(first, steady) : time === 'first' ? first : steady];
  });
  const least = Math.min(...found);
  return Number.isFinite(least) ? least : null;
}

/** The quotient of a comparison for one kernel, null where a time is missing. */
export function ratioOf({ times }: Pick<KernelResult, 'times'>, { dividend, divisor }: Comparison): number | null {
  const [above, below] = [pickTime(times, dividend), pickTime(times, divisor)];
  return above === null || below === null ? null : above / below;
}

/** Every comparison for which anything was measured. */
export function makeFigures({ kernels }: Pick<Results, 'kernels'>): readonly Figure[] {
  return comparisons.flatMap((comparison) => {
    const ratios = kernels.flatMap((kernel) => {
      const ratio = ratioOf(kernel, comparison);
      return ratio === null ? [] : [{ kernel: kernel.name, ratio }];
    });
    if (ratios.length === 0) return [];
    const means = Object.fromEntries(
      shownGroups.flatMap((group) => {
        const own = within(ratios, group);
        return own.length === 0 ? [] : [[group, geometricMean(own.map(({ ratio }) => ratio))]];
      }),
    );
    return [{ comparison, ratios, means, verdicts: comparison.goals.flatMap((goal) => judge(goal, ratios)) }];
  });
}

function within(ratios: readonly Ratio[], group: Group): readonly Ratio[] {
  return ratios.filter(({ kernel }) => isIn(kernel, group));
}

function judge({ group, mean, each, exceptions = [] }: Goal, ratios: readonly Ratio[]): readonly Verdict[] {
  const own = within(ratios, group);
  if (own.length === 0) return [];
  const verdicts: Verdict[] = [];
  if (mean !== undefined) {
    const found = geometricMean(own.map(({ ratio }) => ratio));
    verdicts.push({ group, of: 'mean', goal: describe(mean), found: formatRatio(found), holds: keeps(mean, found) });
  }
  if (each !== undefined) {
    const held = own.filter(({ kernel }) => !exceptions.includes(kernel));
    const missed = held.filter(({ ratio }) => !keeps(each, ratio));
    const found =
      missed.length === 0
        ? `all ${held.length}`
        : missed.map(({ kernel, ratio }) => `${kernel} ${formatRatio(ratio)}`).join(', ');
    const rest = exceptions.length === 0 ? '' : `, but ${exceptions.join(', ')}`;
    verdicts.push({ group, of: 'each', goal: `each ${describe(each)}${rest}`, found, holds: missed.length === 0 });
  }
  return verdicts;
}

/** Whether the comparison binds this kernel alone, and it does not keep to that. */
export function misses({ goals }: Comparison, kernel: string, ratio: number): boolean {
  return goals.some(
    ({ group, each, exceptions = [] }) =>
      each !== undefined && isIn(kernel, group) && !exceptions.includes(kernel) && !keeps(each, ratio),
  );
}

/** The figures as lines of text. */
export function writeFigures(figures: readonly Figure[]): readonly string[] {
  return figures.flatMap(({ comparison, means, verdicts }) => [
    `${comparison.title.padEnd(32)} ${shownGroups
      .flatMap((group) => (means[group] === undefined ? [] : [`${groupTitles[group]} ${formatRatio(means[group])}`]))
      .join(', ')}`,
    ...verdicts.map(
      ({ group, goal, found, holds }) =>
        `  goal for ${groupTitles[group]}: ${goal}, ${holds ? 'met' : `missed: ${found}`}`,
    ),
  ]);
}

function keeps(bound: Bound, value: number): boolean {
  return 'atMost' in bound ? value <= bound.atMost : value >= bound.atLeast;
}

function describe(bound: Bound): string {
  return 'atMost' in bound ? `at most ${bound.atMost.toFixed(2)}` : `at least ${bound.atLeast.toFixed(2)}`;
}

export function formatRatio(ratio: number): string {
  return ratio.toFixed(2);
}

/** Milliseconds with three digits that count. */
export function formatTime(milliseconds: number): string {
  return milliseconds >= 100 ? milliseconds.toFixed(0) : milliseconds.toFixed(milliseconds >= 10 ? 1 : 2);
}
