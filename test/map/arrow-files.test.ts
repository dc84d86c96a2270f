// Files of Arrow as the input of a run: partitions by their record batches, groups, dead letters, and what is broken.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as Arrow from 'apache-arrow';
import { checkMerge, describePlan, planMap } from 'sluice-map';
import { afterAll, describe, expect, it } from 'vitest';
import { headOf, streamOf } from './arrow-streams.ts';
import { failuresOf, hashesOf, MapFolder, query, rowsOf } from './harness.ts';

const folder = new MapFolder();
afterAll(() => folder.remove());

const { vectorFromArray } = Arrow;
const ids = (from: number, count: number): number[] => Array.from({ length: count }, (_, at) => from + at);
// One type, so that the dictionaries of later batches take the place of the first.
const words = new Arrow.Dictionary(new Arrow.Utf8(), new Arrow.Int32());
const batch = (from: number, count: number): Readonly<Record<string, Arrow.Vector>> => ({
  id: vectorFromArray(ids(from, count), new Arrow.Int32()),
  price: vectorFromArray(
    ids(from, count).map((id) => (id % 50 === 7 ? null : id / 4)),
    new Arrow.Float64(),
  ),
  country: vectorFromArray(
    ids(from, count).map((id) => ['DE', 'FR', null, 'é\u0000'][id % 4]!),
    words,
  ),
});
const sales = streamOf(batch(0, 300), batch(300, 10), batch(310, 0), batch(310, 690));
const marked = (stream: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from('ARROW1\0\0'), stream, Buffer.from('\0\0\0\0ARROW1')]);
const asFile = folder.write('sales.arrow', marked(sales));
const asStream = folder.write('sales.feather', sales);
const parquet = await folder.parquet(
  'sales.parquet',
  `SELECT i::INTEGER AS id, CASE WHEN i % 50 = 7 THEN NULL ELSE i / 4 END AS price,
   ['DE', 'FR', NULL, 'é' || chr(0)][1 + i % 4] AS country FROM range(1000) AS r(i)`,
);

const clean = `type Out { int id; double price; string country; }
  export Out map(int id, double price, string country) {
    if (id % 400 == 1) throw "no";
    return { id: id, price: price, country: country }; }`;
const sums = `type State { int count; double sum; }
  export State init() { return { count: 0, sum: 0.0 }; }
  export void step(State s, int id) { s.count++; s.sum += id; }
  export void merge(State into, State from) { into.count += from.count; into.sum += from.sum; }
  export State finish(State s) { return s; }`;

describe('a file of Arrow', () => {
  it('gives what Parquet of the same rows does, cut at its batches or within them', async () => {
    const options = { maxErrors: 100 };
    const expected = await folder.map(clean, parquet, options);
    const errors = failuresOf(expected.output);
    expect([expected.end.written, expected.end.failed]).toEqual([977, 23]);
    for (const [input, partitionRows, partitions] of [
      [asFile, 1_000_000, 1],
      [asStream, 1_000_000, 1],
      [asFile, 310, 4],
      [asFile, 64, 16],
    ] as const) {
      const runs = [];
      for (const threads of [1, 2]) runs.push(await folder.map(clean, input, { ...options, partitionRows, threads }));
      const [{ output, end }, second] = runs as [(typeof runs)[0], (typeof runs)[0]];
      expect(end).toMatchObject({ partitions, read: 1000, written: 977, failed: 23 });
      expect(hashesOf(output)).toEqual(hashesOf(second.output));
      expect(await rowsOf(output)).toEqual(await rowsOf(expected.output));
      expect(failuresOf(output)).toEqual(errors.map((error) => ({ ...error, file: input })));
    }
  });

  it('may be several, and is summed up by groups', async () => {
    const summary = async (input: string | readonly string[], options: object): Promise<(string | null)[][]> => {
      const { output } = await folder.map(sums, input, options);
      return query(
        `SELECT country, CAST(count AS VARCHAR), CAST(sum AS VARCHAR) FROM '${join(output, 'summary.parquet')}'`,
      );
    };
    const by = 'country';
    expect(await summary(asFile, { by, partitionRows: 100, threads: 2 })).toEqual(await summary(parquet, { by }));
    expect(await summary([asFile, asStream], { by })).toEqual([
      ['DE', '500', '249000.0'],
      ['FR', '500', '249500.0'],
      [null, '500', '250000.0'],
      ['é\0', '500', '250500.0'],
    ]);
  });

  it('has groups of any plain type', async () => {
    const kinds = folder.write(
      'kinds.arrow',
      streamOf({
        x: vectorFromArray([0, -0, Number.NaN, Number.NaN, null], new Arrow.Float64()),
        b: vectorFromArray([true, true, false, false, null], new Arrow.Bool()),
        day: vectorFromArray(
          [0, 0, 864e5, 864e5, null].map((ms) => (ms === null ? null : new Date(ms))),
          new Arrow.DateDay(),
        ),
        id: vectorFromArray([1, 2, 3, 4, 5], new Arrow.Int32()),
      }),
    );
    const { output } = await folder.map(sums, kinds, { by: ['x', 'b', 'day'] });
    const path = join(output, 'summary.parquet');
    expect(await query(`SELECT CAST(COLUMNS(*) AS VARCHAR) FROM '${path}'`)).toEqual([
      ['0.0', 'true', '1970-01-01', '2', '3.0'],
      ['nan', 'false', '1970-01-02', '2', '7.0'],
      [null, null, null, '1', '5.0'],
    ]);
    expect((await query(`SELECT column_type FROM (DESCRIBE SELECT * FROM '${path}')`)).flat().slice(0, 3)).toEqual([
      'DOUBLE',
      'BOOLEAN',
      'DATE',
    ]);
  });

  it('is gone on with behind what is committed, unless it has changed', async () => {
    const late = clean.replace('id % 400 == 1', 'id == 801');
    const path = folder.write('resumed.arrow', marked(sales));
    const options = { nulls: { price: 'skip' as const }, partitionRows: 100 };
    const whole = await folder.map(late, path, { ...options, maxErrors: 1 });
    const output = folder.file('resumed');
    await expect(folder.map(late, path, { ...options, output })).rejects.toMatchObject({ name: 'TooManyErrors' });
    expect(readdirSync(join(output, '_commits')).length).toBe(8);
    const { end } = await folder.map(late, path, { ...options, output, maxErrors: 1, resume: true });
    expect(end).toMatchObject({ partitions: 11, read: 1000, failed: 1 });
    expect(hashesOf(output)).toEqual(hashesOf(whole.output));
    const other = folder.file('changed');
    await expect(folder.map(late, path, { ...options, output: other })).rejects.toThrow('no');
    folder.write('resumed.arrow', marked(streamOf(batch(0, 1000))));
    await expect(
      folder.map(late, path, { ...options, output: other, maxErrors: 1, resume: true }),
    ).rejects.toMatchObject({ name: 'MapError' });
  });

  it('without records is one partition', async () => {
    const none = folder.write('none.arrow', marked(streamOf(batch(0, 0))));
    expect((await folder.map(clean, none)).end).toMatchObject({ partitions: 1, read: 0, written: 0 });
    const { output } = await folder.map(sums, none, { format: 'csv' });
    expect(readFileSync(join(output, 'summary.csv'), 'utf8')).toBe('count,sum\n0,0.0\n');
  });

  it('is planned by its record batches', async () => {
    const script = folder.write('plan.slu', clean);
    const plan = await planMap({ script, input: asFile, output: 'out', partitionRows: 310 });
    expect(plan.partitions!.map(({ from, to }) => [from, to])).toEqual([
      [0, 310],
      [310, 620],
      [620, 930],
      [930, 1000],
    ]);
    expect(describePlan(plan).split('\n')[1]).toMatch(
      /^input {8}1 file \(arrow\), .* KB, 1,000 records in 4 partitions$/,
    );
  });

  it('has its merge checked too', async () => {
    const script = folder.write('check.slu', sums);
    const plan = await planMap({ script, input: asFile, output: 'out', by: 'country' });
    expect(await checkMerge(plan)).toMatchObject({ records: 1000, groups: 4, pieces: 16, differences: [] });
    const forgets = folder.write('forgets.slu', sums.replace('into.count += from.count;', ''));
    const { differences } = await checkMerge(await planMap({ script: forgets, input: asFile, output: 'out' }));
    expect(differences.length).toBe(5);
  });
});

describe('what is broken or does not fit', () => {
  const fails = async (content: Uint8Array | string, script = clean): Promise<string> => {
    const path = folder.write('bad.arrow', content);
    return folder.map(script, path, { maxErrors: 1000 }).then(
      () => 'nothing',
      (error: unknown) => {
        expect((error as Error).name).toBe('MapError');
        return (error as Error).message.replaceAll(`${folder.path}/`, '');
      },
    );
  };

  it('is named wherever a file is cut off', async () => {
    const whole = marked(sales);
    const head = 8 + headOf(sales);
    expect(await fails('')).toBe('bad.arrow: there is no Arrow file, it is empty');
    expect(await fails(whole.subarray(0, 7))).toBe('bad.arrow: it is no Arrow file');
    expect(await fails(whole.subarray(0, 100))).toBe('bad.arrow: the file ends within its schema');
    expect(await fails(whole.subarray(0, head + 100))).toMatch(/^bad\.arrow, batch 1: the file ends within it$/);
    expect(await fails(whole.subarray(0, whole.length - 1000))).toBe('bad.arrow, batch 4: the file ends within it');
    // After its last batch, where a stream may end.
    expect(await fails(whole.subarray(0, whole.length - 18))).toBe(
      'bad.arrow: its end is missing: the file is cut off',
    );
    expect(await fails(whole.subarray(0, whole.length - 1))).toBe('bad.arrow: its end is missing: the file is cut off');
    for (let length = 0; length < whole.length - 1; length += 371)
      expect(await fails(whole.subarray(0, length))).toMatch(/^bad\.arrow(?:, batch \d)?: /);
  });

  it('is told from other files', async () => {
    expect(await fails('id,price\n1,2\n3,4\n')).toBe('bad.arrow: it is no Arrow file');
    expect(await fails(readFileSync(parquet))).toBe('bad.arrow: it is no Arrow file');
    expect(await fails('FEA1\0\0\0\0')).toBe(
      'bad.arrow: it is Feather of version 1, which is not Arrow: write version 2',
    );
    expect(await fails(Arrow.tableToIPC(new Arrow.Table(batch(0, 3)), 'file'))).toBe(
      'bad.arrow: it is a file of Arrow with its schema at the end: write a stream',
    );
    expect(await fails(Buffer.concat([sales.subarray(0, headOf(sales)), Buffer.alloc(64, 127)]))).toBe(
      'bad.arrow, batch 1: it does not begin as one',
    );
  });

  it('is said of columns', async () => {
    expect(await fails(sales, 'type Out { int x; } export Out map(double prise) { return { x: 1 }; }')).toBe(
      'map takes double prise, and the input has no column prise: did you mean price?; it has id, price, country; ' +
        '-a prise=VALUE gives one value for all records',
    );
    expect(await fails(sales, 'type Out { int x; } export Out map(int country) { return { x: 1 }; }')).toBe(
      'the column country is VARCHAR, and map takes int country: it can be string or json',
    );
    const other = folder.write(
      'other.arrow',
      streamOf({ ...batch(0, 3), id: vectorFromArray(['a', 'b', 'c'], new Arrow.Utf8()) }),
    );
    const few = folder.write('few.arrow', streamOf({ id: batch(0, 3)['id']! }));
    await expect(folder.map(clean, [asFile, other])).rejects.toThrow(
      `${other}: the column id is VARCHAR, and in ${asFile} it is INTEGER`,
    );
    await expect(folder.map(clean, [asFile, few])).rejects.toThrow(`${few} has no column price, which ${asFile} has`);
    await expect(folder.map(clean, [asFile, parquet])).rejects.toThrow(
      'the input has files of several formats: arrow, parquet',
    );
    const blob = folder.write(
      'blob.arrow',
      streamOf({
        id: vectorFromArray([1], new Arrow.Int32()),
        b: vectorFromArray([new Uint8Array(2)], new Arrow.Binary()),
      }),
    );
    await expect(folder.map(sums, blob, { by: 'b' })).rejects.toThrow(
      '--by b: it is BLOB, and groups are made by numbers, texts, times and booleans',
    );
  });
});
