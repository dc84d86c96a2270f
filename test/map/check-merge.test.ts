// Whether a merge that is no merge is found, before a run gives wrong sums.

import { readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { checkMerge, describeMergeCheck, planMap } from 'sluice-map';
import type { MapOptions, MergeCheck } from 'sluice-map';
import { afterAll, describe, expect, it } from 'vitest';
import { compareRows } from '../../map/plan/merge-check.ts';
import { mergeOrders } from '../../map/plan/merge-orders.ts';
import type { Merged } from '../../map/plan/merge-orders.ts';
import type { OutputColumn } from '../../map/plan/plan.ts';
import { MapFolder } from './harness.ts';

const folder = new MapFolder();
afterAll(() => folder.remove());

const sales = await folder.parquet(
  'sales.parquet',
  `SELECT i AS id, i * 0.1 AS price, ['DE', 'FR', NULL, 'null'][1 + i % 4] AS country, DATE '2026-01-01' AS day
   FROM range(4000) AS r(i)`,
);

const summing = (merge: string, step = 's.count++; s.sum += price; s.last = price;'): string =>
  `type State { int count; double sum; double last; }
   type Out { int count; double mean; }
   export State init() { return { count: 0, sum: 0.0, last: 0.0 }; }
   export void step(State s, double price) { ${step} }
   export void merge(State into, State from) { ${merge} }
   export Out finish(State s) { return { count: s.count, mean: s.sum / s.count }; }`;
const good = 'into.count += from.count; into.sum += from.sum; into.last = from.last;';

let scripts = 0;
const check = async (
  script: string,
  input: string | readonly string[] = sales,
  options: Partial<MapOptions> = {},
): Promise<MergeCheck & { readonly text: string }> => {
  const path = folder.write(`check-${scripts++}.slu`, script);
  const plan = await planMap({ script: path, input, output: folder.file('out'), ...options });
  const found = await checkMerge(plan);
  // Nothing is written.
  expect(readdirSync(folder.path)).not.toContain('out');
  return { ...found, text: describeMergeCheck(found) };
};

describe('a merge that is sound', () => {
  it('gives the same in each order, but for the last digits of doubles', async () => {
    const { text, ...found } = await check(summing(good), sales, { by: 'country' });
    expect(found).toEqual({
      records: 4000,
      failed: 0,
      groups: 4,
      pieces: 16,
      orders: 4,
      isRounded: true,
      differences: [],
    });
    expect(text.split('\n')).toEqual([
      'sample       4,000 records in 4 groups, cut into 16 pieces',
      'merge        gives what one state of all records gives, in 4 orders, but for the last digits of doubles',
    ]);
    const counting = await check(summing(good.replace('into.sum', 'into.last'), 's.count++; s.sum = 1.0;'));
    expect(counting).toMatchObject({ groups: 1, isRounded: false, differences: [] });
  });

  it('may depend on the order of records, which is said', async () => {
    const last = summing(good).replace('mean: s.sum / s.count', 'mean: s.last');
    const { differences, text } = await check(last, sales, { by: 'country' });
    expect(differences.map(({ isInOrder, groups }) => [isInOrder, groups])).toEqual([[false, 4]]);
    expect(text.split('\n').slice(1)).toEqual([
      'merge        gives what one state of all records gives, in 4 orders',
      'order        matters: a run merges in the order of records, and gives the same each time',
      '  pieces merged in reverse order, in 4 of 4 groups, such as country=DE',
      '    one state of all records  count = 1000, mean = 399.6',
      '    merged                    count = 1000, mean = 24.8',
    ]);
  });
});

describe('a merge that is not', () => {
  it('is found where it forgets', async () => {
    const { differences, text } = await check(summing('into.count += from.count;'), sales, { by: ['country', 'day'] });
    expect(differences.length).toBe(5);
    expect(text.split('\n').slice(0, 5)).toEqual([
      'sample       4,000 records in 4 groups, cut into 16 pieces',
      'merge        gives another result',
      '  pieces merged as a run does, in 4 of 4 groups, such as country=DE, day=2026-01-01',
      '    one state of all records  count = 1000, mean = 199.8',
      expect.stringMatching(/^ {4}merged {20}count = 1000, mean = 0\.\d+$/),
    ]);
  });

  it('is found where it is right for two states alone, since it is not associative', async () => {
    // The mean of means, of pieces of one size.
    const means = summing(
      'double mean = (into.sum / into.count + from.sum / from.count) / 2; ' +
        'into.count += from.count; into.sum = mean * into.count;',
    );
    const { differences, text } = await check(means);
    const orders = differences.filter(({ isInOrder }) => isInOrder).map(({ order }) => order);
    // In pairs, both have one size each time.
    expect(orders).toEqual(['as a run does', 'one after the other', 'from the last to the first']);
    expect(text).toContain('    one state of all records  count = 4000, mean = 199.95');
  });

  it('is found where rows are missing by it', async () => {
    const few = summing(good).replace('return { count: s', 'if (s.count < 1000) return null; return { count: s');
    const { differences } = await check(few.replace('into.count += from.count;', ''), sales, { by: 'country' });
    expect(differences[0]).toMatchObject({ groups: 4, group: 'country=DE', merged: null });
  });

  it('ends the check where it throws', async () => {
    await expect(check(summing('throw "no";'), sales, { by: 'country' })).rejects.toThrow(
      'merge failed for country=null: Error: no',
    );
  });
});

describe('the sample', () => {
  it('is of CSV and NDJSON, of several files, and of what map gives', async () => {
    const lines = Array.from({ length: 60 }, (_, at) => `${at},${at % 7 === 0 ? '' : at}`).join('\n');
    const csv = ['one.csv', 'two.csv'].map((name) => folder.write(name, `id,price\n${lines}\n`));
    expect(await check(summing(good), csv, { nulls: { price: 'skip' } })).toMatchObject({ records: 120, failed: 0 });
    // The first records of each file.
    expect(await check(summing(good), csv)).toMatchObject({ records: 120, failed: 18, differences: [] });
    const ndjson = folder.write('some.ndjson', lines.replaceAll(/^(\d+),.*$/gm, '{"id":$1,"price":$1.5}'));
    expect(await check(summing(good), ndjson)).toMatchObject({ records: 60, differences: [] });
    const both = `type Row { double price; string half; }
      export void map(int id) { Row r = { price: 1.0 * id, half: id < 30 ? "a" : "b" }; yield r; yield r; }
      ${summing('into.count += from.count;')}`;
    const { records, groups, differences } = await check(both, ndjson, { by: 'half' });
    expect([records, groups, differences.length]).toEqual([60, 2, 5]);
  });

  it('leaves ragged lines of CSV out, as records that fail', async () => {
    const line = (at: number): string => (at % 10 === 3 ? String(at) : at % 10 === 4 ? `${at},1,2` : `${at},${at}`);
    const lines = Array.from({ length: 60 }, (_, at) => line(at)).join('\n');
    const ragged = folder.write('ragged.csv', `id,price\n${lines}\n`);
    const even = folder.write('even.csv', `id,price\n${lines.replaceAll(/^(?:\d+|\d+,1,2)\n/gm, '')}\n`);
    for (const maxErrors of [0, 100])
      expect(await check(summing(good), ragged, { maxErrors })).toMatchObject({
        records: 60,
        failed: 12,
        differences: [],
      });
    const { text } = await check(summing('into.count += from.count;'), ragged);
    expect(text).toContain('sample       60 records in 1 group, cut into 16 pieces; 12 records that failed left out\n');
    expect(text).toContain((await check(summing('into.count += from.count;'), even)).text.split('\n').at(-2)!);
    // Beside one that has none, compressed, and of what is mapped.
    const packed = folder.write('ragged.csv.gz', gzipSync(`id,price\n${lines}\n`));
    expect(await check(summing(good), [even, packed])).toMatchObject({ records: 108, failed: 12, differences: [] });
    const mapping = 'type Row { double price; } export Row map(double price) { return { price: price }; }';
    expect(await check(`${mapping} ${summing(good)}`, ragged)).toMatchObject({
      records: 60,
      failed: 12,
      differences: [],
    });
    // What is behind the sample is not looked at, and what is broken in it is told.
    const many = Array.from({ length: 30_000 }, (_, at) => `${at},${at}\n`).join('');
    const late = folder.write('late.csv', `id,price\n1\n${many}1,2\r\n`);
    expect(await check(summing(good), late)).toMatchObject({ records: 10_000, failed: 1 });
    const endings = folder.write('endings.csv', 'id,price\n1\n2,3\r\n4,5\n');
    await expect(check(summing(good), endings)).rejects.toThrow('line 3 ends with \\r\\n, and the first line with \\n');
    const cut = folder.write('cut.csv.gz', gzipSync(`id,price\n${lines}\n`).subarray(0, -5));
    await expect(check(summing(good), cut)).rejects.toThrow('cut.csv.gz: its end is missing');
  });

  it('is one group where no group lies in two pieces', async () => {
    expect(await check(summing('into.count += from.count;'), sales, { by: 'id' })).toMatchObject({
      groups: 1,
      differences: Array.from({ length: 5 }, () => expect.objectContaining({ groups: 1, group: '' })),
    });
  });

  it('has two records or more, and there is a merge', async () => {
    const one = folder.write('one-record.csv', 'price\n1\n');
    await expect(check(summing(good), one)).rejects.toThrow('merge is checked by two records or more, and there is 1');
    await expect(check('type Out { int id; } export Out map(int id) { return { id: id }; }')).rejects.toThrow(
      /check-\d+\.slu only maps: there is no merge to check$/,
    );
  });
});

it('orders have each piece once', () => {
  const flat = (merged: Merged): readonly number[] => (typeof merged === 'number' ? [merged] : merged.flatMap(flat));
  for (const pieces of [2, 3, 7, 8, 9, 16]) {
    const all = Array.from({ length: pieces }, (_, at) => at);
    for (const { merged, isInOrder } of mergeOrders(pieces))
      expect(flat(merged)).toEqual(isInOrder ? all : all.toReversed());
  }
  expect(mergeOrders(4).map(({ merged }) => merged)).toEqual([
    [0, 1, 2, 3],
    [0, 1, 2, 3],
    [
      [0, 1],
      [2, 3],
    ],
    [0, [1, [2, 3]]],
    [3, 2, 1, 0],
  ]);
});

it.each([
  ['double', '0.1', '0.10000000000000002', 'rounded'],
  ['double', '0.1', '0.1001', 'different'],
  ['double', '0.0', '-0.0', 'rounded'],
  ['double', 'nan', '1.0', 'different'],
  ['double', 'inf', '-inf', 'different'],
  ['double', null, '0.0', 'different'],
  ['int', '10000000000', '10000000001', 'different'],
  ['json', '{"a":[0.1,2]}', '{"a":[0.10000000000000002,2]}', 'rounded'],
  ['json', '{"a":[0.1,2]}', '{"a":[0.1,3]}', 'different'],
  ['json', '{"a":"0.1"}', '{"a":"0.10000000000000002"}', 'different'],
  ['json', '[1.0]', '[1.0,1.0]', 'different'],
  ['string', '0.1', '0.10000000000000002', 'different'],
] as const)('%s %s and %s are %s', (carrier, one, other, likeness) => {
  const outputs: OutputColumn[] = [{ name: 'x', carrier, type: carrier, valid: null }];
  const { groups, isRounded } = compareRows(outputs, new Map([['[]', [one]]]), new Map([['[]', [other]]]));
  expect([groups, isRounded]).toEqual([likeness === 'different' ? 1 : 0, likeness === 'rounded']);
});
