// Records of Parquet files through scripts: what goes in and comes out, by all three kinds of functions.

import { afterAll, describe, expect, it } from 'vitest';
import { failuresOf, MapFolder, query, rowsOf } from './harness.ts';

const folder = new MapFolder();
afterAll(() => folder.remove());

const sales = await folder.parquet(
  'sales.parquet',
  `SELECT i AS id, i * 0.5 AS price, (i % 7)::INTEGER AS quantity, ['DE', 'FR', NULL][1 + i % 3] AS country,
   'a longer name of number ' || i AS name FROM range(20000) AS r(i)`,
  ', ROW_GROUP_SIZE 5000',
);

describe('map', () => {
  it('gives a record for each, or none', async () => {
    const { output, end } = await folder.map(
      `type Out { int id; double total; string band; string name; boolean even; }
       export Out map(int id, double price, int quantity, string country, string name, int limit) {
         if (id % 2 == 1) return null;
         return { id: id, total: price * quantity, band: quantity > limit ? "bulk" : country, 
            name: name, even: id % 4 == 0 };
       }`,
      sales,
      { arguments: { limit: 4 } },
    );
    expect(end).toMatchObject({ phase: 'done', rows: 20000, read: 20000, written: 10000, failed: 0, done: 1 });
    expect((await rowsOf(output)).slice(0, 4)).toEqual([
      '{"id":0,"total":0.0,"band":"DE","name":"a longer name of number 0","even":true}',
      '{"id":2,"total":2.0,"band":null,"name":"a longer name of number 2","even":false}',
      '{"id":4,"total":8.0,"band":"FR","name":"a longer name of number 4","even":true}',
      '{"id":6,"total":18.0,"band":"bulk","name":"a longer name of number 6","even":false}',
    ]);
    const [[differing]] = (await query(
      `SELECT CAST(count(*) AS VARCHAR) FROM '${output}/part-00000.parquet' AS o JOIN '${sales}' AS i USING (id) ` +
        `WHERE o.name <> i.name OR o.total <> i.price * i.quantity OR ` +
        `o.band IS DISTINCT FROM CASE WHEN i.quantity > 4 THEN 'bulk' ELSE i.country END`,
    )) as [[string]];
    expect(differing).toBe('0');
  });

  it('yields any number of records; those of a record that fails do not count', async () => {
    const { output, end } = await folder.map(
      `type Out { int id; string text; json tags; }
       export void map(int id) {
         for (int i = 0; i < id % 3; i++) {
           Out o = { id: id, text: i == 0 ? null : \`\${i}\`, tags: [id, i] };
           yield o;
         }
         if (id == 5) throw "five";
       }`,
      sales,
      { maxErrors: 1, format: 'ndjson' },
    );
    expect(end).toMatchObject({ read: 20000, failed: 1 });
    expect((await rowsOf(output)).slice(0, 4)).toEqual([
      '{"id":1,"text":null,"tags":[1,0]}',
      '{"id":2,"text":null,"tags":[2,0]}',
      '{"id":2,"text":"1","tags":[2,1]}',
      '{"id":4,"text":null,"tags":[4,0]}',
    ]);
    expect(failuresOf(output)).toMatchObject([{ row: 6, type: 'Error', message: 'five', record: { id: 5 } }]);
  });
});

describe('void map', () => {
  it('yields more than a batch has records, with nulls that begin late, and a record that fails', async () => {
    const { output, end } = await folder.map(
      `type Out { int id; double part; boolean part_valid; string text; }
       export void map(int id) {
         for (int i = 0; i < 5; i++) {
           Out o = { id: id, part: id + i * 0.5, part_valid: id < 7000 || i > 0, text: null };
           if (id % 3 != 0 || id <= 7000) o.text = \`\${id}\`;
           yield o;
           if (id == 9000 && i == 2) throw "nine thousand";
         }
         Out none = null;
         yield none;
       }`,
      sales,
      { maxErrors: 1 },
    );
    expect(end).toMatchObject({ read: 20000, failed: 1, written: 19999 * 5 });
    const [[differing, nulls, texts]] = (await query(
      `SELECT CAST(count(*) FILTER (part IS DISTINCT FROM ` +
        `CASE WHEN id >= 7000 AND place = 0 THEN NULL ELSE id + place * 0.5 END) AS VARCHAR), ` +
        `CAST(count(*) FILTER (part IS NULL) AS VARCHAR), CAST(count(*) FILTER (text IS NULL) AS VARCHAR) ` +
        `FROM (SELECT *, (row_number() OVER () - 1) % 5 AS place FROM '${output}/part-00000.parquet')`,
    )) as [[string, string, string]];
    expect([differing, nulls, texts]).toEqual(['0', '12999', String(4332 * 5)]);
    expect(failuresOf(output)).toMatchObject([{ message: 'nine thousand', record: { id: 9000 } }]);
  });

  it('yields from a file that the script imports', async () => {
    folder.write('shapes.slu', 'type Pair { int id; } export void twice(Pair p) { yield p; yield p; }');
    const { output } = await folder.map(
      'import "shapes.slu" as shapes; export void map(int id) { if (id < 2) shapes.twice({ id: id }); }',
      sales,
    );
    expect(await rowsOf(output)).toEqual(['{"id":0}', '{"id":0}', '{"id":1}', '{"id":1}']);
  });
});

describe('mapBatch', () => {
  const script = `type Out { double[] total; string[] band; boolean[] large; boolean[] total_valid; }
    export Out mapBatch(double[] price, int[] quantity, string[] country, int limit) {
      int n = price.length();
      Out out = { total: new double[n], band: new string[n], large: new boolean[n], total_valid: new boolean[n] };
      for (int i = 0; i < n; i++) {
        if (quantity[i] < 0) throw "negative";
        out.total[i] = price[i] * quantity[i];
        out.band[i] = country[i];
        out.large[i] = quantity[i] > limit;
        out.total_valid[i] = quantity[i] != 3;
      }
      return out;
    }`;

  it('takes and gives columns', async () => {
    const { output, end } = await folder.map(script, sales, { arguments: { limit: 4 } });
    expect(end).toMatchObject({ read: 20000, written: 20000 });
    expect((await rowsOf(output)).slice(2, 6)).toEqual([
      '{"total":2.0,"band":null,"large":false}',
      '{"total":null,"band":"DE","large":false}',
      '{"total":8.0,"band":"FR","large":false}',
      '{"total":12.5,"band":null,"large":true}',
    ]);
  });

  it('leaves out rows that cannot go to it, and fails with all rows of the batch', async () => {
    const holes = await folder.parquet(
      'holes.parquet',
      `SELECT CASE WHEN i = 1 THEN NULL ELSE i * 1.5::DOUBLE END AS price, i AS quantity, 'x' AS country
       FROM range(4) AS r(i)`,
    );
    const { output } = await folder.map(script, holes, { arguments: { limit: 0 }, nulls: { price: 'skip' } });
    expect(await rowsOf(output)).toEqual([
      '{"total":0.0,"band":"x","large":false}',
      '{"total":6.0,"band":"x","large":true}',
      '{"total":null,"band":"x","large":true}',
    ]);
    const negative = await folder.parquet(
      'negative.parquet',
      `SELECT 1.0::DOUBLE AS price, i - 1 AS quantity, 'x' AS country FROM range(3) AS r(i)`,
    );
    const failed = await folder.map(script, negative, { arguments: { limit: 0 }, maxErrors: 3 });
    expect(failed.end).toMatchObject({ read: 3, written: 0, failed: 3 });
    expect(failuresOf(failed.output).map(({ row, message }) => [row, message])).toEqual([
      [1, 'negative'],
      [2, 'negative'],
      [3, 'negative'],
    ]);
  });

  it('gives columns of one length', async () => {
    const { output } = await folder.map(
      `type Out { double[] a; int[] b; }
       export Out mapBatch(double[] price) { return { a: price, b: [1] }; }`,
      sales,
      { maxErrors: 20000 },
    );
    expect(failuresOf(output)[0]).toMatchObject({ row: 1, message: 'b has 1 elements, and a 8192' });
  });
});

describe('values', () => {
  it('are converted as the plan says', async () => {
    const kinds = await folder.parquet(
      'kinds.parquet',
      `SELECT DATE '2024-02-29' AS day, DATE '2024-02-29' AS daytext, TIMESTAMP '2024-01-01 00:00:01.5' AS moment,
       TIMESTAMPTZ '2024-01-01 02:00:00+02' AS zoned, 12345678901234.56::DECIMAL(18,2) AS exact,
       1.25::DECIMAL(6,2) AS near, true AS flag, 3::UTINYINT AS small, 1.5::FLOAT AS single,
       'b35cb9a4-6e0a-4d2b-8d8f-1a2b3c4d5e6f'::UUID AS id, [1.5, 2.5] AS list, {'a': 1, 'b': 'x'} AS pair,
       '{"k": [1, null]}'::JSON AS doc, 'é😀' AS text`,
    );
    const { output } = await folder.map(
      `type Pair { int a; string b; }
       type Out { string all; }
       export Out map(int day, string daytext, int moment, int zoned, string exact, double near, boolean flag, int small,
           double single, string id, double[] list, Pair pair, json doc, string text) {
         return { all: \`\${day} \${daytext} \${moment} \${zoned} \${exact} \${near} \${flag} \${small} \${single} \${id} \${list.sum()} \${pair.b} \${doc.k} \${text}\` };
       }`,
      kinds,
    );
    expect(await rowsOf(output)).toEqual([
      '{"all":"19782 2024-02-29 1704067201500000 1704067200000000 12345678901234.56 1.25 true 3 1.5 ' +
        'b35cb9a4-6e0a-4d2b-8d8f-1a2b3c4d5e6f 4.0 x [1,null] é😀"}',
    ]);
  });

  it('of decimals have a digit in front of their point, also where their type has none', async () => {
    const decimals = await folder.parquet(
      'decimals.parquet',
      `SELECT unnest([0.5, -0.25, 0, 0.99, NULL])::DECIMAL(2,2) AS small, 1.5::DECIMAL(38,2) AS large,
         -0.5::DECIMAL(38,38) AS long`,
    );
    const { output } = await folder.map(
      `type Out { string small; string rest; }
       export Out map(string small, string large, string long) {
         return { small: small, rest: \`\${large} \${long}\` };
       }`,
      decimals,
    );
    const rest = `1.50 -0.5${'0'.repeat(37)}`;
    expect((await rowsOf(output)).map((row) => JSON.parse(row) as unknown)).toEqual(
      ['0.50', '-0.25', '0.00', '0.99', null].map((small) => ({ small, rest })),
    );
  });

  it('that do not fit are dead letters', async () => {
    const large = await folder.parquet(
      'large.parquet',
      'SELECT unnest([1::UBIGINT, 9223372036854775807::UBIGINT, 9223372036854775808::UBIGINT]) AS n',
    );
    const { output } = await folder.map('type Out { int n; } export Out map(int n) { return { n: n }; }', large, {
      maxErrors: 1,
    });
    expect(await rowsOf(output)).toEqual(['{"n":1}', '{"n":9223372036854775807}']);
    const message = 'n: expected int, got 9223372036854775808; it has more than 64 bits: take it as double or string';
    expect(failuresOf(output)).toMatchObject([{ row: 3, type: 'CastError', message }]);
  });

  it('may have any character, the marks of the driver too', async () => {
    const marks = await folder.parquet(
      'marks.parquet',
      `SELECT unnest(['plain', chr(0), 'a' || chr(0) || 'b', chr(1), NULL, '']) AS s, unnest(range(6)) AS at`,
    );
    const script = `type Out { int at; string s; } 
      export Out map(int at, string s) { return { at: at, s: s == null ? null : s + "|" }; }`;
    const { output } = await folder.map(script, marks);
    expect((await rowsOf(output)).map((row) => (JSON.parse(row) as { s: string | null }).s)).toEqual([
      'plain|',
      '\0|',
      'a\0b|',
      '\u0001|',
      null,
      '|',
    ]);
    // Many different ones travel as one text.
    const many = await folder.parquet(
      'many.parquet',
      `SELECT CASE WHEN i % 5000 = 7 THEN NULL WHEN i = 9000 THEN 'x' || chr(0) ELSE 'text ' || i END AS s, i AS at
       FROM range(10000) AS r(i)`,
    );
    const result = await folder.map(script, many);
    const rows = (await rowsOf(result.output)).map((row) => JSON.parse(row) as { at: number; s: string | null });
    expect(rows).toEqual(
      Array.from({ length: 10000 }, (_, at) => ({
        at,
        s: at % 5000 === 7 ? null : at === 9000 ? 'x\0|' : `text ${at}|`,
      })),
    );
  });

  it('with what stands for a null, by itself and beside other characters', async () => {
    // The first batch has it among others, beside nulls; the second by itself.
    const marks = await folder.parquet(
      'null-marks.parquet',
      `SELECT CASE WHEN i % 5000 = 7 THEN NULL WHEN i = 5 THEN chr(1) || 'y' WHEN i = 9000 THEN chr(1)
         ELSE 'text ' || i END AS s, i AS at
       FROM range(10000) AS r(i)`,
    );
    const script = `type Out { int at; string s; }
      export Out map(int at, string s) { return { at: at, s: s == null ? null : s + "|" }; }`;
    const { output } = await folder.map(script, marks);
    expect((await rowsOf(output)).map((row) => (JSON.parse(row) as { s: string | null }).s)).toEqual(
      Array.from({ length: 10000 }, (_, at) =>
        at % 5000 === 7 ? null : at === 5 ? '\u0001y|' : at === 9000 ? '\u0001|' : `text ${at}|`,
      ),
    );
  });

  it('that are null: a dead letter, left out, another value, or what the script makes of them', async () => {
    const nulls = await folder.parquet(
      'nulls.parquet',
      `SELECT unnest([1.5, NULL, 2.5]) AS x, unnest(['a', 'b', NULL]) AS s`,
    );
    const plain = 'type Out { double x; } export Out map(double x) { return { x: x }; }';
    const failed = await folder.map(plain, nulls, { maxErrors: 1 });
    expect(failuresOf(failed.output)).toMatchObject([
      {
        row: 2,
        type: 'NullError',
        message: 'x is null: take x_valid too, or say --null x=skip',
        record: { x: null, s: 'b' },
      },
    ]);
    const skipped = await folder.map(plain, nulls, { nulls: { x: 'skip' } });
    expect(skipped.end).toMatchObject({ read: 3, written: 2, skipped: 1, failed: 0 });
    const filled = await folder.map(plain, nulls, { nulls: { x: { value: '-1' } } });
    expect(await rowsOf(filled.output)).toEqual(['{"x":1.5}', '{"x":-1.0}', '{"x":2.5}']);
    const valid = await folder.map(
      `type Out { double x; boolean x_valid; string s; }
       export Out map(double x, boolean x_valid, string s) {
          return { x: x + 1, x_valid: x_valid, s: s == null ? "none" : s }; }`,
      nulls,
    );
    expect(await rowsOf(valid.output)).toEqual(['{"x":2.5,"s":"a"}', '{"x":null,"s":"b"}', '{"x":3.5,"s":"none"}']);
    const other = await folder.map('type Out { string s; } export Out map(string s) { return { s: s }; }', nulls, {
      nulls: { s: { value: 'quote " and \\' } },
    });
    expect((await rowsOf(other.output)).map((row) => (JSON.parse(row) as { s: string }).s)).toEqual([
      'a',
      'b',
      'quote " and \\',
    ]);
  });

  it('of a column with another name', async () => {
    const named = await folder.parquet('named.parquet', `SELECT 2.5 AS "Unit ""Price""", 3 AS n`);
    const { output } = await folder.map(
      'type Out { double t; } export Out map(double unit, int n) { return { t: unit * n }; }',
      named,
      {
        columns: { unit: 'Unit "Price"' },
      },
    );
    expect(await rowsOf(output)).toEqual(['{"t":7.5}']);
  });

  it('that JSON has no numbers for are texts in dead letters', async () => {
    const odd = await folder.parquet(
      'odd.parquet',
      `SELECT 'nan'::DOUBLE AS x, ['inf'::DOUBLE, -'inf'::DOUBLE] AS list, 'say "NaN", -Infinity' AS s`,
    );
    const script = 'type Out { double x; } export Out map(double x) { throw "odd"; }';
    const { output } = await folder.map(script, odd, { maxErrors: 1 });
    expect(failuresOf(output)[0]!.record).toEqual({
      x: 'NaN',
      list: ['Infinity', '-Infinity'],
      s: 'say "NaN", -Infinity',
    });
  });

  it('of no rows give a file without rows', async () => {
    const empty = await folder.parquet('empty.parquet', "SELECT 1.5 AS x, 'a' AS s WHERE false");
    const { output, end } = await folder.map(
      'type Out { double x; string s; } export Out map(double x, string s) { return { x: x, s: s }; }',
      empty,
    );
    expect(end).toMatchObject({ read: 0, written: 0, done: 1 });
    expect(await query(`SELECT column_name FROM (DESCRIBE SELECT * FROM '${output}/part-00000.parquet')`)).toEqual([
      ['x'],
      ['s'],
    ]);
  });
});
