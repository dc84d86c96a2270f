// Summing up: init, step, merge and finish over partitions, by groups, alone and behind map.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { planMap, runMap } from 'sluice-map';
import { afterAll, describe, expect, it } from 'vitest';
import { compileOptions } from '../../runtime-host/engine/compile-options.ts';
import { Database } from '../../map/duckdb/database.ts';
import { foldRows, partitionPiece } from '../../map/local/fold.ts';
import { GroupStates } from '../../map/local/groups.ts';
import { scriptOf } from '../../map/local/attempts.ts';
import type { RunWork } from '../../map/local/attempts.ts';
import { mergeTree } from '../../map/plan/merge-tree.ts';
import { failuresOf, hashesOf, MapFolder, query, rowsOf } from './harness.ts';

const folder = new MapFolder();
afterAll(() => folder.remove());

/** Doubles whose sum depends on the order in which they are added. */
const rows = 4000;
const sales = await folder.parquet(
  'sales.parquet',
  `SELECT i AS id, CASE i % 5 WHEN 0 THEN 1e16 WHEN 1 THEN -1e16 ELSE i * 0.1 END AS price,
   ['DE', 'FR', NULL, 'a,b'][1 + i % 4] AS country, DATE '2026-01-01' + (i % 3)::INTEGER AS day
   FROM range(${rows}) AS r(i)`,
  ', ROW_GROUP_SIZE 2048',
);
const price = (i: number): number => (i % 5 === 0 ? 1e16 : i % 5 === 1 ? -1e16 : i * 0.1);

const mean = `type State { int count; double sum; }
  type Mean { int count; double sum; }
  export State init() { return { count: 0, sum: 0.0 }; }
  export void step(State s, double price) { s.count++; s.sum += price; }
  export void merge(State into, State from) { into.count += from.count; into.sum += from.sum; }
  export Mean finish(State s) { return { count: s.count, sum: s.sum }; }`;

const summaryOf = async (output: string): Promise<Record<string, unknown>[]> =>
  (await query(`SELECT CAST(to_json(whole) AS VARCHAR) FROM '${join(output, 'summary.parquet')}' AS whole`)).map(
    ([row]) => JSON.parse(row!) as Record<string, unknown>,
  );

describe('groups', () => {
  it('are the same bits with 1, 2 and 8 threads, in the order in which they appear', async () => {
    const runs = [];
    for (const threads of [1, 2, 8])
      runs.push(await folder.map(mean, sales, { threads, partitionRows: 150, by: ['country', 'day'] }));
    const [first, ...others] = runs.map(({ output }) => hashesOf(output));
    for (const other of others) expect(other).toEqual(first);
    const { output, end } = runs[0]!;
    expect(end).toMatchObject({ phase: 'done', partitions: 28, done: 28, read: rows, written: 0, groups: 12 });
    expect(readdirSync(output).sort()).toEqual(['_SUCCESS', 'summary.parquet']);
    const found = await summaryOf(output);
    expect(found.slice(0, 4).map(({ country, day }) => [country, day])).toEqual([
      ['DE', '2026-01-01'],
      ['FR', '2026-01-02'],
      [null, '2026-01-03'],
      ['a,b', '2026-01-01'],
    ]);
    expect(found.map(({ count }) => count).reduce((a, b) => Number(a) + Number(b))).toBe(rows);
    expect(await query(`SELECT column_type FROM (DESCRIBE SELECT * FROM '${output}/summary.parquet')`)).toEqual([
      ['VARCHAR'],
      ['DATE'],
      ['BIGINT'],
      ['DOUBLE'],
    ]);
  });

  it('are merged as the tree of their partitions says, however those are cut', async () => {
    const script = folder.write('tree.slu', mean);
    const plan = await planMap({ script, input: sales, output: folder.file('none'), by: 'country' });
    const module = new WebAssembly.Module(plan.fold!.module, compileOptions);
    const run: RunWork = { ...plan, map: null, fold: { ...plan.fold!, module }, records: rows, startedAt: 0 };
    const database = await Database.open({
      threads: 1,
      memoryBytes: 2 ** 28,
      temporary: '',
      reach: { files: [sales], folders: [] },
    });
    const countries = ['DE', 'FR', null, 'a,b'];
    try {
      await fc.assert(
        fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 1, max: rows - 1 }), { maxLength: 20 }), async (cuts) => {
          const bounds = [0, ...cuts.toSorted((a, b) => a - b), rows];
          const pieces = bounds.slice(1).map((to, at) => ({ at, file: sales, source: sales, from: bounds[at]!, to }));
          // States of doubles as the tree adds them up, worked out here.
          const expected = new Map<string, number[]>();
          const states = new Map<string, GroupStates>();
          for (const piece of pieces) {
            const sums = [0, 0, 0, 0];
            for (let i = piece.from; i < piece.to; i++) sums[i % 4]! += price(i);
            expected.set(String(piece.at), sums);
            states.set(
              String(piece.at),
              (await foldRows(run, run.fold!, partitionPiece(database, run.fold!, piece), 0, () => {})).states,
            );
          }
          const { nodes, root } = mergeTree(pieces.length);
          for (const { id, inputs } of nodes) {
            const merged = await GroupStates.begin(await scriptOf(run, run.fold!, id), run.fold!);
            for (const input of inputs) {
              for (const some of states.get(input)!.give()) await merged.take(some);
              states.get(input)!.close();
            }
            states.set(id, merged);
            expected.set(
              id,
              inputs.map((input) => expected.get(input)!).reduce((a, b) => a.map((sum, at) => sum + b[at]!)),
            );
          }
          const groups = [...states.get(root)!.give()].flat();
          states.get(root)!.close();
          expect(new Map(groups.map(({ key, state }) => [key[0], (state as { sum: number }).sum]))).toEqual(
            new Map(countries.map((country, at) => [country, expected.get(root)![at]!])),
          );
        }),
        { numRuns: 8 },
      );
    } finally {
      database.close();
    }
  });

  it('are one without columns, of no records too', async () => {
    const { output } = await folder.map(mean, sales, { partitionRows: 1000, format: 'ndjson' });
    expect(JSON.parse(readFileSync(join(output, 'summary.ndjson'), 'utf8'))).toMatchObject({ count: rows });
    const empty = await folder.parquet('empty.parquet', "SELECT 1.5 AS price, 'a' AS country WHERE false");
    const one = await folder.map(mean, empty, { format: 'csv' });
    expect(readFileSync(join(one.output, 'summary.csv'), 'utf8')).toBe('count,sum\n0,0.0\n');
    const none = await folder.map(mean, empty, { format: 'csv', by: 'country' });
    expect(readFileSync(join(none.output, 'summary.csv'), 'utf8')).toBe('country,count,sum\n');
  });

  it('have columns of any plain type, in which zeros are one, and so are NaNs', async () => {
    const kinds = await folder.parquet(
      'kinds.parquet',
      `SELECT unnest([0.0, -0.0, 'nan'::DOUBLE, 'nan'::DOUBLE, NULL, 0.1]) AS x, unnest([1, 1, 2, 2, 3, 4])::FLOAT AS f,
       unnest([true, true, false, false, NULL, true]) AS b, 12.50::DECIMAL(6,2) AS d,
       TIMESTAMP '2026-01-01 00:00:00.5' AS t, 18446744073709551615::UBIGINT AS u, 'x' || chr(0) || '"é' AS s,
       [1] AS list, 1.0::DOUBLE AS price`,
    );
    const by = ['x', 'f', 'b', 'd', 't', 'u', 's'];
    for (const partitionRows of [100, 1]) {
      const { output } = await folder.map(mean, kinds, { by, partitionRows });
      expect(
        await query(`SELECT CAST(x AS VARCHAR), CAST(f AS VARCHAR), CAST(b AS VARCHAR), CAST(count AS VARCHAR)
          FROM '${output}/summary.parquet'`),
      ).toEqual([
        ['0.0', '1.0', 'true', '2'],
        ['nan', '2.0', 'false', '2'],
        [null, '3.0', null, '1'],
        ['0.1', '4.0', 'true', '1'],
      ]);
      expect(
        await query(`SELECT DISTINCT CAST(d AS VARCHAR), CAST(t AS VARCHAR), CAST(u AS VARCHAR), s, typeof(d), typeof(u)
          FROM '${output}/summary.parquet'`),
      ).toEqual([['12.50', '2026-01-01 00:00:00.5', '18446744073709551615', 'x\0"é', 'DECIMAL(6,2)', 'UBIGINT']]);
    }
    await expect(folder.map(mean, kinds, { by: 'list' })).rejects.toThrow(
      '--by list: it is INTEGER[], and groups are made by numbers, texts, times and booleans',
    );
  });

  it('may be 100,000', async () => {
    const many = await folder.parquet(
      'many.parquet',
      'SELECT (i * 7919) % 100000 AS k, 1.5 AS price FROM range(200000) AS r(i)',
      ', ROW_GROUP_SIZE 102400',
    );
    const { output, end } = await folder.map(mean, many, { by: 'k', partitionRows: 110_000, threads: 2 });
    expect(end).toMatchObject({ groups: 100_000, partitions: 2 });
    expect(
      await query(`SELECT CAST(count(DISTINCT k) AS VARCHAR), CAST(min(count) AS VARCHAR), CAST(max(sum) AS VARCHAR)
        FROM '${output}/summary.parquet'`),
    ).toEqual([['100000', '2', '3.0']]);
  });

  it('of CSV and NDJSON are by the texts of their fields', async () => {
    const csv = folder.write('a.csv', 'price,country,day\n1,DE,2026-01-02\n2,,2026-01-02\n3,DE,2026-01-02\n');
    const ofCsv = await folder.map(mean, csv, { by: ['country', 'day'], format: 'csv', partitionRows: 1 });
    expect(readFileSync(join(ofCsv.output, 'summary.csv'), 'utf8')).toBe(
      'country,day,count,sum\nDE,2026-01-02,2,4.0\n,2026-01-02,1,2.0\n',
    );
    const lines = folder.write(
      'a.ndjson',
      '{"price":1,"k":"a"}\n{"price":2,"k":null}\n{"price":3}\n{"price":4,"k":7}\n{"price":5,"k":"7"}\n',
    );
    const ofLines = await folder.map(mean, lines, { by: 'k', format: 'ndjson' });
    expect(readFileSync(join(ofLines.output, 'summary.ndjson'), 'utf8').trim().split('\n')).toEqual([
      '{"k":"a","count":1,"sum":1.0}',
      '{"k":null,"count":2,"sum":5.0}',
      '{"k":"7","count":2,"sum":9.0}',
    ]);
  });
});

describe('states', () => {
  it('may hold anything, which is the same behind partitions as within one', async () => {
    const script = `type Inner { double[] values; json doc; }
      type State { int big; double odd; string last; Inner inner; json seen; string[] words; boolean any; }
      type Out { int big; string odd; string last; double sum; string seen; int words; boolean any; string doc; }
      export State init(int start) {
        return { big: start, odd: -0.0, last: null, inner: { values: [], doc: null }, seen: [], words: [], any: false };
      }
      export void step(State s, int id, double price, string country) {
        s.big += id;
        if (id == 1) s.odd = 0.0 / 0.0;
        if (id == 2) s.inner.doc = { one: 1.0, int: 1, large: 9223372036854775807 };
        s.last = country;
        s.inner.values.push(price);
        s.seen.push(country);
        if (country != null) s.words.push("\\u2028" + country); else s.any = true;
      }
      export void merge(State a, State b) {
        a.big += b.big - 9223372036854000000;
        if (b.odd != 0.0) a.odd = b.odd;
        a.last = b.last;
        for (int i = 0; i < b.inner.values.length(); i++) a.inner.values.push(b.inner.values[i]);
        if (b.inner.doc != null) a.inner.doc = b.inner.doc;
        json[] more = b.seen as json[];
        for (int i = 0; i < more.length(); i++) a.seen.push(more[i]);
        for (int i = 0; i < b.words.length(); i++) a.words.push(b.words[i]);
        a.any = a.any || b.any;
      }
      export Out finish(State s, int digits) {
        return { big: s.big, odd: \`\${s.odd}\`, last: s.last, sum: s.inner.values.sum(), seen: \`\${s.seen}\`,
          words: s.words.length() + digits, any: s.any, doc: \`\${s.inner.doc}\` };
      }`;
    const five = await folder.parquet(
      'five.parquet',
      `SELECT i AS id, i * 1.5 AS price, ['a', NULL, 'b'][1 + i % 3] AS country FROM range(5) AS r(i)`,
    );
    const outputs = [];
    for (const partitionRows of [5, 2, 1]) {
      const given = { start: 9_223_372_036_854_000_000n, digits: 100 };
      const { output } = await folder.map(script, five, { partitionRows, arguments: given });
      outputs.push(await query(`SELECT CAST(to_json(whole) AS VARCHAR) FROM '${output}/summary.parquet' AS whole`));
    }
    expect(outputs[0]).toEqual([
      [
        '{"big":9223372036854000010,"odd":"NaN","last":null,"sum":15.0,"seen":"[\\"a\\",null,\\"b\\",\\"a\\",null]",' +
          '"words":103,"any":true,"doc":"{\\"one\\":1.0,\\"int\\":1,\\"large\\":9223372036854775807}"}',
      ],
    ]);
    expect(outputs[1]).toEqual(outputs[0]);
    expect(outputs[2]).toEqual(outputs[0]);
  });

  it('keep the sign of a zero', async () => {
    const script = `type State { double x; } type Out { string x; }
      export State init() { return { x: -0.0 }; }
      export void step(State s, double price) { }
      export void merge(State a, State b) { }
      export Out finish(State s) { return { x: \`\${s.x}\` }; }`;
    const { output } = await folder.map(script, sales, { partitionRows: 1000 });
    expect(await summaryOf(output)).toEqual([{ x: '-0.0' }]);
  });
});

describe('a record that fails', () => {
  it('in step leaves nothing of what it did behind', async () => {
    const script = mean.replace('s.sum += price;', 's.sum += price; if (price == 1e16) throw "too large";');
    const failing = await folder.map(script, sales, { partitionRows: 2000, maxErrors: 800, by: 'country' });
    expect(failing.end).toMatchObject({ read: rows, failed: 800 });
    expect(failuresOf(failing.output)[1]).toMatchObject({
      row: 6,
      type: 'Error',
      message: 'too large',
      record: { id: 5, country: 'FR' },
    });
    const without = await folder.parquet('without.parquet', `SELECT * FROM '${sales}' WHERE price <> 1e16`);
    const expected = await folder.map(mean, without, { partitionRows: 1600, by: 'country' });
    expect((await summaryOf(failing.output)).map(({ count }) => count)).toEqual([800, 800, 800, 800]);
    const byName = (found: Record<string, unknown>[]): unknown =>
      found.toSorted((a, b) => String(a['country']).localeCompare(String(b['country'])));
    expect(byName(await summaryOf(failing.output))).toEqual(byName(await summaryOf(expected.output)));
    await expect(folder.map(script, sales)).rejects.toThrow(
      `${sales}, record 1: Error: too large (more than --max-errors=0 records failed)`,
    );
  });

  it('for a null or a limit does not count', async () => {
    const holes = await folder.parquet('holes.parquet', `SELECT unnest([1.5, NULL, 7.0, 2.5]) AS price`);
    const endless = mean.replace('s.count++;', 's.count++; while (price == 7.0) s.count += 0;');
    const { output, end } = await folder.map(endless, holes, {
      maxErrors: 2,
      limits: { timeMs: 1500, memoryBytes: 2 ** 28 },
    });
    expect(end).toMatchObject({ read: 4, failed: 2 });
    expect(failuresOf(output).map(({ row, type }) => [row, type])).toEqual([
      [2, 'NullError'],
      [3, 'TimeoutError'],
    ]);
    expect(await summaryOf(output)).toEqual([{ count: 2, sum: 4 }]);
    const skipped = await folder.map(mean, holes, { nulls: { price: 'skip' } });
    expect(skipped.end).toMatchObject({ skipped: 1, failed: 0 });
    const filled = await folder.map(
      mean
        .replace('double price', 'double price, boolean price_valid')
        .replace('+= price', '+= price_valid ? price : 100.0'),
      holes,
    );
    expect(await summaryOf(filled.output)).toEqual([{ count: 4, sum: 111 }]);
  });

  it('in merge or finish ends the run, with its group', async () => {
    await expect(
      folder.map(mean.replace('into.count += from.count;', 'throw "no";'), sales, {
        by: 'country',
        partitionRows: 2000,
      }),
    ).rejects.toThrow('merge failed for country=DE: Error: no');
    await expect(
      folder.map(mean.replace('Mean finish(State s) {', '$& while (true) s.count++;'), sales, {
        by: 'country',
        limits: { timeMs: 1000, memoryBytes: 2 ** 28 },
      }),
    ).rejects.toThrow('finish failed for country=DE: TimeoutError');
    await expect(
      folder.map(mean.replace('sum: s.sum };', 'sum: 1.0 * (1 / (s.count - 1000)) };'), sales, { by: 'country' }),
    ).rejects.toThrow('finish failed for country=DE: DivisionByZeroError');
  });
});

describe('a run that sums up', () => {
  it('goes on behind a kill, at any point', async () => {
    const output = folder.file('killed');
    const script = folder.write(
      'killed.slu',
      mean.replace('s.count++;', 's.count++; for (int i = 0; i < 9000; i++) s.count += i & 0;'),
    );
    const entry = fileURLToPath(new URL('../../packages/sluice/bin/sluice.mjs', import.meta.url));
    const words = ['map', script, '--input', sales, '--by', 'country,day', '--partition-rows', '100', '--threads', '2'];
    const whole = folder.file('whole');
    const run = async (to: string, more: readonly string[], until: number): Promise<void> => {
      const child = spawn(process.execPath, [entry, ...words, '-o', to, ...more], { stdio: 'ignore' });
      const timer = setInterval(() => {
        const done = existsSync(join(to, '_commits')) ? readdirSync(join(to, '_commits')).length : 0;
        if (done >= until) child.kill('SIGKILL');
      }, 5);
      await once(child, 'exit');
      clearInterval(timer);
    };
    await run(whole, [], Infinity);
    for (const [at, until] of [5, 30].entries()) {
      await run(output, at === 0 ? [] : ['--resume'], until);
      expect(existsSync(join(output, '_SUCCESS'))).toBe(false);
    }
    // What was merged counts, and an attempt that was not committed does not.
    writeFileSync(join(output, '_data', 'merge-0-0.attempt.states.ndjson'), 'half');
    await run(output, ['--resume'], Infinity);
    expect(hashesOf(output)).toEqual(hashesOf(whole));
  });

  it('is printed before it is done', async () => {
    const script = folder.write('plan.slu', mean);
    const plan = await planMap({ script, input: sales, output: 'out', by: ['country', 'day'], partitionRows: 100 });
    const { describePlan } = await import('sluice-map');
    const lines = describePlan(plan).split('\n');
    expect(lines[0]).toBe(`script       ${script}: init, step, merge and finish sum records up`);
    expect(lines.slice(2, -3)).toEqual([
      '  price DOUBLE → double price null is a dead letter',
      'groups       by country, day: 1,000,000 at most',
      'state        State { int count; double sum; }',
      'merges       6 merges of up to 8 states, in 2 levels, in the order of partitions',
      'summary      out/summary.parquet',
      '  country → VARCHAR',
      '  day     → DATE',
      '  count   → BIGINT',
      '  sum     → DOUBLE',
    ]);
  });
});

describe('a script that maps too', () => {
  const both = `type Out { string country; double total; boolean total_valid; }
    export Out map(double price, string country) {
      if (country == "FR") return null;
      return { country: country, total: price * 2, total_valid: price != 1e16 };
    }
    ${mean.replaceAll('price', 'total')}`;

  it('sums up what it gives, in one run', async () => {
    for (const format of ['parquet', 'ndjson'] as const) {
      const { output, end } = await folder.map(both, sales, {
        by: 'country',
        partitionRows: 2000,
        nulls: { total: 'skip' },
        format,
      });
      expect(end).toMatchObject({ read: rows, written: 3000, skipped: 600, failed: 0, groups: 3 });
      expect(readdirSync(output).sort()).toEqual([
        '_SUCCESS',
        `part-00000.${format}`,
        `part-00001.${format}`,
        `summary.${format}`,
      ]);
      expect((await rowsOf(output)).length).toBe(3000);
      expect(await query(`SELECT country, CAST(count AS VARCHAR) FROM '${output}/summary.${format}'`)).toEqual([
        ['DE', '800'],
        [null, '800'],
        ['a,b', '800'],
      ]);
    }
  });

  it('as mapYields and mapBatch', async () => {
    const yields = both
      .replace('export Out map', 'export void map')
      .replace('return null;', 'return;')
      .replace('return { country', 'Out o = { country')
      .replace('price != 1e16 };', 'price != 1e16 }; yield o; yield o;');
    const { end } = await folder.map(yields, sales, { by: 'country', nulls: { total: 'skip' } });
    expect(end).toMatchObject({ written: 6000, skipped: 1200, groups: 3 });
  });

  it('lists rows that step refuses, which stay among what was mapped', async () => {
    const refusing = both.replace('s.count++;', 'if (total < 0.0) throw "negative"; s.count++;');
    const { output, end } = await folder.map(refusing, sales, {
      by: 'country',
      nulls: { total: 'skip' },
      maxErrors: 600,
    });
    expect(end).toMatchObject({ written: 3000, failed: 600 });
    expect(failuresOf(output)[0]).toMatchObject({
      file: 'part-00000',
      message: 'negative',
      record: { country: null, total: -2e16 },
    });
    await expect(folder.map(refusing, sales, { nulls: { total: 'skip' } })).rejects.toThrow(
      /^part-00000, record \d+: Error: negative \(more than --max-errors=0 records failed\)\n {4}at step \(.*\)$/,
    );
  });
});

describe('what does not fit', () => {
  const fails = async (script: string, options = {}): Promise<string> =>
    folder.map(script, sales, options).then(
      () => 'nothing',
      (error: unknown) => (error as Error).message.replaceAll(`${folder.path}/`, '').replace(/script-\w+/, 'script'),
    );

  it.each([
    [
      'export void merge',
      'export void murge',
      'script.slu exports init, step and finish, and no merge: did you mean merge, where it has murge? ' +
        'export void merge(State into, State from)',
    ],
    [
      'export Mean finish',
      'Mean finish',
      'script.slu exports init, step and merge, and no finish: export Out finish(State s)',
    ],
    ['export State init', 'State init', 'script.slu exports step, merge and finish, and no init: export State init()'],
    [
      'export void step',
      'void step',
      'script.slu exports init, merge and finish, and no step: export void step(State s, double price)',
    ],
    [
      'step(State s, double price)',
      'step(double price, State s)',
      'script.slu: step takes double first, and not State: export void step(State s, double price)',
    ],
    [
      'void step(State s, double price) {',
      'int step(State s, double price) { if (price > 1) return 1; else return 2; ',
      '',
    ],
    [
      'merge(State into, State from)',
      'merge(State into, Mean from)',
      'script.slu: merge takes State and Mean: export void merge(State into, State from)',
    ],
    [
      'Mean finish(State s) { return { count: s.count, sum: s.sum }; }',
      'int finish(State s) { return s.count; }',
      'script.slu: finish returns int, no struct: export Out finish(State s)',
    ],
    [
      's.count++;',
      's.count++; yield s.count;',
      'script.slu: step yields, which nobody takes: export void step(State s, double price)',
    ],
    [
      'double price) { s.count++; s.sum += price',
      'double prize) { s.count++; s.sum += prize',
      'step takes double prize, and the input has no column prize: did you mean price?; ' +
        'it has id, price, country, day; -a prize=VALUE gives one value for all records',
    ],
    ['init()', 'init(int start)', 'init takes int start, and no record: -a start=VALUE gives its value'],
  ])('%s as %s', async (from, to, message) => {
    const text = mean.replace(from, to);
    if (message === '') expect(await fails(text)).toContain('step returns int, and changes the state');
    else expect(await fails(text)).toBe(message);
  });

  it('is said of options', async () => {
    expect(await fails(mean, { by: 'contry' })).toBe(
      '--by contry: the input has no such column: did you mean country?; it has id, price, country, day',
    );
    expect(await fails(mean, { by: ['day', 'day'] })).toBe('--by has day twice');
    expect(await fails(mean.replaceAll('count', 'Country'), { by: 'country' })).toBe(
      '--by country is a column of the summary, and so is the field Country of what finish gives: ' +
        'one of them needs another name',
    );
    expect(await fails('type Out { int id; } export Out map(int id) { return { id: id }; }', { by: 'id' })).toBe(
      '--by id: script.slu only maps; groups are for scripts that export init, step, merge and finish',
    );
    expect(await fails(mean, { arguments: { x: 1 } })).toBe('-a x: init, step, finish has no such parameter');
    expect(
      await fails(mean.replace('init()', 'init(int n)').replace('finish(State s', 'finish(State s, string n'), {
        arguments: { n: 1 },
      }),
    ).toBe('-a n: functions of the script take it as different types, and it has one');
    const output = folder.file('differs');
    const stopping = new AbortController();
    const plan = await planMap({ script: folder.write('d.slu', mean), input: sales, output, partitionRows: 100 });
    const watch = async (): Promise<void> => {
      for await (const { done } of runMap(plan, { threads: 1, signal: stopping.signal }))
        if (done >= 0) stopping.abort(new Error('enough'));
    };
    await expect(watch()).rejects.toThrow('enough');
    const other = await planMap({ script: folder.file('d.slu'), input: sales, output, partitionRows: 100, by: 'day' });
    await expect(runMap(other, { resume: true }).next()).rejects.toThrow('has the output of another run');
  });
});
