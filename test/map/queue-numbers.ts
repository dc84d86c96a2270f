// Numbers that workers of a queue map and sum up, and what must come of that: what a run here gives.

import { planMap, runMap } from 'sluice-map';
import type { MapOptions } from 'sluice-map';
import { expect } from 'vitest';
import { hashesOf } from './harness.ts';
import { expectWhole } from './queue-harness.ts';
import type { QueueFolder } from './queue-harness.ts';

/** Each part may take its time, so that something can happen meanwhile. */
const work =
  'int work(int rounds) { int x = 1; for (int i = 0; i < rounds; i++) x = (x * 31 + i) % 1_000_003; return x; }';

export interface Numbers {
  readonly count: number;
  readonly partitions: number;
  readonly input: string;
  /** Maps: `rounds` is how long a record takes. */
  planOf(output: string, rounds?: number): MapOptions & { readonly output: string };
  /** Sums up what it maps: `rounds` is how long the merge of two states takes. */
  sumsOf(output: string, rounds?: number): MapOptions & { readonly output: string };
  /** The output of either is that of a run here. */
  expectAsLocal(plan: Pick<MapOptions, 'script' | 'output'>): Promise<void>;
}

/** Of `count` records, one in `failEvery` fails. */
export async function numbersIn(
  folder: QueueFolder,
  count: number,
  partitionRows: number,
  failEvery: number,
  usualRounds: number,
): Promise<Numbers> {
  const input = await folder.parquet(
    'numbers.parquet',
    `SELECT i AS n FROM range(${count}) AS r(i)`,
    `, ROW_GROUP_SIZE ${partitionRows}`,
  );
  const mapping = folder.write(
    'numbers.slu',
    `type Out { int n; double random; }
     ${work}
     export Out map(int n, int rounds) {
       if (n % ${failEvery} == 7) throw "seven";
       return { n: n + work(rounds) * 0, random: Math.random() };
     }`,
  );
  const summing = folder.write(
    'sums.slu',
    `type Out { int n; int band; double random; }
     type State { int rounds; int count; double sum; }
     type Sums { int count; double sum; }
     ${work}
     export Out map(int n) {
       if (n % ${failEvery} == 7) throw "seven";
       return { n: n, band: n % 7, random: Math.random() };
     }
     export State init(int rounds) { return { rounds: rounds, count: 0, sum: 0.0 }; }
     export void step(State s, double random) { s.count++; s.sum += random; }
     export void merge(State into, State from) {
       into.count += from.count + work(into.rounds) * 0;
       into.sum += from.sum;
     }
     export Sums finish(State s) { return { count: s.count, sum: s.sum }; }`,
  );
  const common = { input, partitionRows, maxErrors: count / failEvery };
  const planOf: Numbers['planOf'] = (output, rounds = usualRounds) => ({
    ...common,
    script: mapping,
    output: folder.file(output),
    arguments: { rounds },
  });
  const sumsOf: Numbers['sumsOf'] = (output, rounds = 1) => ({
    ...common,
    script: summing,
    output: folder.file(output),
    by: 'band',
    arguments: { rounds },
  });
  const expected = new Map<string, Record<string, string>>();
  for (const plan of [planOf('local', 1), sumsOf('local-sums', 1)]) {
    for await (const _ of runMap(await planMap(plan))) continue;
    expected.set(plan.script, hashesOf(plan.output));
  }
  return {
    count,
    partitions: Math.ceil(count / partitionRows),
    input,
    planOf,
    sumsOf,
    async expectAsLocal({ script, output }) {
      expect(hashesOf(output)).toEqual(expected.get(script));
      await expectWhole(output, count);
    },
  };
}
