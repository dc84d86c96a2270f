// A script as a filter of streams of Arrow: what goes in, what comes out, and when.

import * as Arrow from 'apache-arrow';
import { mapArrow, TooManyErrors } from 'sluice-map';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { headOf, mapStream, streamOf } from './arrow-streams.ts';
import { MapFolder } from './harness.ts';

const folder = new MapFolder();
afterAll(() => folder.remove());

const { vectorFromArray } = Arrow;
const int = (...values: (number | null)[]): Arrow.Vector => vectorFromArray(values, new Arrow.Int32());
const text = (...values: (string | null)[]): Arrow.Vector => vectorFromArray(values, new Arrow.Utf8());
const plain = 'type Out { int n; } export Out map(int n) { return { n: n }; }';
const copy = 'type Out { string s; } export Out map(string s) { return { s: s }; }';

describe('a filter', () => {
  it('gives a batch for each that it gets, of the types of its struct', async () => {
    const { rows, batches, types, counts } = await mapStream(
      folder,
      `type Out { int n; double half; string band; boolean even; json tags; double big; boolean big_valid; }
       export Out map(int n, string s, int limit) {
         if (n == 3) return null;
         return { n: n, half: n / 2.0, band: n > limit ? "bulk" : s, 
            even: n % 2 == 0, tags: [n, s], big: n, big_valid: n > 1 };
       }`,
      streamOf(
        { n: int(1, 2, 3), s: text('a', null, 'c') },
        { n: int(3), s: text('x') },
        { n: int(4), s: text('é😀') },
      ),
      { arguments: { limit: 3 } },
    );
    expect(types).toEqual({ n: 'Int64', half: 'Float64', band: 'Utf8', even: 'Bool', tags: 'Utf8', big: 'Float64' });
    expect(batches).toEqual([2, 0, 1]);
    expect(rows).toEqual([
      { n: 1n, half: 0.5, band: 'a', even: false, tags: '[1,"a"]', big: null },
      { n: 2n, half: 1, band: null, even: true, tags: '[2,null]', big: 2 },
      { n: 4n, half: 2, band: 'bulk', even: true, tags: '[4,"é😀"]', big: 4 },
    ]);
    expect(counts).toEqual({ read: 5, written: 3, failed: 0, skipped: 0 });
  });

  it('answers each batch before it asks for the next', async () => {
    const whole = streamOf({ n: int(1) }, { n: int(2) }, { n: int(3) });
    const head = headOf(whole);
    const each = (whole.length - 8 - head) / 3;
    let asked = 0;
    const input = (async function* () {
      yield whole.subarray(0, head);
      for (; asked < 3;) {
        asked++;
        yield whole.subarray(head + (asked - 1) * each, head + asked * each);
      }
      asked++;
    })();
    const { output } = await mapArrow(input, { script: folder.write('each.slu', plain) });
    const askedAt: number[] = [];
    for await (const piece of output) {
      expect(piece.length).toBeGreaterThan(0);
      askedAt.push(asked);
    }
    // The head, three batches, and the end.
    expect(askedAt).toEqual([0, 1, 2, 3, 4]);
  });

  it('cuts large batches for the script, and puts them together again', async () => {
    const count = 20_000;
    const n = vectorFromArray(
      Array.from({ length: count }, (_, at) => at),
      new Arrow.Int32(),
    );
    const s = vectorFromArray(
      Array.from({ length: count }, (_, at) => `text ${at}`),
      new Arrow.Utf8(),
    );
    const { rows, batches } = await mapStream(
      folder,
      `type Out { int n; string s; boolean odd; boolean odd_valid; }
       int seen = 0;
       export Out map(int n, string s) {
          seen++; return { n: seen - 1, s: s, odd: n % 2 == 1, odd_valid: n % 3 > 0 }; }`,
      streamOf({ n, s }),
    );
    expect(batches).toEqual([count]);
    expect(rows).toEqual(
      Array.from({ length: count }, (_, at) => ({
        n: BigInt(at),
        s: `text ${at}`,
        odd: at % 3 > 0 ? at % 2 === 1 : null,
      })),
    );
  });

  it('yields any number of records, and takes columns', async () => {
    const input = streamOf({ n: int(0, 1, 2) }, { n: int(3) });
    const yields = await mapStream(
      folder,
      `type Out { int n; string s; }
       export void map(int n) {
          for (int i = 0; i < n; i++) { Out o = { n: n, s: i == 0 ? null : \`\${i}\` }; yield o; } }`,
      input,
    );
    expect(yields.batches).toEqual([3, 3]);
    expect(yields.rows.map(({ n, s }) => [n, s])).toEqual([
      [1n, null],
      [2n, null],
      [2n, '1'],
      [3n, null],
      [3n, '1'],
      [3n, '2'],
    ]);
    const columns = await mapStream(
      folder,
      `type Out { int[] n; boolean[] large; }
       export Out mapBatch(int[] n) {
         boolean[] large = new boolean[n.length()];
         for (int i = 0; i < n.length(); i++) large[i] = n[i] > 1;
         return { n: n, large: large };
       }`,
      input,
    );
    expect(columns.rows.map(({ n, large }) => [n, large])).toEqual([
      [0n, false],
      [1n, false],
      [2n, true],
      [3n, true],
    ]);
  });

  it('takes no notice of a clock that jumps', async () => {
    const start = Date.UTC(2026, 0, 1);
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    try {
      const whole = streamOf({ n: int(1) }, { n: int(2) }, { n: int(3) });
      const head = headOf(whole);
      const each = (whole.length - 8 - head) / 3;
      const input = (async function* () {
        yield whole.subarray(0, head + each);
        vi.setSystemTime(Date.UTC(2036, 0, 1));
        yield whole.subarray(head + each, head + 2 * each);
        vi.setSystemTime(Date.UTC(1999, 0, 1));
        yield whole.subarray(head + 2 * each);
      })();
      const { rows } = await mapStream(
        folder,
        'type Out { int now; } export Out map(int n) { return { now: Date.now() }; }',
        input,
        { limits: { timeMs: 20_000 } },
      );
      expect(rows).toEqual([1, 2, 3].map(() => ({ now: BigInt(start) })));
    } finally {
      vi.useRealTimers();
    }
  });

  it('ends what it reads from when its output is left', async () => {
    let isLeft = false;
    const once = streamOf({ n: int(1) });
    const head = headOf(once);
    const endless = (async function* () {
      try {
        yield once.subarray(0, head);
        for (;;) yield once.subarray(head, -8);
      } finally {
        isLeft = true;
      }
    })();
    const { output } = await mapArrow(endless, { script: folder.write('left.slu', plain) });
    let pieces = 0;
    for await (const piece of output) {
      expect(piece.length).toBeGreaterThan(0);
      if (++pieces === 10) break;
    }
    expect(isLeft).toBe(true);
  });

  it('reads streams without batches', async () => {
    const none = await mapStream(folder, plain, streamOf({ n: int() }));
    expect([none.rows, none.types]).toEqual([[], { n: 'Int64' }]);
  });
});

describe('texts', () => {
  // One type, so that the dictionaries of later batches take the place of the first.
  const words = new Arrow.Dictionary(new Arrow.Utf8(), new Arrow.Int32());
  const dictionary = (...values: (string | null)[]): Arrow.Vector => vectorFromArray(values, words);

  it('may have any character, the marks of the driver too', async () => {
    const values = ['', '\0', '\u0001', null, 'a\0b', '\u0001\0', 'é😀', 'x'.repeat(100), 'last'];
    for (const column of [text(...values), dictionary(...values)]) {
      const { rows } = await mapStream(folder, copy, streamOf({ s: column }, { s: column.slice(4, 9) }));
      expect(rows.map(({ s }) => s)).toEqual([...values, ...values.slice(4, 9)]);
    }
  });

  it('of dictionaries that change from batch to batch, some with nulls', async () => {
    const { rows } = await mapStream(
      folder,
      copy,
      streamOf(
        { s: dictionary('a', 'b', null, 'a') },
        { s: dictionary('c', null) },
        { s: dictionary('a', 'c', 'd') },
        { s: dictionary(null, null) },
      ),
    );
    expect(rows.map(({ s }) => s)).toEqual(['a', 'b', null, 'a', 'c', null, 'a', 'c', 'd', null, null]);
  });

  it('that are long make batches of fewer rows', async () => {
    const long = 'ö'.repeat(100_000);
    const { rows } = await mapStream(
      folder,
      `type Out { int n; int batch; } int batches = 0;
       export Out map(string s) { return { n: s.length(), batch: 0 }; }`,
      streamOf({ s: text(...Array.from({ length: 300 }, (_, at) => long + at)) }),
    );
    expect(rows.length).toBe(300);
    expect(rows[299]).toEqual({ n: 100_003n, batch: 0n });
  });
});

describe('records that fail', () => {
  const input = streamOf({ n: int(1, 2, null), s: text('a', 'b', 'c') }, { n: int(-4, 5), s: text('d', null) });
  const checked = `type Out { int n; } export Out map(int n) { if (n < 0) throw "negative"; return { n: n }; }`;

  it('are told with their place in the stream and all their columns', async () => {
    const { rows, errors, counts } = await mapStream(folder, checked, input, { maxErrors: 2, name: 'sales' });
    expect(rows.map(({ n }) => n)).toEqual([1n, 2n, 5n]);
    expect(errors).toEqual([
      {
        file: 'sales',
        row: 3,
        type: 'NullError',
        message: 'n is null: take n_valid too, or say --null n=skip',
        record: { n: null, s: 'c' },
      },
      {
        file: 'sales',
        row: 4,
        type: 'Error',
        message: 'negative',
        stack: [expect.stringMatching(/^map \(.*\.slu:1:56\)$/)],
        record: { n: -4, s: 'd' },
      },
    ]);
    expect(counts).toEqual({ read: 5, written: 3, failed: 2, skipped: 0 });
  });

  it('end the stream when they are more than may be', async () => {
    await expect(mapStream(folder, checked, input, { nulls: { n: 'skip' } })).rejects.toThrow(
      /^-, record 4: Error: negative \(more than --max-errors=0 records failed\)\n {4}at map \(.*\.slu:1:56\)$/,
    );
    await expect(mapStream(folder, checked, input, { nulls: { n: 'skip' } })).rejects.toBeInstanceOf(TooManyErrors);
    const { counts } = await mapStream(folder, checked, input, { nulls: { n: 'skip' }, maxErrors: 1 });
    expect(counts).toEqual({ read: 5, written: 3, failed: 1, skipped: 1 });
  });

  it('because they hit a limit are left out, in an instance that is new', async () => {
    const dictionary = vectorFromArray(['x', 'y', 'x'], new Arrow.Dictionary(new Arrow.Utf8(), new Arrow.Int32()));
    const { rows, errors } = await mapStream(
      folder,
      `type Out { int n; int seen; string s; }
       int seen = 0;
       int[] big = [];
       export Out map(int n, string s) {
         if (n == 2 || n == 5) big = new int[1_000_000_000];
         seen++;
         return { n: n, seen: seen, s: s };
       }`,
      streamOf({ n: int(1, 2, 3), s: dictionary }, { n: int(4, 5, 6), s: dictionary }),
      { maxErrors: 2, limits: { memoryBytes: 2 ** 28 } },
    );
    expect(errors.map(({ row, type }) => [row, type])).toEqual([
      [2, 'MemoryLimitError'],
      [5, 'MemoryLimitError'],
    ]);
    expect(rows).toEqual([
      { n: 1n, seen: 1n, s: 'x' },
      { n: 3n, seen: 2n, s: 'x' },
      { n: 4n, seen: 1n, s: 'x' },
      { n: 6n, seen: 2n, s: 'x' },
    ]);
  });
});

describe('what does not fit', () => {
  it('is said before a batch is read', async () => {
    const fails = async (script: string, column: Arrow.Vector): Promise<string> =>
      mapStream(folder, script, streamOf({ n: column })).then(
        () => 'nothing',
        (error: unknown) => (error as Error).message,
      );
    expect(await fails('type Out { int m; } export Out map(int m) { return { m: m }; }', int(1))).toBe(
      'map takes int m, and the input has no column m; it has n; -a m=VALUE gives one value for all records',
    );
    expect(await fails(plain, text('a'))).toBe(
      'the column n is VARCHAR, and map takes int n: it can be string or json',
    );
    expect(await fails(plain, vectorFromArray([new Uint8Array(2)], new Arrow.Binary()))).toBe(
      'the column n is BLOB, and map takes int n: no parameter can take such a column',
    );
  });
});
