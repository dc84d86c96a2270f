// Scripts over numbers run within the query that reads and writes, and others get batches: what is written has to be
// the same.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failuresOf, hashesOf, MapFolder, query } from './harness.ts';

const folder = new MapFolder();
afterAll(() => folder.remove());

/** Nulls lie in some chunks and not in others; partitions end within chunks. */
let records: string;
beforeAll(async () => {
  records = await folder.parquet(
    'records.parquet',
    `SELECT i AS id, CASE WHEN i // 3000 % 2 = 1 AND i % 7 = 0 THEN NULL ELSE i / 4 END AS x,
       CASE WHEN i % 5000 = 4999 THEN NULL ELSE CAST(i % 100 AS INTEGER) END AS n, i % 3 = 0 AS b,
       CASE WHEN i % 11 = 0 THEN NULL ELSE 'k' || (i % 40) END AS k
     FROM range(20000) AS t(i)`,
    ', ROW_GROUP_SIZE 5000',
  );
});

const parameters = 'int id, double x, boolean x_valid, int n, boolean b, string k, int from';

/** Skips some, fails for some, and gives nulls for some; with a text that is written where that is wanted. */
function script(isText: boolean): string {
  const [field, value] = isText ? [' string text;', ', text: "t"'] : ['', ''];
  return `type Out { int id; double x; boolean x_valid; int n; boolean b; boolean b_valid;${field} }
    export Out map(${parameters}) {
      if (id % 10 < from) return null;
      if (id % 997 == 0) throw "no";
      if (k == "k5" && id % 400 == 5) throw \`key \${id}\`;
      int[] one = [n];
      int shown = one[id % 1009 == 1 ? 1 : 0] + (k == null ? 1000 : k.length());
      return { id: id, x: x, x_valid: x_valid, n: shown, b: b, b_valid: id % 13 != 0${value} };
    }`;
}

const options = {
  arguments: { from: 2 },
  nulls: { n: { value: '7' } },
  maxErrors: 5000,
  partitionRows: 6500,
} as const;

describe('records of numbers', () => {
  for (const format of ['parquet', 'csv', 'ndjson'] as const)
    it(`are written to ${format} as those with a text beside them`, async () => {
      const inside = await folder.map(script(false), records, { ...options, format, threads: 2 });
      const outside = await folder.map(script(true), records, { ...options, format });
      expect(inside.end).toMatchObject({ read: 20000 });
      expect(inside.end).toEqual({ ...outside.end, written: inside.end.written });
      const read = { parquet: 'read_parquet', csv: 'read_csv', ndjson: 'read_json' }[format];
      const values = [`id`, `coalesce(CAST(x AS VARCHAR), '-')`, `n`, `coalesce(CAST(b AS VARCHAR), '-')`].join(', ');
      const rows = async (output: string): Promise<unknown> =>
        query(`SELECT concat_ws(',', ${values}) FROM ${read}('${output}/part-*.${format}')`);
      const found = (await rows(inside.output)) as unknown[];
      expect(found).toHaveLength(inside.end.written);
      expect(found).toEqual(await rows(outside.output));
      const told = (output: string): unknown[] =>
        JSON.parse(JSON.stringify(failuresOf(output)).replaceAll(/script-\w+/g, 'script')) as unknown[];
      expect(told(inside.output)).toHaveLength(inside.end.failed);
      expect(told(inside.output)).toEqual(told(outside.output));
    });

  it('have the same bytes with any number of threads', async () => {
    const [one, three] = await Promise.all(
      [1, 3].map(async (threads) => (await folder.map(script(false), records, { ...options, threads })).output),
    );
    expect(hashesOf(one!)).toEqual(hashesOf(three!));
  });

  it('of which none is left give a file without any', async () => {
    const { output, end } = await folder.map(script(false), records, { ...options, arguments: { from: 10 } });
    expect(end).toMatchObject({ read: 20000, written: 0, failed: 0 });
    expect(await query(`SELECT CAST(count(*) AS VARCHAR) FROM read_parquet('${output}/part-*.parquet')`)).toEqual([
      ['0'],
    ]);
  });

  it('may be left alone by the script', async () => {
    const { output } = await folder.map('type Out { int one; } export Out map() { return { one: 1 }; }', records);
    expect(await query(`SELECT CAST(sum(one) AS VARCHAR) FROM read_parquet('${output}/part-*.parquet')`)).toEqual([
      ['20000'],
    ]);
  });

  it('end with the sentence of what failed first', async () => {
    await expect(folder.map(script(false), records, { ...options, maxErrors: 0 })).rejects.toThrow(
      `${records}, record 6: Error: key 5 (more than --max-errors=0 records failed)`,
    );
  });

  it('that hit a limit are left out', async () => {
    const endless = `type Out { int id; } export Out map(int id) {
      while (id % 9000 == 8000) { }
      return { id: id };
    }`;
    const { output, end } = await folder.map(endless, records, { maxErrors: 3, limits: { timeMs: 100 } });
    expect(end).toMatchObject({ read: 20000, written: 19998, failed: 2 });
    expect(failuresOf(output)).toMatchObject([
      { row: 8001, type: 'TimeoutError' },
      { row: 17001, type: 'TimeoutError' },
    ]);
    expect(readFileSync(`${output}/_SUCCESS`, 'utf8')).toContain('"failed": 2');
  });
});
