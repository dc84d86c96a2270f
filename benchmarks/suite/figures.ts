// The figures: medians of times, quotients of medians, and whether the goals are met.

import { geometricMean, median } from '../statistics.ts';
import { comparisons } from './comparisons.ts';
import type { Bound, Comparison, Goal, TimePick, TimesOf } from './comparisons.ts';
import type { KernelResult, Results } from './results.ts';

/** A comparison over all kernels for which there are both times. */
export interface Figure {
  readonly comparison: Comparison;
  readonly ratios: readonly { readonly kernel: string; readonly ratio: number }[];
  readonly mean: number;
  readonly verdicts: readonly Verdict[];
}

export interface Verdict {
  readonly goal: string;
  readonly found: string;
  readonly holds: boolean;
}

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
    const mean = geometricMean(ratios.map(({ ratio }) => ratio));
    return [{ comparison, ratios, mean, verdicts: judge(comparison.goal, mean, ratios) }];
  });
}

function judge(goal: Goal | null, mean: number, ratios: Figure['ratios']): readonly Verdict[] {
  const verdicts: Verdict[] = [];
  if (goal?.mean !== undefined) {
    verdicts.push({ goal: describe(goal.mean), found: formatRatio(mean), holds: keeps(goal.mean, mean) });
  }
  if (goal?.each !== undefined) {
    const { each } = goal;
    const missed = ratios.filter(({ ratio }) => !keeps(each, ratio));
    const found =
      missed.length === 0
        ? `all ${ratios.length}`
        : missed.map(({ kernel, ratio }) => `${kernel} ${formatRatio(ratio)}`).join(', ');
    verdicts.push({ goal: `each ${describe(each)}`, found, holds: missed.length === 0 });
  }
  return verdicts;
}

export function keeps(bound: Bound, value: number): boolean {
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
