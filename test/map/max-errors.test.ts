// How many records may fail: numbers, and shares of the records.

import { Int32, vectorFromArray } from 'apache-arrow';
import { describePlan, planMap, TooManyErrors } from 'sluice-map';
import { afterAll, describe, expect, it } from 'vitest';
import { mostErrors, readMaxErrors } from '../../map/plan/max-errors.ts';
import type { MaxErrors } from '../../map/plan/max-errors.ts';
import { mapStream, streamOf } from './arrow-streams.ts';
import { MapFolder } from './harness.ts';

const folder = new MapFolder();
afterAll(() => folder.remove());

describe('a share of the records', () => {
  const rows: readonly (readonly [MaxErrors, number, number])[] = [
    [5, 10, 5],
    ['1%', 99, 0],
    ['1%', 100, 1],
    ['1%', 199, 1],
    ['0.1%', 3000, 3],
    ['0.29%', 10_000, 29],
    ['100%', 7, 7],
    ['0%', 7, 0],
  ];
  it.each(rows)('%s of %i records are %i', (maxErrors, records, most) => {
    expect(mostErrors(maxErrors, records)).toBe(most);
  });

  it.each(['-1', '1.5', '101%', '-1%', '%', 'x', '1 %', ''])('is not %j', (text) => {
    expect(readMaxErrors(text)).toBe(null);
  });
});

const script = `type Out { int n; }
export Out map(int n) { if (n % 10 == 0) throw "a tenth"; return { n: n }; }`;

describe('a run', () => {
  it('may lose that share of all its records, wherever they lie', async () => {
    // All that fail are in the first partition, a sixth of its records and a thirtieth of all.
    const rows = await folder.parquet(
      'first.parquet',
      'SELECT CASE WHEN i < 2000 THEN i * 5 ELSE 1 END AS n FROM range(30000) AS r(i)',
      ', ROW_GROUP_SIZE 6144',
    );
    const options = { partitionRows: 6144, threads: 2 };
    const { end } = await folder.map(script, rows, { ...options, maxErrors: '3.4%' });
    expect(end).toMatchObject({ partitions: 5, failed: 1000, written: 29_000 });
    const ends = folder.map(script, rows, { ...options, maxErrors: '3.3%' });
    await expect(ends).rejects.toThrow('(more than --max-errors=3.3% of the records failed)');
  });

  it('of CSV knows its records once it is staged', async () => {
    const lines = Array.from({ length: 100 }, (_, n) => n).join('\n');
    const input = folder.write('numbers.csv', `n\n${lines}\n`);
    const { end } = await folder.map(script, input, { maxErrors: '10%' });
    expect(end).toMatchObject({ failed: 10, written: 90 });
    await expect(folder.map(script, input, { maxErrors: '9.9%' })).rejects.toThrow(TooManyErrors);
  });

  it('says it in its plan, and refuses what is neither', async () => {
    const input = folder.write('some.csv', 'n\n1\n');
    const path = folder.write('some.slu', script);
    const options = { script: path, input, output: folder.file('out') };
    expect(describePlan(await planMap({ ...options, maxErrors: '2.5%' }))).toContain('2.5% of the records may fail');
    for (const maxErrors of ['200%', 1.5, -1])
      await expect(planMap({ ...options, maxErrors: maxErrors as MaxErrors })).rejects.toThrow(
        `maxErrors is a whole number from 0 on, or a share such as 1%, not ${maxErrors}`,
      );
  });
});

it('a stream is judged by its records up to the end of each batch', async () => {
  const numbers = (from: number, count: number) => ({
    n: vectorFromArray(
      Array.from({ length: count }, (_, at) => from + at),
      new Int32(),
    ),
  });
  const { counts } = await mapStream(folder, script, streamOf(numbers(1, 40), numbers(41, 10)), { maxErrors: '10%' });
  expect(counts).toMatchObject({ read: 50, failed: 5 });
  // A fifth of the first batch, though a tenth of both.
  await expect(
    mapStream(folder, script, streamOf(numbers(10, 5), numbers(1, 5)), { maxErrors: '10%' }),
  ).rejects.toThrow('(more than --max-errors=10% of the records failed)');
});
