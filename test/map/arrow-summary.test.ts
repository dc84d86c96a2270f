// A script that sums up, as a filter of streams of Arrow: one row for each group, once the stream has ended.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as Arrow from 'apache-arrow';
import fc from 'fast-check';
import { describePlan, mapArrow, TooManyErrors } from 'sluice-map';
import { afterAll, describe, expect, it } from 'vitest';
import { bytesOf, inPieces, mapStream, streamOf, withoutNan } from './arrow-streams.ts';
import type { Mapped } from './arrow-streams.ts';
import { MapFolder } from './harness.ts';

const folder = new MapFolder();
afterAll(() => folder.remove());

const { vectorFromArray } = Arrow;
const int = (...values: (number | null)[]): Arrow.Vector => vectorFromArray(values, new Arrow.Int32());
const text = (...values: (string | null)[]): Arrow.Vector => vectorFromArray(values, new Arrow.Utf8());
const fixture = (name: string): string => new URL(`fixtures/${name}`, import.meta.url).pathname;

/** How many, and their sum; `step` has the record in its state before it throws. */
const sums = (check = '', merge = ''): string => `
  type State { int count; int sum; }
  export State init() { return { count: 0, sum: 0 }; }
  export void step(State s, int n) { s.count++; s.sum += n; ${check} }
  export void merge(State into, State from) { ${merge} into.count += from.count; into.sum += from.sum; }
  export State finish(State s) { return s; }`;
const counts = sums().replace(', int n)', ')').replace('s.sum += n;', '');

/** A column of values as they lie in it. */
function raw(type: Arrow.DataType, values: readonly unknown[]): Arrow.Vector {
  if (Arrow.DataType.isUtf8(type) || Arrow.DataType.isBool(type)) return vectorFromArray(values, type) as Arrow.Vector;
  const { ArrayType } = type as unknown as { readonly ArrayType: new (length: number) => unknown[] };
  const data = new ArrayType(values.length);
  const nullBitmap = new Uint8Array(Math.ceil(values.length / 8));
  for (const [at, value] of values.entries()) {
    if (value === null) continue;
    data[at] = value;
    nullBitmap[at >> 3]! |= 1 << (at & 7);
  }
  return new Arrow.Vector([Arrow.makeData({ type, length: values.length, nullBitmap, data } as never)]);
}

/** 8 batches of 10,000 numbers from 0 on, and their remainders by 3: more than one piece. */
const long = streamOf(
  ...Array.from({ length: 8 }, (_, batch) => {
    const n = Array.from({ length: 10_000 }, (__, at) => batch * 10_000 + at);
    return { n: int(...n), rest: int(...n.map((each) => each % 3)) };
  }),
);

describe('a summary', () => {
  it('has one row at the end, of all batches', async () => {
    const mapped = await mapStream(folder, sums(), streamOf({ n: int(1, 2) }, { n: int(3) }, { n: int() }));
    expect(mapped).toMatchObject({
      rows: [{ count: 3n, sum: 6n }],
      batches: [1],
      types: { count: 'Int64', sum: 'Int64' },
      counts: { read: 3, written: 1, failed: 0, skipped: 0 },
    });
  });

  it('has a row for each group, in the order in which they come', async () => {
    const input = streamOf(
      { country: text('DE', null, 'FR'), n: int(1, 2, 3) },
      { country: text('IT', 'FR', null), n: int(4, 5, 6) },
    );
    const { rows, types } = await mapStream(folder, sums(), input, { by: 'country' });
    expect(types).toEqual({ country: 'Utf8', count: 'Int64', sum: 'Int64' });
    expect(rows).toEqual([
      { country: 'DE', count: 1n, sum: 1n },
      { country: null, count: 2n, sum: 8n },
      { country: 'FR', count: 2n, sum: 8n },
      { country: 'IT', count: 1n, sum: 4n },
    ]);
  });

  it('of no records is one row, and none by groups', async () => {
    const empty = streamOf({ n: int() });
    expect((await mapStream(folder, sums(), empty)).rows).toEqual([{ count: 0n, sum: 0n }]);
    const grouped = await mapStream(folder, sums(), empty, { by: 'n' });
    expect([grouped.rows, grouped.types]).toEqual([[], { n: 'Int32', count: 'Int64', sum: 'Int64' }]);
  });

  it('merges the states of long streams', async () => {
    const { rows, counts: counted } = await mapStream(folder, sums(), long, { by: ['rest'] });
    const ofRest = (rest: number): number[] =>
      Array.from({ length: 80_000 }, (_, n) => n).filter((n) => n % 3 === rest);
    expect(rows).toEqual(
      [0, 1, 2].map((rest) => ({
        rest,
        count: BigInt(ofRest(rest).length),
        sum: BigInt(ofRest(rest).reduce((sum, n) => sum + n, 0)),
      })),
    );
    expect(counted).toEqual({ read: 80_000, written: 3, failed: 0, skipped: 0 });
  });

  it('of many groups comes as several batches', async () => {
    const { rows, batches } = await mapStream(folder, sums(), long, { by: 'n' });
    expect(batches).toEqual([...Array<number>(9).fill(8192), 80_000 - 9 * 8192]);
    expect(rows.every(({ n, sum }, at) => n === at && sum === BigInt(at))).toBe(true);
  });

  it('takes arguments, rules for nulls and finish without a row', async () => {
    const script = `type State { int sum; }
      type Out { json all; double half; }
      export State init(int start) { return { sum: start }; }
      export void step(State s, int n, int factor) { s.sum += n * factor; }
      export void merge(State into, State from) { into.sum += from.sum; }
      export Out finish(State s, int least) {
        if (s.sum < least) return null; return { all: [s.sum], half: s.sum / 2.0 }; }`;
    const { rows, counts: counted } = await mapStream(
      folder,
      script,
      streamOf({ n: int(1, null, 3), g: text('a', 'a', 'b') }),
      { by: 'g', arguments: { start: 10, factor: 2, least: 13 }, nulls: { n: 'skip' } },
    );
    expect(rows).toEqual([{ g: 'b', all: '[16]', half: 8 }]);
    expect(counted).toEqual({ read: 3, written: 1, failed: 0, skipped: 1 });
  });

  it('is told by a plan', async () => {
    const script = folder.write('planned.slu', sums());
    const { plan, output } = await mapArrow(inPieces(long), { script, by: 'rest' });
    const lines = describePlan(plan).split('\n');
    expect(lines).toContain('groups       by rest: 1,000,000 at most');
    expect(lines).toContain('merges       states of 65,536 records or more, in the order of the stream');
    expect(lines).toContain('summary      a stream of Arrow, once that has ended');
    expect(lines).toContain('  rest  → INTEGER');
    for await (const piece of output) if (piece.length > 0) break;
  });

  it('is not made by a script that maps too', async () => {
    const both = `type Out { int n; } export Out map(int n) { return { n: n }; } ${sums()}`;
    await expect(mapStream(folder, both, streamOf({ n: int(1) }))).rejects.toThrow(
      'maps and sums up, and a stream gives one of them: make two scripts of it, of which one reads what',
    );
  });
});

describe('groups', () => {
  const columns = [
    'i8 u8 i16 u16 i32 u32 i64 u64 f32 f64 small exact large flag',
    'day s ms us ns zoned time text word none',
  ].flatMap((names) => names.split(' '));

  it.each(['plain.arrows', 'layouts.arrows'])('of every type of %s are those of a file', async (name) => {
    const stream = readFileSync(fixture(name));
    for (const by of columns)
      expect([by, await groupsOfStream(stream, by)]).toEqual([by, await groupsOfFile(fixture('rows.parquet'), by)]);
  });

  it('keep the types of their columns', async () => {
    const types = {
      half: new Arrow.Float16(),
      single: new Arrow.Float32(),
      tiny: new Arrow.Uint8(),
      date: new Arrow.DateMillisecond(),
      time: new Arrow.TimeMicrosecond(),
      zoned: new Arrow.Timestamp(Arrow.TimeUnit.NANOSECOND, 'Europe/Berlin'),
      flag: new Arrow.Bool(),
    };
    // Floats of 16 bits are given by their bits.
    const values = { half: 0x3800, single: 0.25, tiny: 200, date: 86_400_000n, time: 5n, zoned: -7n, flag: true };
    const vectors = Object.entries(types).map(([name, type]) => [
      name,
      raw(type as Arrow.DataType, [values[name as keyof typeof values], null]),
    ]);
    const mapped = await mapStream(folder, counts, streamOf(Object.fromEntries(vectors)), { by: Object.keys(types) });
    expect(mapped.types).toMatchObject(
      Object.fromEntries(Object.entries(types).map(([name, type]) => [name, String(type)])),
    );
    expect(mapped.rows[0]).toMatchObject({ half: 0.5, single: 0.25, tiny: 200, flag: true });
    expect(mapped.rows[1]).toMatchObject(Object.fromEntries(Object.keys(types).map((name) => [name, null])));
  });

  it('of random values stay what they are', async () => {
    const sized = (bits: bigint): fc.Arbitrary<bigint> =>
      fc.bigInt({ min: -(2n ** (bits - 1n)), max: 2n ** (bits - 1n) - 1n });
    const types: readonly (readonly [Arrow.DataType, fc.Arbitrary<unknown>])[] = [
      [new Arrow.Int64(), sized(64n)],
      [new Arrow.DateDay(), sized(32n).map(Number)],
      [new Arrow.TimestampSecond(), sized(43n)],
      [new Arrow.TimestampNanosecond(), sized(64n)],
      [new Arrow.TimeNanosecond(), fc.bigInt({ min: 0n, max: 86_399_999_999_999n })],
      [new Arrow.Float64(), fc.double()],
      [new Arrow.Utf8(), fc.string({ unit: 'binary' })],
    ];
    for (const [type, arbitrary] of types)
      await fc.assert(
        fc.asyncProperty(fc.array(fc.option(arbitrary), { minLength: 1, maxLength: 30 }), async (values) => {
          const stream = streamOf({ key: raw(type, values) });
          const seen = new Set<unknown>();
          const first = bitsOf(Arrow.tableFromIPC(stream)).filter((each) => !seen.has(each) && seen.add(each));
          const script = folder.write('random.slu', counts);
          const { output } = await mapArrow(inPieces(stream), { script, by: 'key' });
          expect(bitsOf(Arrow.tableFromIPC(await bytesOf(output)))).toEqual(first);
        }),
        { numRuns: 4 },
      );
  });
});

describe('records that fail', () => {
  it('leave nothing behind in the state', async () => {
    const script = sums('if (n % 20000 == 7) throw `bad ${n}`;');
    const { rows, errors, counts: counted } = await mapStream(folder, script, long, { maxErrors: 4, by: 'rest' });
    const bad = [7, 20_007, 40_007, 60_007];
    const expected = [0, 1, 2].map((rest) => {
      const n = Array.from({ length: 80_000 }, (_, at) => at).filter((at) => at % 3 === rest && !bad.includes(at));
      return { rest, count: BigInt(n.length), sum: BigInt(n.reduce((sum, each) => sum + each, 0)) };
    });
    expect(rows).toEqual(expected);
    expect(counted).toEqual({ read: 80_000, written: 3, failed: 4, skipped: 0 });
    expect(errors.map(({ file, row, message, record }) => [file, row, message, record])).toEqual(
      bad.map((n) => ['-', n + 1, `bad ${n}`, { n, rest: n % 3 }]),
    );
    expect((errors[3]!['stack'] as string[])[0]).toMatch(/^step \(/);
  });

  it('may be so many', async () => {
    const script = sums('if (n % 20000 == 7) throw `bad ${n}`;');
    const failed = (maxErrors: number | `${number}%`): Promise<Mapped> =>
      mapStream(folder, script, long, { maxErrors });
    await expect(failed(3)).rejects.toThrow(TooManyErrors);
    await expect(failed(0)).rejects.toThrow('-, record 8: Error: bad 7');
    expect((await failed('0.006%')).counts.failed).toBe(4);
    await expect(failed('0.004%')).rejects.toThrow(TooManyErrors);
  });

  it('may hit a limit', async () => {
    const script = sums('while (n == 70000) { }');
    const mapped = await mapStream(folder, script, long, { maxErrors: 1, limits: { timeMs: 1000 } });
    expect(mapped.rows).toEqual([{ count: 79_999n, sum: 3_199_960_000n - 70_000n }]);
    expect(mapped.errors.map(({ row, type }) => [row, type])).toEqual([[70_001, 'TimeoutError']]);
  });

  it('end the stream in merge and finish, with their group', async () => {
    const inMerge = mapStream(folder, sums('', 'throw "no";'), long, { by: 'rest', maxErrors: 5 });
    await expect(inMerge).rejects.toThrow('merge failed for rest=1: Error: no');
    const script = sums().replace('return s;', 'if (s.count == 2) throw "two"; return s;');
    const inFinish = mapStream(folder, script, streamOf({ n: int(1, 2, 2) }), { by: 'n', maxErrors: 5 });
    await expect(inFinish).rejects.toThrow('finish failed for n=2: Error: two');
  });

  it('of a damaged stream are told with their batch', async () => {
    await expect(mapStream(folder, sums(), long.subarray(0, -100))).rejects.toThrow(
      '-, batch 8: the stream ends within it',
    );
  });
});

/** The groups and their counts: records that fail are told with all their columns. */
const failing = 'type Out { int n; } export Out map(int count) { throw "shown"; }';

async function groupsOfFile(path: string, by: string): Promise<unknown[]> {
  const { output } = await folder.map(counts, path, { by });
  const shown = await folder.map(failing, join(output, 'summary.parquet'), { maxErrors: 1000 });
  const lines = readFileSync(join(shown.output, '_errors', 'part-00000.ndjson'), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => (JSON.parse(withoutNan(line)) as { record: unknown }).record);
}

async function groupsOfStream(stream: Uint8Array, by: string): Promise<unknown[]> {
  const filter = await mapArrow(inPieces(stream), { script: folder.write('counts.slu', counts), by });
  const { errors } = await mapStream(folder, failing, await bytesOf(filter.output), { maxErrors: 1000 });
  return errors.map(({ record }) => record);
}

/** The values of the first column as they lie there; zeros of either sign are one, and so are all NaNs. */
function bitsOf(table: Arrow.Table): (string | null)[] {
  return table.batches.flatMap(({ data: { children } }) => {
    const [data] = children as [Arrow.Data];
    return Array.from({ length: data.length }, (_, row) => {
      if (!data.getValid(row)) return null;
      const value = Arrow.DataType.isUtf8(data.type)
        ? (new Arrow.Vector([data]).get(row) as string)
        : (data.values as ArrayLike<number | bigint>)[row]!;
      return typeof value === 'number' ? String(value + 0) : String(value);
    });
  });
}
