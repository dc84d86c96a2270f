// Lines of CSV with more or fewer fields than the first: dead letters as other records are.

import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { TooManyErrors } from 'sluice-map';
import type { MapOptions } from 'sluice-map';
import { afterAll, describe, expect, it } from 'vitest';
import { failuresOf, hashesOf, MapFolder } from './harness.ts';

const folder = new MapFolder();
afterAll(() => folder.remove());

const pairs = `type Out { string a; int b; }
  export Out map(string a, int b) { if (b < 0) throw "negative"; return { a: a, b: b }; }`;

async function mapped(
  content: string | Uint8Array,
  options: Partial<MapOptions> = {},
  { name = 'ragged.csv', script = pairs } = {},
): Promise<{ readonly rows: string; readonly failures: readonly unknown[] }> {
  const input = folder.write(name, content);
  const { output } = await folder.map(script, input, { maxErrors: 100, format: 'csv', ...options });
  const parts = readdirSync(output).filter((file) => /^(?:part|summary)/.test(file));
  return {
    rows: parts.map((file) => readFileSync(`${output}/${file}`, 'utf8')).join(''),
    failures: readdirSync(output).includes('_errors') ? failuresOf(output) : [],
  };
}

const failed = (row: number, line: number, fields: string, text: string): object => ({
  row,
  type: 'ParseError',
  message: `line ${line} has ${fields}, and the first line 2: ${JSON.stringify(text)}`,
});

describe('a line of other length', () => {
  it('is a dead letter with its line, and its fields as far as there are columns', async () => {
    const content = 'a,b\n1,2\n3\n4,5,6\n"x\ny",7\n8,"9\n9",1\n10,11,\n\n12,13\n1,x\n14,-1\n15';
    const { rows, failures } = await mapped(content);
    expect(rows).toBe('a,b\n1,2\n"x\ny",7\n10,11\n12,13\n');
    expect(failures).toEqual([
      { ...failed(2, 3, '1 field', '3'), file: folder.file('ragged.csv'), record: { a: '3', b: null } },
      expect.objectContaining({ ...failed(3, 4, '3 fields', '4,5,6'), record: { a: '4', b: '5' } }),
      expect.objectContaining({ ...failed(5, 7, '3 fields', '8,"9\n9",1'), record: { a: '8', b: '9\n9' } }),
      expect.objectContaining({ row: 8, type: 'CastError', message: 'b: expected int, got "x"' }),
      expect.objectContaining({ row: 9, type: 'Error', message: 'negative', record: { a: '14', b: '-1' } }),
      expect.objectContaining({ ...failed(10, 14, '1 field', '15'), record: { a: '15', b: null } }),
    ]);
  });

  it.each([
    ['ends with a carriage return too', 'a,b\r\n1,2\r\n3\r\n4,5\r\n', {}],
    ['stands behind a byte order mark', '\ufeffa,b\n1,2\n3\n4,5\n', {}],
    ['is compressed', gzipSync('a,b\n1,2\n3\n4,5\n'), { name: 'ragged.csv.gz' }],
    ['has tabs', 'a\tb\n1\t2\n3\n4\t5\n', { name: 'ragged.tsv' }],
    [
      'goes into columns',
      'a,b\n1,2\n3\n4,5\n',
      {
        script: 'type Out { string[] a; int[] b; } export Out mapBatch(string[] a, int[] b) { return { a: a, b: b }; }',
      },
    ],
    [
      'goes where no column is taken',
      'a,b\n1,2\n3\n4,5\n',
      {
        script: `type Out { string a; int b; } int n = 0;
          export Out map() { n++; return { a: n == 1 ? "1" : "4", b: n == 1 ? 2 : 5 }; }`,
      },
    ],
  ])('that %s', async (_, content, how) => {
    const { rows, failures } = await mapped(content, {}, how);
    expect(rows).toBe('a,b\n1,2\n4,5\n');
    expect(failures).toMatchObject([failed(2, 3, '1 field', '3')]);
  });

  it('has a quote behind one space, and text behind two', async () => {
    const { rows, failures } = await mapped('\ufeff"a",b\n1\n "x,y",1\n  "x,y",1\n');
    expect(rows).toBe('a,b\n"x,y",1\n');
    expect(failures).toMatchObject([failed(1, 2, '1 field', '1'), failed(3, 4, '3 fields', '  "x,y",1')]);
  });

  it('may be each one but the first, and the only column may be empty', async () => {
    expect(await mapped('a,b\n1\n2,3,4\n5,6\n')).toMatchObject({ rows: 'a,b\n5,6\n', failures: [{}, {}] });
    const script = 'type Out { string a; } export Out map(string a) { return { a: a }; }';
    expect(await mapped('a\n1\n\n2,3\n4,\n', {}, { script })).toMatchObject({
      rows: 'a\n1\n\n4\n',
      failures: [{ row: 3, message: 'line 4 has 2 fields, and the first line 1: "2,3"', record: { a: '2' } }],
    });
  });

  it('leaves sums, groups and units alone', async () => {
    const script = `type S { int sum; } export S init() { return { sum: 0 }; }
      export void step(S s, int b) { s.sum += b; } export void merge(S a, S b) { a.sum += b.sum; }
      export S finish(S s) { return s; }`;
    const content = 'a,b\nx,1\ny\nz,2026-01-02,\nz,2026-01-02,1\nz,2026-01-02,1\nx,2\nu,3\n';
    const { rows, failures } = await mapped(content, { by: ['a'] }, { script });
    expect(rows).toBe('a,sum\nx,3\nu,3\n');
    expect(failures).toMatchObject([
      failed(2, 3, '1 field', 'y'),
      { row: 3, type: 'CastError' },
      failed(4, 5, '3 fields', 'z,2026-01-02,1'),
      failed(5, 6, '3 fields', 'z,2026-01-02,1'),
    ]);
  });

  it('counts for --max-errors, and ends a run that allows none', async () => {
    await expect(mapped('a,b\n1\n2\n3,4\n', { maxErrors: 1 })).rejects.toThrow(TooManyErrors);
    await expect(mapped('a,b\n1\n2\n3,4\n', { maxErrors: '60%' })).rejects.toThrow(
      'ragged.csv, record 1: ParseError: line 2 has 1 field, and the first line 2: "1" ' +
        '(more than --max-errors=60% of the records failed)',
    );
    await expect(mapped('a,b\n1,2\n2\n', { maxErrors: 0 })).rejects.toThrow(
      'ragged.csv: line 3: Expected Number of Columns: 2 Found: 1; with --max-errors such a line is a dead letter',
    );
  });

  it('does not hide what is broken beside it', async () => {
    const begin = `a,b\n1\n${'2,3\n'.repeat(50_000)}`;
    await expect(mapped(`${begin}4,5\r\n`)).rejects.toThrow('ragged.csv: line 50003 ends with \\r\\n, and the first');
    await expect(mapped(`${begin}"4"4,5\n`)).rejects.toThrow('ragged.csv: line 50003: Value with unterminated quote');
    const whole = gzipSync(begin);
    await expect(mapped(whole.subarray(0, -5), {}, { name: 'cut.csv.gz' })).rejects.toThrow('its end is missing');
  });
});

it('many of them, in more text than is read at once, give the same bytes with any threads', async () => {
  const lines = Array.from({ length: 30_000 }, (_, at) => {
    const text = `"${'é,"" \n'.repeat(at % 40)}"`;
    return at % 997 === 7 ? `${at},${text},1` : at % 991 === 5 ? String(at) : `${text},${at}`;
  });
  const input = folder.write('many.csv', `a,b\n${lines.join('\n')}\n`);
  const runs: Record<string, string>[] = [];
  for (const threads of [1, 2, 8]) {
    const options = { threads, partitionRows: 7000, maxErrors: '1%', format: 'csv' } as const;
    const { output, end } = await folder.map(pairs, input, options);
    const wrong = lines.flatMap((line, at) => (/^\d/.test(line) ? [at + 1] : []));
    expect(end).toMatchObject({ read: 30_000, failed: wrong.length, written: 30_000 - wrong.length, partitions: 5 });
    expect(failuresOf(output).map(({ row }) => row)).toEqual(wrong);
    const last = failuresOf(output).at(-1)!;
    const before = `a,b\n${lines.slice(0, last.row - 1).join('\n')}`.split('\n').length;
    expect(last.message).toMatch(new RegExp(`^line ${before + 1} has \\d fields?, and`));
    runs.push(hashesOf(output));
  }
  expect(runs[1]).toEqual(runs[0]);
  expect(runs[2]).toEqual(runs[0]);
});
