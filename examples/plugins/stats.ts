// A plugin as a class: summary statistics. No engine runs decorators yet, so that `sluice --plugin` lowers this file;
// in a program of your own the compiler that you build it with does.

import { ScriptFunction, ScriptModule } from 'sluice/host';

interface Summary {
  readonly count: bigint;
  readonly mean: number;
  readonly deviation: number;
  readonly median: number;
}

@ScriptModule('Stats', 'Summary statistics.', {
  types: ['type Summary { int count; double mean; double deviation; double median; }'],
})
export class Stats {
  @ScriptFunction('double mean(double[] xs)', 'The arithmetic mean; NaN of nothing.')
  mean(xs: Float64Array): number {
    let sum = 0;
    for (const x of xs) sum += x;
    return sum / xs.length;
  }

  @ScriptFunction(
    'double quantile(double[] xs, double q = 0.5)',
    'Below which a part q of the values lies; the median if q is left out.',
  )
  quantile(xs: Float64Array, q: number): number {
    const sorted = xs.toSorted();
    const at = (sorted.length - 1) * q;
    const below = Math.floor(at);
    const low = sorted[below] ?? NaN;
    return low + ((sorted[below + 1] ?? low) - low) * (at - below);
  }

  @ScriptFunction('Summary summary(double[] xs)', 'Count, mean, standard deviation and median.')
  summary(xs: Float64Array): Summary {
    const mean = this.mean(xs);
    const deviation = Math.sqrt(this.mean(xs.map((x) => (x - mean) ** 2)));
    return { count: BigInt(xs.length), mean, deviation, median: this.quantile(xs, 0.5) };
  }

  @ScriptFunction('double[] ranks()', 'The rank of each value, from 1.0 on.', { on: 'double[]' })
  ranks(xs: Float64Array): Float64Array {
    const sorted = xs.toSorted();
    return xs.map((x) => sorted.indexOf(x) + 1);
  }
}
