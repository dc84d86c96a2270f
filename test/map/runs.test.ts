// Runs as a whole: the same bytes by any number of threads, stopping and going on, what is refused, what is named.

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { planMap, runMap } from 'sluice-map';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { failuresOf, hashesOf, MapFolder, rowsOf } from './harness.ts';

const folder = new MapFolder();
afterAll(() => folder.remove());

const numbers = await folder.parquet(
  'numbers.parquet',
  `SELECT i AS n, 'text ' || i AS s FROM range(60000) AS r(i)`,
  ', ROW_GROUP_SIZE 10240',
);
const script = `type Out { int n; double random; int seen; string s; }
  int seen = 0;
  export Out map(int n, string s) {
    seen++;
    if (n % 10000 == 9999) throw \`failed as number \${seen}\`;
    return { n: n, random: Math.random(), seen: seen, s: s };
  }`;
const plain = 'type Out { int n; } export Out map(int n) { return { n: n }; }';

describe('a run', () => {
  it('gives the same bytes with 1, 2 and 8 threads, each partition with an instance of its own', async () => {
    const runs = [];
    for (const threads of [1, 2, 8])
      runs.push(await folder.map(script, numbers, { threads, partitionRows: 25000, maxErrors: 6 }));
    const [first, ...others] = runs.map(({ output }) => hashesOf(output));
    for (const other of others) expect(other).toEqual(first);
    const { output, end } = runs[0]!;
    expect(end).toMatchObject({ partitions: 3, done: 3, read: 60000, written: 59994, failed: 6 });
    expect(readdirSync(output).sort()).toEqual([
      '_SUCCESS',
      '_errors',
      'part-00000.parquet',
      'part-00001.parquet',
      'part-00002.parquet',
    ]);
    expect(failuresOf(output).map(({ row, message }) => [row, message])).toEqual([
      [10000, 'failed as number 10000'],
      [20000, 'failed as number 20000'],
      [30000, 'failed as number 9520'],
      [40000, 'failed as number 19520'],
      [50000, 'failed as number 9040'],
      [60000, 'failed as number 19040'],
    ]);
    const random = (await rowsOf(output)).map((row) => (JSON.parse(row) as { random: number }).random);
    expect(new Set(random).size).toBe(random.length);
  });

  it('that is stopped can be resumed, and ends as one that was not', async () => {
    const permissions = { 'allow-file-read': folder.path };
    const options = { partitionRows: 10240, maxErrors: 6, permissions };
    const go = folder.write('go', '');
    const waiting = script.replace('seen++;', `seen++; while (n == 30000 && !File.exists("${go}")) {}`);
    const whole = await folder.map(waiting, numbers, options);
    rmSync(go);
    const output = folder.file('stopped');
    const stopping = new AbortController();
    const path = folder.write('stopped.slu', waiting);
    const plan = await planMap({ script: path, input: numbers, output, ...options });
    // A run tells where it begins before it maps: it is stopped once a partition is committed, while the third waits.
    const watch = async (): Promise<void> => {
      for await (const _ of runMap(plan, { threads: 1, signal: stopping.signal })) {
        await vi.waitUntil(() => readdirSync(`${output}/_commits`).length > 0, { timeout: 60_000, interval: 1 });
        stopping.abort(new Error('enough'));
        writeFileSync(go, '');
      }
    };
    await expect(watch()).rejects.toThrow('enough');
    expect(existsSync(`${output}/_SUCCESS`)).toBe(false);
    const again = await folder
      .map(waiting, numbers, { ...options, output, resume: true })
      .catch((error: unknown) => error);
    // Another path of the script is another script to stacks, and so to the run.
    expect(String(again)).toContain('has the output of another run: the script differs');
    let end = null;
    for await (const progress of runMap(plan, { threads: 2, resume: true })) end = progress;
    expect(end).toMatchObject({ read: 60000, written: 59994, failed: 6, done: 6 });
    const data = (hashes: Record<string, string>): unknown =>
      Object.entries(hashes).filter(([name]) => !name.includes('_errors'));
    expect(data(hashesOf(output))).toEqual(data(hashesOf(whole.output)));
  });

  it('has one clock, which stands still and is that of its start after a stop too', async () => {
    const clock = `type Out { int now; }
      export Out map(int n) { if (n == 25000) throw "stop"; return { now: Date.now() }; }`;
    const options = { partitionRows: 10240, output: folder.file('clock') };
    const before = Date.now();
    await expect(folder.map(clock, numbers, options)).rejects.toThrow('record 25001: Error: stop');
    const stopped = Date.now();
    await vi.waitUntil(() => Date.now() > stopped + 1);
    const { output, end } = await folder.map(clock, numbers, { ...options, threads: 2, maxErrors: 1, resume: true });
    expect(end).toMatchObject({ written: 59999, done: 6 });
    const times = [...new Set(await rowsOf(output))].map((row) => (JSON.parse(row) as { now: number }).now);
    expect(times).toHaveLength(1);
    expect(times[0]).toBeGreaterThanOrEqual(before);
    expect(times[0]).toBeLessThanOrEqual(stopped);
  });

  it('ends when more records fail than may, and goes on when more may', async () => {
    const output = folder.file('strict');
    const options = { partitionRows: 25000, output };
    await expect(folder.map(script, numbers, options)).rejects.toThrow(
      `${numbers}, record 10000: Error: failed as number 10000 (more than --max-errors=0 records failed)`,
    );
    const { end } = await folder.map(script, numbers, { ...options, maxErrors: 6, resume: true });
    expect(end).toMatchObject({ failed: 6, done: 3 });
  });

  it('writes nothing of attempts before a record hit a limit', async () => {
    const at = [9_000, 17_000, 25_000, 33_000, 41_000, 49_000, 57_000, 59_999];
    const { output, end } = await folder.map(
      `type Out { int n; }
       int[] big = [];
       export Out map(int n) {
         if (n == ${at.join(' || n == ')}) big = new int[1_000_000_000];
         return { n: n };
       }`,
      numbers,
      { maxErrors: at.length, limits: { memoryBytes: 2 ** 28 } },
    );
    expect(end).toMatchObject({ done: 1, written: 60000 - at.length, failed: at.length });
    const rows = (await rowsOf(output)).map((row) => (JSON.parse(row) as { n: number }).n);
    expect(rows).toEqual(Array.from({ length: 60000 }, (_, n) => n).filter((n) => !at.includes(n)));
  });

  it('leaves out a record that hits a limit', async () => {
    const { output, end } = await folder.map(
      `type Out { int n; }
       int[] big = [];
       export Out map(int n) {
         while (n == 3) big.clear();
         if (n == 5) big = new int[1_000_000_000];
         return { n: n };
       }`,
      await folder.parquet('few.parquet', 'SELECT i AS n FROM range(10) AS r(i)'),
      // Ten records, of which the others take no time even on a busy machine.
      { maxErrors: 2, limits: { timeMs: 1000, memoryBytes: 2 ** 28 } },
    );
    expect(end).toMatchObject({ read: 10, written: 8, failed: 2 });
    expect(failuresOf(output).map(({ row, type }) => [row, type])).toEqual([
      [4, 'TimeoutError'],
      [6, 'MemoryLimitError'],
    ]);
  });
});

describe('a record that hits a limit and leaves no time to say so', () => {
  // The first time, the script's own clause uses up what it has for an answer.
  const lost = (times: number): string => `type Out { int n; }
    int[] big = [];
    export Out map(int n) {
      try {
        if (n == 5 && Tries.next() <= ${times}) big = new int[1_000_000_000];
      } catch (MemoryLimitError e) {
        big = new int[1_000_000_000];
      }
      return { n: n };
    }`;
  const tries = (name: string): string =>
    folder.write(
      name,
      `import { defineModule } from ${JSON.stringify(import.meta.resolve('sluice/plugins'))};
       let tries = 0;
       export default defineModule({ name: 'Tries', functions: { 'int next()': () => BigInt(++tries) } });`,
    );

  it('is tried again, three times', async () => {
    const options = { limits: { memoryBytes: 2 ** 28 } };
    const { end } = await folder.map(lost(3), numbers, { ...options, plugins: [tries('three.mjs')] });
    expect(end).toMatchObject({ read: 60000, written: 60000, failed: 0 });
    await expect(folder.map(lost(4), numbers, { ...options, plugins: [tries('four.mjs')] })).rejects.toThrow(
      `${numbers}, records 1 to 2048: MemoryLimitError: `,
    );
  });
});

describe('CSV and NDJSON', () => {
  const csv = 'id,price,day,country\n001,2.5,2024-01-02,"DE, north"\n002,,2024-01-03,FR\n003,abc,2024-01-04,\n';
  const orders = `type Out { string id; double price; int day; string country; }
    export Out map(string id, double price, int day, string country) {
       return { id: id, price: price, day: day, country: country }; }`;

  it('of CSV, its parameters say what fields are; compressed too', async () => {
    const rows = ['{"id":"001","price":2.5,"day":19724,"country":"DE, north"}'];
    for (const [name, content] of [
      ['a.csv', csv],
      ['b.csv', csv.replaceAll(/,(?! )/g, ';')],
      ['c.csv.gz', gzipSync(csv)],
      ['d.csv.zst', zstdCompressSync(csv)],
    ] as const) {
      const { output, end } = await folder.map(orders, folder.write(name, content), { maxErrors: 2 });
      expect(end).toMatchObject({ read: 3, written: 1, failed: 2 });
      expect(await rowsOf(output)).toEqual(rows);
      expect(failuresOf(output)).toMatchObject([
        { row: 2, type: 'NullError', record: { id: '002', price: null, country: 'FR' } },
        { row: 3, type: 'CastError', message: 'price: expected double, got "abc"', record: { price: 'abc' } },
      ]);
    }
  });

  it('of NDJSON, values keep their kinds', async () => {
    const lines = [
      { id: 'a', n: 1, x: 2, ok: true, tags: [1, 2] },
      { id: 7, n: 1, x: 2, ok: true, tags: [] },
      { id: 'c', n: 1.5, x: 2, ok: true, tags: [] },
      { id: 'd', n: 1, x: '2', ok: true, tags: [] },
      { id: null, n: 1, x: 2.5, ok: false },
    ].map((line) => JSON.stringify(line));
    const path = folder.write(
      'a.ndjson',
      `${lines.join('\n')}\n{"id":"e","n":9223372036854775807,"x":1,"ok":true,"tags":null}\n`,
    );
    const { output } = await folder.map(
      `type Out { string id; int n; double x; boolean ok; int tags; }
       export Out map(string id, int n, double x, boolean ok, int[] tags) {
         return { id: id, n: n, x: x, ok: ok, tags: tags == null ? -1 : tags.length() };
       }`,
      path,
      { maxErrors: 3 },
    );
    expect(await rowsOf(output)).toEqual([
      '{"id":"a","n":1,"x":2.0,"ok":true,"tags":2}',
      '{"id":null,"n":1,"x":2.5,"ok":false,"tags":-1}',
      '{"id":"e","n":9223372036854775807,"x":1.0,"ok":true,"tags":-1}',
    ]);
    expect(failuresOf(output).map(({ row, message }) => [row, message])).toEqual([
      [2, 'id: expected string, got 7; it has no quotes: take it as int, double or json'],
      [3, 'n: expected int, got 1.5; take it as double'],
      [4, 'x: expected double, got "2"; in quotes it is a text: take it as string'],
    ]);
  });

  it('of NDJSON, a key may come late, and in one file alone', async () => {
    const lines = (count: number, last: string): string => `${'{"id":1}\n'.repeat(count)}${last}\n`;
    const files = [
      folder.write('late-0.ndjson', lines(3, '{"id":2}')),
      folder.write('late-1.ndjson', lines(30_000, '{"id":3,"late":"a","Later":4}')),
    ];
    const late = `type Out { int id; string late; int later; }
      export Out map(int id, string late, int later, boolean later_valid, int limit = 1) {
        return later_valid || late != null ? { id: id, late: late, later: later + limit } : null;
      }`;
    const { output, end } = await folder.map(late, files, { columns: { later: 'Later' } });
    expect(end).toMatchObject({ read: 30_005, written: 1 });
    expect(await rowsOf(output)).toEqual(['{"id":3,"late":"a","later":5}']);
    await expect(folder.map(late, files[0]!, { columns: { later: 'Later' } })).rejects.toThrow('no column');
  });

  it('that are broken say in which line', async () => {
    const fails = async (name: string, content: string): Promise<string> =>
      folder.map(orders, folder.write(name, content)).then(
        () => 'nothing',
        (error: unknown) => (error as Error).message.replace(`${folder.path}/`, ''),
      );
    expect(await fails('quote.csv', 'id,price,day,country\n1,2,3,"DE\n')).toBe(
      'quote.csv: line 2: Value with unterminated quote found. The quote in front of "DE" is never closed',
    );
    expect(await fails('wide.csv', 'id,price,day,country\n1,2,3,DE\n1,2,3,DE,5\n')).toBe(
      'wide.csv: line 3: Expected Number of Columns: 4 Found: 5; with --max-errors such a line is a dead letter',
    );
    expect(await fails('broken.ndjson', '{"id":"a","price":1,"day":1,"country":"x"}\n{"id":\n')).toMatch(
      /^broken\.ndjson: line 2: it is no JSON: /,
    );
  });
});

describe('what does not fit', () => {
  const fails = async (text: string, input = numbers, options = {}): Promise<string> =>
    folder.map(text, input, options).then(
      () => 'nothing',
      (error: unknown) => (error as Error).message.replaceAll(`${folder.path}/`, '').replace(/script-\w+/, 'script'),
    );

  it('is said before a record is read', async () => {
    const out = 'type Out { int n; }';
    expect(await fails(`${out} export Out map(int m) { return { n: m }; }`)).toBe(
      'map takes int m, and the input has no column m; it has n, s; -a m=VALUE gives one value for all records',
    );
    expect(await fails(`${out} export Out map(string n) { return { n: 1 }; }`)).toBe(
      'the column n is BIGINT, and map takes string n: it can be double or int',
    );
    expect(await fails(`${out} export int map(int n) { return n; }`)).toBe(
      'map returns int: it returns a struct, with a field for each column that is written',
    );
    expect(await fails(`${out} export Out nap(int n) { return { n: n }; }`)).toBe(
      'script.slu exports neither map nor mapBatch: did you mean map, where it has nap?',
    );
    expect(await fails(`${out} export Out map(int n) { File.read("a"); return { n: n }; }`)).toBe(
      'script.slu asks for File.Read: allow it with --allow-file-read=DIR',
    );
    expect(await fails(plain, numbers, { columns: { m: 'n' } })).toBe('--column m: map has no such parameter');
    expect(await fails(plain, numbers, { nulls: { n: { value: 'x' } } })).toBe(
      '--null n=x: n is int, and null becomes such a value, or --null NAME=skip leaves the record out',
    );
    expect(await fails(plain, folder.file('none*.parquet'))).toBe('there is no file none*.parquet');
    expect(await fails('type Out { int n; } export Out map(int n) { return { m: n }; }')).toContain(
      'script.slu has errors: ',
    );
  });

  it('is said of files and folders', async () => {
    const broken = folder.write('broken.parquet', readFileSync(numbers).subarray(0, 5000));
    expect(await fails(plain, broken)).toBe('broken.parquet: it is no Parquet file, or its end is missing');
    const hole = readFileSync(numbers);
    hole.fill(0, 100, 20000);
    expect(await fails(plain, folder.write('hole.parquet', hole))).toMatch(/^hole\.parquet, row group 1, /);
    const other = await folder.parquet('other.parquet', "SELECT 'x' AS n");
    expect(await folder.map(plain, [numbers, other]).catch((error: unknown) => (error as Error).message)).toContain(
      'the column n is VARCHAR, and in',
    );
    const { output } = await folder.map(plain, numbers);
    expect(await fails(plain, numbers, { output })).toContain('has the output of a run that is complete');
    const full = folder.file('full');
    rmSync(full, { recursive: true, force: true });
    await expect(folder.map(plain, numbers, { output: '/proc/sluice-map' })).rejects.toThrow(
      'cannot write to /proc/sluice-map: the folder cannot be made',
    );
    writeFileSync(full, '');
    expect(await fails(plain, numbers, { output: `${full}/out` })).toContain('a part of its path is no folder');
  });
});
