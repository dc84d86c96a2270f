// Columns of ints that are written as DATE, TIMESTAMP and TIMESTAMPTZ: by every way to a file, at both ends of what
// such a column can have, and beyond them.

import { existsSync, readFileSync } from 'node:fs';
import * as Arrow from 'apache-arrow';
import { checkMerge, describePlan, mapArrow, planMap, runMap } from 'sluice-map';
import type { MapOptions } from 'sluice-map';
import { afterAll, describe, expect, it } from 'vitest';
import { bytesOf, inPieces, mapStream, streamOf } from './arrow-streams.ts';
import { failuresOf, MapFolder, query } from './harness.ts';

const folder = new MapFolder();
afterAll(() => folder.remove());

/** The ends of both types, what is one beyond them, and common ones; with the text of each that is within. */
const days: readonly (readonly [bigint, string | null])[] = [
  [-(2n ** 63n), null],
  [-2_147_483_647n, null],
  [-2_147_483_646n, '5877642-06-25 (BC)'],
  [-719_528n, '0001-01-01 (BC)'],
  [0n, '1970-01-01'],
  [20_455n, '2026-01-02'],
  [2_147_483_646n, '5881580-07-10'],
  [2_147_483_647n, null],
  [2n ** 32n, null],
  [2n ** 63n - 1n, null],
];
const moments: readonly (readonly [bigint, string | null])[] = [
  [-(2n ** 63n), null],
  [-9_223_372_022_400_000_001n, null],
  [-9_223_372_022_400_000_000n, '290309-12-22 (BC) 00:00:00'],
  [-62_135_596_800_000_001n, '0001-12-31 (BC) 23:59:59.999999'],
  [0n, '1970-01-01 00:00:00'],
  [1_767_349_800_500_000n, '2026-01-02 10:30:00.5'],
  [9_223_372_036_854_775_806n, '294247-01-10 04:00:54.775806'],
  [9_223_372_036_854_775_807n, null],
];

const zonedMoments: typeof moments = [
  [-(2n ** 63n), null],
  [-9_007_199_254_740_992_001n, null],
  [-9_007_199_254_740_992_000n, '283458-03-21 (BC) 15:00:59.008+00'],
  [-62_135_596_800_000_001n, '0001-12-31 (BC) 23:59:59.999999+00'],
  [0n, '1970-01-01 00:00:00+00'],
  [1_767_349_800_500_000n, '2026-01-02 10:30:00.5+00'],
  [9_007_199_254_740_991_999n, '287396-10-12 08:59:00.991999+00'],
  [9_007_199_254_740_992_000n, null],
  [9_223_372_036_854_775_807n, null],
];

const intsIn = (rows: typeof days): string =>
  `FROM (VALUES ${rows.map(([value]) => `(CAST(${value} AS BIGINT))`).join(', ')}) AS t(n)`;
const ofDays = await folder.parquet('days.parquet', intsIn(days));
const ofMoments = await folder.parquet('moments.parquet', intsIn(moments));
const ofZonedMoments = await folder.parquet('zoned.parquet', intsIn(zonedMoments));
const texts = (rows: typeof days): (string | null)[] => rows.flatMap(([, text]) => (text === null ? [] : [text]));
const outside = (rows: typeof days): number[] => rows.flatMap(([, text], at) => (text === null ? [at + 1] : []));
const reader = { parquet: 'read_parquet', csv: 'read_csv', ndjson: 'read_json' } as const;

const rangeOf = (least: string, most: string): string => `microseconds since 1970-01-01, UTC, from ${least} to ${most}`;
const columnTypes = { DATE: 'DATE', TIMESTAMP: 'TIMESTAMP', TIMESTAMPTZ: 'TIMESTAMP WITH TIME ZONE' } as const;
const arrowTypes = {
  DATE: 'Date32<DAY>',
  TIMESTAMP: 'Timestamp<MICROSECOND>',
  TIMESTAMPTZ: 'Timestamp<MICROSECOND, UTC>',
} as const;

/** One for each way to a file: within the query, in batches, what is yielded. */
const scripts = {
  numbers: 'type Out { int n; } export Out map(int n) { return { n: n }; }',
  texts: 'type Out { int n; string text; } export Out map(int n) { return { n: n, text: "t" }; }',
  yields: 'type Out { int n; } export void map(int n) { Out zero = { n: 0 }; yield zero; Out o = { n: n }; yield o; }',
} as const;

for (const [type, rows, input, range] of [
  ['DATE', days, ofDays, 'days since 1970-01-01, from -2147483646 to 2147483646'],
  ['TIMESTAMP', moments, ofMoments, rangeOf('-9223372022400000000', '9223372036854775806')],
  ['TIMESTAMPTZ', zonedMoments, ofZonedMoments, rangeOf('-9007199254740992000', '9007199254740991999')],
] as const)
  describe(`a column of ints as ${type}`, () => {
    for (const [way, script] of Object.entries(scripts))
      for (const format of ['parquet', 'csv', 'ndjson'] as const)
        it(`is written to ${format} (${way}), and what is none fails alone`, async () => {
          const { output } = await folder.map(script, input, { types: { n: type }, format, maxErrors: 9 });
          const file = `${reader[format]}('${output}/part-00000.${format}')`;
          const written = await query(`SELECT typeof(n), CAST(n AS VARCHAR) FROM ${file}`);
          const [, zero] = rows.find(([value]) => value === 0n)!;
          const expected = texts(rows).flatMap((one) => (way === 'yields' ? [zero, one] : [one]));
          expect(written.map(([, one]) => one)).toEqual(expected);
          if (format === 'parquet') expect(new Set(written.map(([one]) => one))).toEqual(new Set([columnTypes[type]]));
          const failed = failuresOf(output);
          expect(failed.map(({ row }) => row)).toEqual(outside(rows));
          const [last] = rows.at(-1)!;
          expect(failed.at(-1)).toEqual({
            file: input,
            row: rows.length,
            type: 'CastError',
            message: `n: expected ${type}, which is ${range}, got ${last}`,
            record: { n: Number(last) },
          });
        });

    it('has the values of Parquet itself at both ends', async () => {
      const { output } = await folder.map(scripts.numbers, input, { types: { n: type }, maxErrors: 9 });
      const int = type === 'DATE' ? `n - DATE '1970-01-01'` : 'epoch_us(n)';
      const ints = await query(`SELECT CAST(${int} AS VARCHAR) FROM '${output}/part-00000.parquet'`);
      expect(ints.flat()).toEqual(rows.flatMap(([value, text]) => (text === null ? [] : [String(value)])));
    });

    it('ends a run in which no record may fail, and nothing is written', async () => {
      const output = folder.file(`ends-${type}`);
      await expect(folder.map(scripts.numbers, input, { types: { n: type }, output })).rejects.toThrow(
        `record 1: CastError: n: expected ${type}, which is ${range}, got -9223372036854775808`,
      );
      expect(existsSync(`${output}/part-00000.parquet`)).toBe(false);
      expect(existsSync(`${output}/_SUCCESS`)).toBe(false);
    });

    it('is null where there is none, whatever the int', async () => {
      const out = 'type Out { int n; boolean n_valid; }';
      for (const script of [
        `${out} export Out map(int n) { return { n: n, n_valid: false }; }`,
        `${out} export void map(int n) { Out o = { n: n, n_valid: false }; yield o; }`,
        `type Out { int[] n; boolean[] n_valid; }
         export Out mapBatch(int[] n) { return { n: n, n_valid: new boolean[n.length()] }; }`,
      ])
        for (const format of ['parquet', 'csv'] as const) {
          const { output } = await folder.map(script, input, { types: { n: type }, format });
          const nulls = `SELECT CAST(count(*) - count(n) AS VARCHAR) FROM ${reader[format]}('${output}/part-*')`;
          expect(await query(nulls)).toEqual([[String(rows.length)]]);
        }
    });

    it('comes out of a stream of Arrow', async () => {
      const n = Arrow.vectorFromArray(
        rows.map(([value]) => value),
        new Arrow.Int64(),
      );
      for (const text of [scripts.numbers, scripts.texts]) {
        const errors: string[] = [];
        const { output, counts } = await mapArrow(inPieces(streamOf({ n })), {
          script: folder.script(text),
          types: { n: type },
          maxErrors: 9,
          onErrors: (lines) => errors.push(...lines.trim().split('\n')),
        });
        const column = Arrow.tableFromIPC(await bytesOf(output)).getChild('n')!;
        expect(String(column.type)).toBe(arrowTypes[type]);
        // As they lie there: what Arrow makes of them are milliseconds.
        expect([...(column.data[0]!.values as Int32Array)].slice(0, column.length).map(String)).toEqual(
          rows.flatMap(([value, one]) => (one === null ? [] : [String(value)])),
        );
        expect(counts).toMatchObject({ read: rows.length, written: texts(rows).length });
        expect(errors.map((line) => (JSON.parse(line) as { row: number }).row)).toEqual(outside(rows));
      }
    });
  });

const orders = folder.write(
  'orders.csv',
  `country,day,at
DE,2026-01-02,2026-01-02 10:30:00.5
FR,2026-01-02,2026-01-03 00:00
DE,2026-01-05,2026-01-05 09:00
`,
);
const passing = `type Out { string country; int day; int at; }
  export Out map(string country, int day, int at) { return { country: country, day: day, at: at }; }`;

describe('--type', () => {
  it('writes what a record has as it came, in texts', async () => {
    const types = { day: 'DATE', at: 'TIMESTAMP' } as const;
    const { output } = await folder.map(passing, orders, { types, format: 'csv' });
    expect(readFileSync(`${output}/part-00000.csv`, 'utf8').split('\n').slice(0, 3)).toEqual([
      'country,day,at',
      'DE,2026-01-02,2026-01-02 10:30:00.5',
      'FR,2026-01-02,2026-01-03 00:00:00',
    ]);
    const lines = await folder.map(passing, orders, { types, format: 'ndjson' });
    expect(readFileSync(`${lines.output}/part-00000.ndjson`, 'utf8').split('\n')[0]).toBe(
      '{"country":"DE","day":"2026-01-02","at":"2026-01-02 10:30:00.5"}',
    );
    // What is written is what the same script takes.
    const again = await folder.map(passing, `${output}/part-00000.csv`, { types, format: 'csv' });
    expect(readFileSync(`${again.output}/part-00000.csv`)).toEqual(readFileSync(`${output}/part-00000.csv`));
  });

  it('of a column that is left as it came changes nothing of others', async () => {
    const { output } = await folder.map(passing, orders, { types: { day: 'DATE' } });
    expect(await query(`SELECT DISTINCT typeof(day), typeof("at") FROM '${output}/part-00000.parquet'`)).toEqual([
      ['DATE', 'BIGINT'],
    ]);
  });

  it('fails a record that yields what is none, whatever it catches, with all that it yields', async () => {
    const script = `type Out { int n; }
      export void map(int day) {
        Out good = { n: day };
        yield good;
        Out bad = { n: 9_000_000_000 };
        try { if (day == 20458) yield bad; } catch (e) { return; }
        yield good;
      }`;
    const { output, end } = await folder.map(script, orders, { types: { n: 'DATE' }, maxErrors: 1, format: 'csv' });
    expect(end).toMatchObject({ read: 3, written: 4, failed: 1 });
    expect(readFileSync(`${output}/part-00000.csv`, 'utf8')).toBe(`n\n${'2026-01-02\n'.repeat(4)}`);
    expect(failuresOf(output)).toMatchObject([{ row: 3, type: 'CastError', record: { day: '2026-01-05' } }]);
  });

  it('of mapBatch fails all records of the batch, as what it throws does', async () => {
    const script = 'type Out { int[] n; } export Out mapBatch(int[] n) { return { n: n }; }';
    const input = await folder.parquet(
      'batches.parquet',
      'SELECT CASE i WHEN 100 THEN 2147483647 ELSE i END AS n FROM range(10000) AS r(i)',
    );
    const { end } = await folder.map(script, input, { types: { n: 'DATE' }, maxErrors: 8192 });
    expect(end).toMatchObject({ read: 10_000, written: 10_000 - 8192, failed: 8192 });
  });

  const summing = `type State { int first; int last; }
    export State init() { return { first: 9_000_000_000_000, last: 0 }; }
    export void step(State s, int day) { if (day < s.first) s.first = day; if (day > s.last) s.last = day; }
    export void merge(State into, State from) {
      if (from.first < into.first) into.first = from.first;
      if (from.last > into.last) into.last = from.last;
    }
    export State finish(State s) { return s; }`;

  it('is of columns of summaries too, and what finish gives beyond them ends the run', async () => {
    const types = { first: 'DATE', last: 'DATE' } as const;
    const { output } = await folder.map(summing, orders, { types, by: 'country', format: 'csv' });
    expect(readFileSync(`${output}/summary.csv`, 'utf8')).toBe(
      'country,first,last\nDE,2026-01-02,2026-01-05\nFR,2026-01-02,2026-01-02\n',
    );
    const none = folder.write('none.csv', 'country,day\n');
    const failing = folder.map(summing, none, { types, output: folder.file('none') });
    await expect(failing).rejects.toThrow(/finish failed: CastError: first: expected DATE, .* got 9000000000000$/);
    expect(existsSync(folder.file('none/summary.parquet'))).toBe(false);
  });

  it('of what is mapped is that of groups, and of records that are summed up', async () => {
    const script = `${passing}\n${summing}`;
    for (const format of ['parquet', 'csv'] as const) {
      const { output } = await folder.map(script, orders, { types: { day: 'DATE' }, by: 'day', format });
      const summary = `${reader[format]}('${output}/summary.${format}')`;
      expect(await query(`SELECT typeof(day), CAST(day AS VARCHAR), CAST(first AS VARCHAR) FROM ${summary}`)).toEqual([
        ['DATE', '2026-01-02', '20455'],
        ['DATE', '2026-01-05', '20458'],
      ]);
    }
  });

  it('with a zone is that of groups and of what is summed up too', async () => {
    const script = `${passing}\n${summing.replaceAll('int day', 'int at').replaceAll('day', 'at')}`;
    const types = { at: 'TIMESTAMPTZ', last: 'TIMESTAMPTZ' } as const;
    const { output } = await folder.map(script, orders, { types, by: 'at' });
    const summary = `'${output}/summary.parquet'`;
    expect(
      await query(`SELECT typeof("at"), CAST("at" AS VARCHAR), CAST(last = "at" AS VARCHAR) FROM ${summary}`),
    ).toEqual([
      ['TIMESTAMP WITH TIME ZONE', '2026-01-02 10:30:00.5+00', 'true'],
      ['TIMESTAMP WITH TIME ZONE', '2026-01-03 00:00:00+00', 'true'],
      ['TIMESTAMP WITH TIME ZONE', '2026-01-05 09:00:00+00', 'true'],
    ]);
  });

  it('of a summary of a stream of Arrow', async () => {
    const day = Arrow.vectorFromArray([20_458n, 20_455n], new Arrow.Int64());
    const mapped = await mapStream(folder, summing, streamOf({ day }), { types: { first: 'DATE' } });
    expect(mapped.types).toEqual({ first: 'Date32<DAY>', last: 'Int64' });
    expect(mapped.rows).toEqual([{ first: Date.UTC(2026, 0, 2), last: 20_458n }]);
  });

  it('is what a merge is checked with', async () => {
    const script = folder.script(summing);
    const plan = await planMap({ script, input: orders, output: folder.file('check'), types: { first: 'DATE' } });
    expect(await checkMerge(plan)).toMatchObject({ records: 3, differences: [] });
  });

  it('is said by a plan', async () => {
    const types = { day: 'DATE', at: 'TIMESTAMP' } as const;
    const options: MapOptions = { script: folder.script(passing), input: orders, output: folder.file('plan'), types };
    expect(
      describePlan(await planMap(options))
        .split('\n')
        .slice(5, 9),
    ).toEqual([
      `output       ${folder.file('plan')} (parquet)`,
      '  country → VARCHAR',
      '  day     → DATE      the int is days since 1970-01-01',
      '  at      → TIMESTAMP the int is microseconds since 1970-01-01, UTC',
    ]);
  });

  it('makes a run another one, by its options', async () => {
    const input = await folder.parquet(
      'groups.parquet',
      `SELECT 'DE' AS country, DATE '2026-01-02' + CAST(i % 9 AS INTEGER) AS day, i AS "at" FROM range(8192) AS r(i)`,
      ', ROW_GROUP_SIZE 2048',
    );
    // A record fails behind the first partitions, and with an error that may be the run goes on behind them.
    const script = folder.script(passing.replace('return', 'if (at == 8000) throw "late"; return'));
    const output = folder.file('resumed');
    const run = async (types: MapOptions['types'] & object, resume: boolean, maxErrors = 0): Promise<void> => {
      const plan = await planMap({ script, input, output, partitionRows: 2048, types, maxErrors });
      for await (const _ of runMap(plan, { threads: 1, resume })) continue;
    };
    await expect(run({ day: 'DATE' }, false)).rejects.toThrow('late');
    for (const types of [{}, { day: 'TIMESTAMP' }, { at: 'DATE' }] as const)
      await expect(run(types, true)).rejects.toThrow(
        'the output of another run: the options differ; give another folder',
      );
    await run({ day: 'DATE' }, true, 1);
    expect(await query(`SELECT DISTINCT typeof(day) FROM '${output}/part-*.parquet'`)).toEqual([['DATE']]);
  });

  it.each([
    [{ dya: 'DATE' }, '--type dya=DATE: the script gives no such column: did you mean day?; it gives country, day, at'],
    [
      { day: 'DATTE' },
      '--type day=DATTE: a column of ints is written as DATE, TIMESTAMP or TIMESTAMPTZ: did you mean DATE?',
    ],
    [{ day: 'BIGINT' }, '--type day=BIGINT: a column of ints is written as DATE, TIMESTAMP or TIMESTAMPTZ'],
    [{ country: 'DATE' }, '--type country=DATE: country is string, and columns of ints have such types'],
  ])('refuses %j', async (types, message) => {
    const options = { script: folder.script(passing), input: orders, output: folder.file('refused') };
    await expect(planMap({ ...options, types: types as never })).rejects.toThrow(message);
  });

  it('refuses a column of groups, whose type is that of the input', async () => {
    const options = { script: folder.script(summing), input: orders, output: folder.file('refused'), by: 'country' };
    await expect(planMap({ ...options, types: { country: 'DATE' } })).rejects.toThrow(
      '--type country=DATE: country is a column of --by, and keeps the type that it has',
    );
  });

  it('takes names of types in any case', async () => {
    const { output } = await folder.map(passing, orders, { types: { day: 'date' as 'DATE' } });
    expect(await query(`SELECT DISTINCT typeof(day) FROM '${output}/part-00000.parquet'`)).toEqual([['DATE']]);
  });
});
