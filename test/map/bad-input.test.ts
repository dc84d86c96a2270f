// Input that is broken: each is named, with its place, and nothing of it is taken for all of it.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { planMap, runMap } from 'sluice-map';
import type { MapOptions } from 'sluice-map';
import { afterAll, describe, expect, it } from 'vitest';
import { failuresOf, MapFolder, rowsOf } from './harness.ts';

const folder = new MapFolder();
afterAll(() => folder.remove());

const pairs = `type Out { string a; string b; }
  export Out map(string a, string b) { if (a == "bad") throw "bad"; return { a: a, b: b }; }`;
const whole = readFileSync(
  await folder.parquet(
    'whole.parquet',
    `SELECT CAST(i AS VARCHAR) AS a, 'text ' || i AS b FROM range(60000) AS r(i)`,
    ', ROW_GROUP_SIZE 10240',
  ),
);
const manyRows = Array.from({ length: 20_000 }, (_, at) => `${(at * 7919) % 10_007},${Math.sqrt(at)}\n`).join('');
const csv = Buffer.from(`a,b\n${manyRows}`);
const ndjson = Buffer.from(manyRows.replaceAll(/(.*),(.*)\n/g, '{"a":"$1","b":"$2"}\n'));

/** What a map of files says that cannot be done. */
async function fails(
  files: readonly (readonly [name: string, content: string | Uint8Array])[],
  options: Partial<MapOptions> = {},
): Promise<string> {
  const input = files.map(([name, content]) => folder.write(name, content));
  const error: unknown = await folder.map(pairs, input, options).then(
    () => 'nothing',
    (fault: unknown) => fault,
  );
  expect((error as Error).name).toBe('MapError');
  return (error as Error).message.replaceAll(`${folder.path}/`, '');
}

function filled(content: Uint8Array, from: number, to: number): Uint8Array {
  return new Uint8Array(content).fill(7, from, to);
}

describe('a broken file', () => {
  const damaged = 'it is damaged: what says where its columns lie cannot be read';
  const noParquet = 'it is no Parquet file, or its end is missing';
  it.each<[string, string | Uint8Array, string]>([
    ['none.parquet', 'this is something else altogether', `: ${noParquet}`],
    ['empty.parquet', '', `: ${noParquet}`],
    ['half.parquet', whole.subarray(0, whole.length / 2), `: ${noParquet}`],
    ['footer.parquet', whole.subarray(0, -4), `: ${noParquet}`],
    ['scratched.parquet', filled(whole, whole.length - 600, whole.length - 200), `: ${damaged}`],
    ['start.parquet', whole.subarray(100), `, row group 1, records 1 to 10240: ${damaged}`],
    ['empty.csv', '', ' is empty: the first line of a CSV has the names of its columns'],
    ['blank.csv', '\n\na,b\n1,2\n', ': line 1 is empty: the first line of a CSV has the names of its columns'],
    ['mark.csv', '\ufeff', ': line 1 is empty: the first line of a CSV has the names of its columns'],
    ['blank.csv.gz', gzipSync('\r\n'), ': line 1 is empty: the first line of a CSV has the names of its columns'],
    [
      'wide.csv',
      `a,b${',x'.repeat(150_000)}\n1,2\n`,
      ': line 1: it has more than 262,144 bytes, or a quote in it is never closed',
    ],
    [
      'utf-16-le.csv',
      Buffer.from('a,b\n1,2\n', 'utf16le'),
      ': line 1 has a NUL character: that may be UTF-16, and UTF-8 is read',
    ],
    ['quote.csv', `a,b\n${manyRows}1,"x\n`, ': line 20002: Value with unterminated quote found.'],
    ['short.csv', `a,b\n${manyRows}1\n`, ': line 20002: Expected Number of Columns: 2 Found: 1'],
    ['long.csv', 'a,b\n1,2,3\n', ': line 2: Expected Number of Columns: 2 Found: 3'],
    ['endings.csv', 'a,b\r\n1,2\n3,4\r\n', ': line 2 ends with \\n, and the first line with \\r\\n'],
    ['ragged-endings.csv', 'a,b\n1\n2,3\r\n4,5\n', ': line 3 ends with \\r\\n, and the first line with \\n'],
    ['late-ending.csv', `a,b\n${manyRows}1,2\r\n`, ': line 20002 ends with \\r\\n, and the first line with \\n'],
    ['old-endings.csv', 'a,b\r1,"2\n3"\r3,4\n', ': line 4 ends with \\n, and the first line with \\r'],
    [
      'late-ending.csv.gz',
      gzipSync(`a,b\r\n1,"2\r\n"\r\n1,2\n`),
      ': line 4 ends with \\n, and the first line with \\r\\n',
    ],
    ['lines-in-quotes.csv', 'a,b\n1,"2\n2"\n3\n', ': line 4: Expected Number of Columns: 2 Found: 1'],
    ['quote-behind.csv', 'a,b\n1,"2\n\n2"\n"x"y,3\n', ': line 5: Value with unterminated quote found.'],
    ['utf-16.csv', Buffer.from('\ufeffa,b\n1,2\n', 'utf16le'), ' is UTF-16, and UTF-8 is read'],
    ['latin-1-names.csv', Buffer.from('a,b,é\n1,2,3\n', 'latin1'), ': line 1: it is no UTF-8'],
    [
      'latin-1.csv',
      Buffer.from(`a,b\n${manyRows}1,é\n`, 'latin1'),
      ': line 20002: Invalid unicode (byte sequence mismatch) detected. This file is not utf-8 encoded.',
    ],
    [
      'latin-1-elsewhere.csv',
      Buffer.from(`a,b,c\n${manyRows.replaceAll('\n', ',\n')}1,2,é\n`, 'latin1'),
      ': line 20002: Invalid unicode (byte sequence mismatch) detected. This file is not utf-8 encoded.',
    ],
    ['empty.ndjson', '\n', ': it has no records, and so no columns'],
    ['array.ndjson', '[1]\n', ': line 1: it is JSON, but no object'],
    [
      'mark.ndjson',
      '\ufeff{"a":"1","b":"2"}\n',
      ': line 1: it begins with a byte order mark, which NDJSON has none of',
    ],
    ['utf-16.ndjson', Buffer.from('\ufeff{"a":"1","b":"2"}\n', 'utf16le'), ': line 1: it is UTF-16, and UTF-8 is read'],
    [
      'utf-16-le.ndjson',
      Buffer.from('{"a":"1","b":"2"}\n', 'utf16le'),
      ': line 1: it has a NUL character: that may be UTF-16, and UTF-8 is read',
    ],
    ['latin-1.ndjson', Buffer.from('{"a":"1","b":"2"}\n{"a":"é"}\n', 'latin1'), ': line 2: it is no UTF-8'],
    [
      'latin-1-elsewhere.ndjson.gz',
      gzipSync(Buffer.from('{"a":"1","b":"2"}\n{"a":"1","b":"2","c":"é"}\n', 'latin1')),
      ': line 2: it is no UTF-8',
    ],
    ['twice.ndjson', '{"a":"1","b":"2","a":"3"}\n', ': a record has the key a twice'],
    ['nul.ndjson', '{"a":"1","b\\u0000":"2"}\n', ': the name of a column has a NUL character'],
    ['half.csv.gz', gzipSync(csv).subarray(0, 40_000), ': its end is missing (gzip: unexpected end of file)'],
    ['tail.csv.gz', gzipSync(csv).subarray(0, -5), ': its end is missing (gzip: unexpected end of file)'],
    ['half.csv.zst', zstdCompressSync(csv).subarray(0, 40_000), ': its end is missing (zstd: unexpected end of file)'],
    ['tail.ndjson.gz', gzipSync(ndjson).subarray(0, -5), ': its end is missing (gzip: unexpected end of file)'],
    [
      'tail.ndjson.zst',
      zstdCompressSync(ndjson).subarray(0, -5),
      ': its end is missing (zstd: unexpected end of file)',
    ],
    ['none.csv.gz', 'a,b\n1,2\n', ': it is damaged, or it is something else (gzip: incorrect header check)'],
    ['scratched.csv.gz', filled(gzipSync(csv), 30_000, 30_010), ': it is damaged, or it is something else (gzip: '],
  ])('%s', async (name, content, message) => {
    expect(await fails([[name, content]])).toContain(name + message);
  });

  it('of Parquet says which row group, and what was committed before stays', async () => {
    const input = folder.write('hole.parquet', filled(whole, 200_000, 220_000));
    const output = folder.file('hole');
    const options = { output, partitionRows: 10240 };
    await expect(folder.map(pairs, input, options)).rejects.toThrow(
      `${input}, row group 3, records 20481 to 30720: Snappy decompression failure`,
    );
    const plan = await planMap({ script: folder.write('hole.slu', pairs), input, ...options });
    expect(plan.partitions).toHaveLength(6);
    expect(readFileSync(`${output}/_commits/0.json`, 'utf8')).toContain('"read":10240');
  });

  it.each([
    ['map', 'type Out { int n; } export Out map(int n) { return { n: n }; }'],
    ['map that yields', 'type Out { int n; } export void map(int n) { Out o = { n: n }; yield o; }'],
    ['mapBatch', 'type Out { int[] n; } export Out mapBatch(int[] n) { return { n: n }; }'],
    ['map of texts', 'type Out { string n; } export Out map(string n) { return { n: n }; }'],
    [
      'step',
      `type S { int sum; } export S init() { return { sum: 0 }; } export void step(S s, int n) { s.sum += n; }
       export void merge(S a, S b) { a.sum += b.sum; } export S finish(S s) { return s; }`,
    ],
  ])('in the middle of a partition ends the run, whatever reads it: %s', async (_, script) => {
    const type = script.includes('string') ? 'VARCHAR' : 'BIGINT';
    const good = readFileSync(
      await folder.parquet(
        'good.parquet',
        `SELECT CAST(i * 7919 AS ${type}) AS n FROM range(400000) AS r(i)`,
        ', ROW_GROUP_SIZE 10240',
      ),
    );
    const input = folder.write('middle.parquet', filled(good, good.length * 0.8, good.length * 0.8 + 1000));
    await expect(folder.map(script, input)).rejects.toThrow(
      /middle\.parquet, row group 32, records 317441 to 327680: Snappy decompression failure$/,
    );
  });
});

describe('columns', () => {
  it('that are missing or not what the script takes are said with what there is', async () => {
    expect(await fails([['price.csv', 'price,b\n1,2\n']], { columns: { a: 'prize' } })).toBe(
      'map takes string a, and the input has no column prize: did you mean price?; ' +
        'it has price, b in its first line; -a a=VALUE gives one value for all records',
    );
    expect(await fails([['words.csv', 'id,Unit Price,quantity\n1,2,3\n']], { columns: { a: 'unit' } })).toContain(
      "the input has no column unit: did you mean --column a='Unit Price'?; it has id, ",
    );
    expect(await fails([['two.csv', 'unit price,unit cost\n1,2\n']], { columns: { a: 'unit' } })).toContain(
      'no column unit; it has unit price, unit cost in',
    );
    expect(await fails([['headless.csv', '1,x\n2,y\n']])).toContain('it has 1, x in its first line');
    const whole = 'type R { int x; double y; }\nexport R map(R r) { return r; }';
    await expect(folder.map(whole, folder.write('fields.csv', 'x,y\n1,2.5\n'))).rejects.toThrow(
      'map takes R r, and the input has no column r; it has x, y in its first line; ' +
        'each column is a parameter of its own: map(int x, double y)',
    );
    expect(await fails([['twice.csv', 'a,b,a\n1,2,3\n']])).toBe(
      'the input has several columns a, and map takes one of them',
    );
    expect(await fails([['row.csv', 'a,b,file_row_number\n1,2,3\n']])).toBe(
      'row.csv has a column file_row_number, which is what the rows of a file are numbered by: rename it',
    );
  });

  it('of several files go by their names', async () => {
    const input = [folder.write('one.csv', 'a,b\n1,2\n'), folder.write('two.csv', 'c;b;a\n3;4;5\n')];
    const { output } = await folder.map(pairs, input);
    expect(await rowsOf(output)).toEqual(['{"a":"1","b":"2"}', '{"a":"5","b":"4"}']);
    expect(
      await fails([
        ['one.csv', 'a,b\n1,2\n'],
        ['other.csv', 'a,c\n1,2\n'],
      ]),
    ).toBe('other.csv has no column b, which one.csv has');
    const lines = [folder.write('one.ndjson', '{"a":"1"}\n'), folder.write('two.ndjson', '{"b":"2"}\n')];
    expect(await rowsOf((await folder.map(pairs, lines)).output)).toEqual(['{"a":"1","b":null}', '{"a":null,"b":"2"}']);
  });

  it('of a CSV are in its first line, whatever those behind it look like', async () => {
    for (const [name, first] of [
      ['title.csv', '# of 2026'],
      ['title-2.csv', 'a report,'],
      ['title-3.csv', '"a,b"'],
    ] as const)
      expect(await fails([[name, `${first}\na,b\n1,2\n${manyRows}`]])).toMatch(
        /^map takes string a, and the input has no column a.*; it has .* in its first line/,
      );
    const input = folder.write('short-names.csv', `a,b\n${manyRows.replaceAll('\n', ',5\n')}`);
    await expect(folder.map(pairs, input)).rejects.toThrow('line 2: Expected Number of Columns: 2 Found: 3');
    const { end } = await folder.map(pairs, input, { maxErrors: '100%' });
    expect(end).toMatchObject({ read: 20_000, written: 0, failed: 20_000 });
  });

  it('may have any name', async () => {
    const strange = 'it\'s "q"\n; DROP';
    const quoted = `"${strange.replaceAll('"', '""')}"`;
    const files = [
      folder.write('names.csv', `${quoted},b,place,record\nbad,2,3,4\n`),
      folder.write('names.ndjson', `${JSON.stringify({ [strange]: 'bad', b: '2', place: 3, record: 4 })}\n`),
      await folder.parquet('names.parquet', `SELECT 'bad' AS ${quoted}, '2' AS b, 3 AS place, 4 AS record`),
    ];
    for (const input of files) {
      const { output } = await folder.map(pairs, input, { columns: { a: strange }, maxErrors: 1 });
      expect(failuresOf(output)[0]!.record).toMatchObject({ [strange]: 'bad', b: '2' });
    }
  });

  it('may be thousands', async () => {
    const csvOf = (count: number): string =>
      `${Array.from({ length: count }, (_, at) => `c${at}`).join(',')},a,b\n${'1,'.repeat(count)}2,3\n`;
    const { output } = await folder.map(pairs, folder.write('thousands.csv', csvOf(3000)));
    expect(await rowsOf(output)).toEqual(['{"a":"2","b":"3"}']);
    expect(await fails([['more.csv', csvOf(25_000)]])).toBe(
      'more.csv: it takes more memory than the 256.0 MiB that there are: ' +
        'it has too many columns, or too much in one record',
    );
  });

  it.each([
    [
      'type Out { int a; int A; } export Out map(int a) { return { a: a, A: a }; }',
      'the columns a and A have one name but for its case: one needs another name',
    ],
    [
      `type Out { int file_row_number; } export Out map(int a) { return { file_row_number: a }; }
       type S { int n; } export S init() { return { n: 0 }; } export void step(S s, int file_row_number) { s.n++; }
       export void merge(S a, S b) { a.n += b.n; } export S finish(S s) { return s; }`,
      'map gives a column file_row_number, which is what its rows are numbered by: rename it',
    ],
  ])('that are written have names that files can have: %s', async (script, message) => {
    const input = folder.write('one-column.csv', 'a\n1\n');
    for (const format of ['parquet', 'csv', 'ndjson'] as const)
      await expect(folder.map(script, input, { format })).rejects.toThrow(message);
  });

  it('of a CSV may stand behind a byte order mark, and its lines end as they like', async () => {
    for (const content of ['\ufeffa,b\n1,2\n', '\ufeff"a",b\r\n1,2\r\n', 'a,b\r1,2\r'])
      expect(await rowsOf((await folder.map(pairs, folder.write('fine.csv', content))).output)).toEqual([
        '{"a":"1","b":"2"}',
      ]);
  });

  it('that nobody takes may have characters of several bytes, wherever the file is cut while it is read', async () => {
    const lines = Array.from({ length: 100 }, (_, at) => `1,2,${'é€😀'.repeat(2000)}${'x'.repeat(at % 5)}\n`);
    const { end } = await folder.map(pairs, folder.write('wide.csv', `a,b,c\n${lines.join('')}`));
    expect(end).toMatchObject({ read: 100, written: 100 });
  });

  it('of Parquet are folders too, and those of nothing else', async () => {
    mkdirSync(folder.file('a=x/b=y'), { recursive: true });
    await folder.parquet('a=x/b=y/x.parquet', 'SELECT 1 AS n');
    expect(await rowsOf((await folder.map(pairs, folder.file('a=x/b=y/x.parquet'))).output)).toEqual([
      '{"a":"x","b":"y"}',
    ]);
    const { output } = await folder.map(pairs, folder.write('a=x/b=y/x.csv', 'a,b\n1,2\n'), {
      output: folder.file('a=7/b=8'),
      format: 'csv',
    });
    expect(readFileSync(`${output}/part-00000.csv`, 'utf8')).toBe('a,b\n1,2\n');
  });
});

describe('paths', () => {
  it('of one file are one, and endings are the same in capitals', async () => {
    const input = folder.write('once.csv', 'a,b\n1,2\n');
    const spelt = [input, `${folder.path}/./once.csv`, folder.file('onc*.csv'), `${folder.path}//once.csv`];
    expect((await folder.map(pairs, spelt)).end).toMatchObject({ read: 1 });
    for (const [name, content] of [
      ['CAPITALS.CSV', csv],
      ['CAPITALS.CSV.GZ', gzipSync(csv)],
      ['CAPITALS.Csv.Zst', zstdCompressSync(csv)],
      ['CAPITALS.NDJSON.GZ', gzipSync(ndjson)],
      ['CAPITALS.JSONL.ZST', zstdCompressSync(ndjson)],
    ] as const)
      expect((await folder.map(pairs, folder.write(name, content))).end).toMatchObject({ read: 20_000, failed: 0 });
  });

  it.each([
    'it\'s "quoted"',
    'brackets [1]',
    'stars * and ?',
    "x'); COPY (SELECT 1) TO 'y",
    'ümläut 日本',
    '~',
    '{a,b}',
  ])('%s', async (name) => {
    // What the name would stand for if it were a pattern.
    folder.write('brackets 1.csv', 'a,b\nwrong,wrong\n');
    folder.write('stars 1 and 2.csv', 'a,b\nwrong,wrong\n');
    const input = folder.file(`${name}/${name}.csv`);
    mkdirSync(dirname(input), { recursive: true });
    writeFileSync(input, 'a,b\n1,2\nbad,3\n');
    const { output } = await folder.map(pairs, input, { output: folder.file(`${name}/out ${name}`), maxErrors: 1 });
    expect(await rowsOf(output)).toEqual(['{"a":"1","b":"2"}']);
    expect(failuresOf(output)).toMatchObject([{ file: input, row: 2, message: 'bad' }]);
  });

  it('that lead nowhere are said, and an output among its input is not read', async () => {
    expect(await folder.map(pairs, folder.file('none-*.csv')).catch((error: unknown) => String(error))).toBe(
      `MapError: there is no file ${folder.file('none-*.csv')}`,
    );
    mkdirSync(folder.file('none'));
    mkdirSync(folder.file('some'));
    folder.write('some/readme.txt', '');
    folder.write('some/x.csv.gz', '');
    const said = (name: string): Promise<unknown> =>
      folder.map(pairs, folder.file(name)).catch((error: unknown) => (error as Error).message);
    expect(await said('none')).toBe(`${folder.file('none')} is a folder, and has no files that can be read`);
    expect(await said('some')).toBe(
      `${folder.file('some')} is a folder: --input '${folder.file('some/*.csv.gz')}' reads the files in it`,
    );
    symlinkSync(folder.file('gone.csv'), folder.file('dangling.csv'));
    expect(await folder.map(pairs, folder.file('dangling.csv')).catch((error: unknown) => String(error))).toContain(
      'there is no file',
    );
    execFileSync('mkfifo', [folder.file('pipe.csv')]);
    expect(await said('pipe.csv')).toBe(
      `${folder.file('pipe.csv')} is a pipe or a device, and files are read more than once: write it to a file`,
    );
    expect(await said('some/readme.txt/x.csv')).toContain('some/readme.txt/x.csv');
    mkdirSync(folder.file('in'));
    const own = folder.write('in/x.csv', 'a,b\n1,2\n');
    await expect(folder.map(pairs, folder.file('in/*.csv'), { output: folder.file('in') })).rejects.toThrow(
      `all files of ${folder.file('in/*.csv')} lie in the output ${folder.file('in')}, and what a run has written is`,
    );
    symlinkSync('round.csv', folder.file('round.csv'));
    expect(await said('round.csv')).toBe(`cannot read ${folder.file('round.csv')}: its links lead in a circle`);
    expect(readFileSync(own, 'utf8')).toBe('a,b\n1,2\n');
    folder.write('in/x.csv', 'a,b\n1,2\n');
    folder.write('in/z.csv', 'a,b\nbad,4\n');
    const options = { output: folder.file('in/out'), format: 'csv' } as const;
    await expect(folder.map(pairs, folder.file('in/**/*.csv'), options)).rejects.toThrow('more than --max-errors=0');
    const { end } = await folder.map(pairs, folder.file('in/**/*.csv'), { ...options, resume: true, maxErrors: 1 });
    expect(end).toMatchObject({ read: 2, written: 1 });
    // What the first run staged had no records for dead letters.
    expect(failuresOf(options.output)).toMatchObject([{ record: { a: 'bad', b: '4' } }]);
  });
});

describe('input that changes while it is read', () => {
  it.each(['parquet', 'csv'] as const)('%s', async (format) => {
    const input =
      format === 'parquet'
        ? await folder.parquet('moving.parquet', "SELECT CAST(i AS VARCHAR) AS a, 'b' AS b FROM range(9) AS r(i)")
        : folder.write('moving.csv', 'a,b\n1,2\n');
    const plan = await planMap({
      script: folder.write('moving.slu', pairs),
      input,
      output: folder.file(`m-${format}`),
    });
    utimesSync(input, 1, 1);
    const run = async (): Promise<void> => {
      for await (const _ of runMap(plan, { threads: 1 }));
    };
    await expect(run()).rejects.toThrow(`${input} has changed since the run was planned: `);
  });
});
