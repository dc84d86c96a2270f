// CSV and NDJSON whose values all fit are staged as values alone: what comes of them is the same, and what does not fit
// is told as where texts are kept beside.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { failuresOf, MapFolder, rowsOf } from './harness.ts';

const folder = new MapFolder();
afterAll(() => folder.remove());

const script = `type O { int at; double x; boolean is; boolean x_valid; }
export O map(int at, double x, boolean is, boolean x_valid, boolean at_valid) {
  return { at: at_valid ? at : -1, x: x, is: is, x_valid: x_valid };
}`;

const fields: readonly (readonly [at: string, x: string, is: string])[] = [
  ['1', '1.5', 'true'],
  [' -12 ', '1e3', 'false'],
  ['', '', 'TRUE'],
  ['9223372036854775807', ' 7 ', 'f'],
];

const lines = (rows: readonly (readonly string[])[]): string => rows.map((row) => `${row.join(',')}\n`).join('');

describe('values that all fit', () => {
  it.each(['csv', 'ndjson'])('give what they give where dead letters may be: %s', async (format) => {
    const json = fields.map(([at, x, is]) =>
      JSON.stringify({
        at: at === '' ? null : Number(at) === 2 ** 63 ? 12 : Number(at),
        x: x === '' ? null : Number(x),
        is: /^t/i.test(is),
      }),
    );
    const text = format === 'csv' ? `at,x,is\n${lines(fields)}` : `${json.join('\n')}\n`;
    const input = folder.write(`all.${format}`, text);
    const [alone, beside] = [await folder.map(script, input), await folder.map(script, input, { maxErrors: 1 })];
    const rows = await rowsOf(alone.output);
    expect(rows).toHaveLength(fields.length);
    expect(rows[2]).toBe('{"at":-1,"x":null,"is":true}');
    expect(await rowsOf(beside.output)).toEqual(rows);
  });

  it('may be those of some files: dates in one count for all', async () => {
    const ofDays =
      'type O { int day; } export O map(int day, boolean day_valid) { return { day: day_valid ? day : 0 }; }';
    const files = ['\n', '2026-01-02\n', '2026-01-03\n'].map((line, at) =>
      folder.write(`days-${at}.csv`, `day,other\n${line.replace('\n', ',x\n')}`),
    );
    const { output } = await folder.map(ofDays, files);
    expect(await rowsOf(output)).toEqual(['{"day":0}', '{"day":20455}', '{"day":20456}']);
  });

  it('are told apart from a number that is none by its file and record', async () => {
    const files = [fields, fields, [...fields, ['3.5', '1', 'true'], ['n/a', '1', 'true']]].map((rows, at) =>
      folder.write(`late-${at}.csv`, `at,x,is\n${lines(rows)}`),
    );
    await expect(folder.map(script, files)).rejects.toThrow(/late-2\.csv, record 5: CastError: .*3\.5/);
  });

  it.each([
    ['x', '1,one,true', 'one'],
    ['is', '1,1,perhaps', 'perhaps'],
    ['at', '9223372036854775808,1,true', '9223372036854775808'],
  ])('are told apart from one that is no %s', async (name, line, value) => {
    const input = folder.write(`no-${name}.csv`, `at,x,is\n${lines(fields)}${line}\n`);
    await expect(folder.map(script, input)).rejects.toThrow(
      new RegExp(`no-${name}\\.csv, record ${fields.length + 1}: CastError: .*${value}`),
    );
  });

  it('do not hide a line that is none', async () => {
    const input = folder.write('ragged.csv', `at,x,is\n${lines(fields)}n/a,1,true\n1,2\n`);
    await expect(folder.map(script, input)).rejects.toThrow(/ragged\.csv: .*with --max-errors/);
  });

  it('are staged again as records where a run goes on with dead letters', async () => {
    const throwing = 'type O { int at; } export O map(int at) { if (at == 2) throw "two"; return { at: at }; }';
    const input = folder.write('goes-on.csv', 'at,x\n1,a\n2,b\n3,c\n');
    const output = folder.file('goes-on');
    await expect(folder.map(throwing, input, { output })).rejects.toThrow(/record 2: Error: two/);
    expect(readdirSync(join(output, '_staging')).filter((name) => name.endsWith('.parquet'))).toEqual([
      '0.fitting.parquet',
    ]);
    await folder.map(throwing, input, { output, resume: true, maxErrors: 1 });
    expect(await rowsOf(output)).toEqual(['{"at":1}', '{"at":3}']);
    expect(failuresOf(output).map(({ row }) => row)).toEqual([2]);
  });
});
