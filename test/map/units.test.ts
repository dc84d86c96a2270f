// Fields of CSV for an int: whole numbers, dates in days, and dates with times in microseconds, each by its own text.

import { afterAll, describe, expect, it } from 'vitest';
import { Database } from '../../map/duckdb/database.ts';
import { numberSql, unitOf, units, unitSql } from '../../map/plan/units.ts';
import { failuresOf, MapFolder, rowsOf } from './harness.ts';

const folder = new MapFolder();
afterAll(() => folder.remove());

const script = 'type O { int day; } export O map(int day) { return { day: day }; }';
const moment = Date.UTC(2026, 0, 2, 10) * 1000;

/** What comes of a column: its rows, and which records failed. */
async function mapped(fields: readonly string[]): Promise<readonly [rows: string[], failed: number[]]> {
  const input = folder.write(`${fields.length}.csv`, `day\n${fields.join('\n')}\n`);
  const { output } = await folder.map(script, input, { maxErrors: fields.length });
  return [await rowsOf(output), failuresOf(output).map(({ row }) => row)];
}

describe('a field', () => {
  it.each<[string, number | null, number | null]>([
    ['12', 12, 0],
    [' -12 ', -12, 0],
    ['9223372036854775808', null, null],
    ['3.0', null, null],
    ['1e3', null, null],
    ['n/a', null, null],
    ['2026-01-02', 20455, 1],
    ['2026/01/02', 20455, 1],
    ['2026-1-2', 20455, 1],
    [' 2026-01-02 ', 20455, 1],
    ['1969-12-31', -1, 1],
    ['2026-02-30', null, null],
    ['01/02/2026', null, null],
    ['infinity', null, null],
    ['20260102', 20260102, 0],
    ['2026-01-02 10:00:00', moment, 2],
    ['2026-01-02T10:00', moment, 2],
    ['2026-01-02T10:00:00Z', moment, 2],
    ['2026-01-02 10:00:00.5', moment + 500_000, 2],
    ['2026-01-02 10:00:00.123456000', moment + 123_456, 2],
    ['2026-01-02 10:00:00.1234567', null, null],
    ['2026-01-02 10:00:00+02', null, null],
    ['2026-01-02 25:00:00', null, null],
  ])('%j is %j', async (field, value, unit) => {
    const database = await Database.open({ threads: 1, memoryBytes: 2 ** 28, temporary: '', reach: 'everything' });
    try {
      const found = await database.texts(
        `SELECT CAST(${numberSql('x')} AS VARCHAR), CAST(${unitSql('x')} AS VARCHAR) FROM (SELECT '${field}' AS x)`,
      );
      expect(found).toEqual([[value, unit].map((each) => (each === null ? null : String(each)))]);
    } finally {
      database.close();
    }
  });
});

describe('a column', () => {
  it.each([0, 1, 2])('of dates has one dead letter for one that is none, wherever it stands: %i', async (at) => {
    expect(await mapped(['2026-01-02', '2026-01-03'].toSpliced(at, 0, 'n/a'))).toEqual([
      ['{"day":20455}', '{"day":20456}'],
      [at + 1],
    ]);
  });

  it('has the unit of most of its fields, in any order and behind what a sample would see', async () => {
    const days = Array.from({ length: 30_000 }, () => '2026-01-02');
    const [rows, failed] = await mapped(['2026-01-02 10:00:00', '7', ...days, '2026-01-02 11:00:00']);
    expect(new Set(rows)).toEqual(new Set(['{"day":20455}']));
    expect([rows.length, failed]).toEqual([30_000, [1, 2, 30_003]]);
    expect(await mapped(['2026-01-03', '2026-01-02 10:00:00', '', '2026-01-02T10:00:00Z'])).toEqual([
      [`{"day":${moment}}`, `{"day":${moment}}`],
      [1, 3],
    ]);
    expect(await mapped(['1', '2', '2026-01-02'])).toEqual([['{"day":1}', '{"day":2}'], [3]]);
  });

  it('has it of all files', async () => {
    const files = [
      folder.write('one.csv', 'day\n2026-01-02 10:00:00\n'),
      folder.write('two.csv', 'day\n2026-01-02\n2026-01-03\n'),
    ];
    const { output } = await folder.map(script, files, { maxErrors: 1 });
    expect(await rowsOf(output)).toEqual(['{"day":20455}', '{"day":20456}']);
  });

  it('that has two as often is refused, whichever comes first', async () => {
    for (const fields of [
      ['2026-01-02 10:00:00', '2026-01-03'],
      ['2026-01-03', '2026-01-02 10:00:00'],
    ])
      await expect(mapped(fields)).rejects.toThrow(
        'the column day has as many dates as dates with times (1), and an int of them would have two units: ' +
          'take it as string',
      );
  });

  it('goes by the unit of which there are most', () => {
    expect(units.map(({ many }) => many)).toEqual(['whole numbers', 'dates', 'dates with times']);
    expect(unitOf('x', [0, 0, 0])).toBe(0);
    expect(unitOf('x', [1, 3, 2])).toBe(1);
    expect(() => unitOf('x', [2, 0, 2])).toThrow('as many whole numbers as dates with times (2)');
  });
});
