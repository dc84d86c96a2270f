// A stream of Arrow, and a file, give what a Parquet file of the same rows does: those that pyarrow wrote, and random
// ones.

import { readdirSync, readFileSync } from 'node:fs';
import * as Arrow from 'apache-arrow';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { mapStream, streamOf, withoutNan } from './arrow-streams.ts';
import { MapFolder } from './harness.ts';

const folder = new MapFolder();
afterAll(() => folder.remove());

const fixture = (name: string): string => new URL(`fixtures/${name}`, import.meta.url).pathname;

/** All parameters and what is written of them: numbers with whether they are there, others as they are. */
function showing(
  numbers: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string>>,
  more = '',
): string {
  const parameters = [
    ...Object.entries(numbers).flatMap(([name, type]) => [`${type} ${name}`, `boolean ${name}_valid`]),
    ...Object.entries(others).map(([name, type]) => `${type} ${name}`),
  ];
  const shown = [...Object.keys(numbers).flatMap((name) => [name, `${name}_valid`]), ...Object.keys(others)];
  return `${more}
    type Out { json all; }
    export Out map(${parameters.join(', ')}) {
       return { all: [${shown.map((name) => `${name} as json`).join(', ')}] }; }`;
}

/** What comes of a file: rows and dead letters. */
async function ofFile(script: string, path: string): Promise<{ readonly rows: string[]; readonly errors: unknown[] }> {
  const { output } = await folder.map(script, path, { maxErrors: 1000, format: 'ndjson' });
  const lines = (name: string, within = ''): string[] =>
    readdirSync(`${output}${within}`)
      .filter((file) => file.startsWith(name))
      .sort()
      .flatMap((file) => readFileSync(`${output}${within}/${file}`, 'utf8').split('\n').filter(Boolean));
  const errors = readdirSync(output).includes('_errors') ? lines('part', '/_errors') : [];
  return {
    rows: lines('part').map((line) => JSON.stringify((JSON.parse(line) as { all: unknown }).all)),
    errors: errors.map((line) => comparable(JSON.parse(withoutNan(line)) as object)),
  };
}

async function ofStream(script: string, stream: Uint8Array): Promise<Awaited<ReturnType<typeof ofFile>>> {
  const { rows, errors } = await mapStream(folder, script, stream, { maxErrors: 1000 });
  return { rows: rows.map(({ all }) => JSON.stringify(JSON.parse(all as string))), errors: errors.map(comparable) };
}

const comparable = (error: object): object => ({ ...error, file: '' });
describe('streams of pyarrow', () => {
  const numbers = {
    ...Object.fromEntries([8, 16, 32, 64].flatMap((bits) => [`i${bits}`, `u${bits}`]).map((name) => [name, 'int'])),
    ...Object.fromEntries(['day', 's', 'ms', 'us', 'ns', 'zoned', 'none'].map((name) => [name, 'int'])),
    f32: 'double',
    f64: 'double',
    small: 'double',
    flag: 'boolean',
  };
  const others = { text: 'string', word: 'string', list: 'double[]', pair: 'Pair', map: 'json', doc: 'json' };
  const more = 'type Pair { int a; string b; string day; double amount; }';

  it.each(['plain.arrows', 'lz4.arrows', 'zstd.arrows', 'file.arrow', 'layouts.arrows'])('%s', async (name) => {
    const script = showing(numbers, others, more);
    const expected = await ofFile(script, fixture('rows.parquet'));
    const { rows, errors } = await ofStream(script, readFileSync(fixture(name)));
    expect([expected.rows.length, expected.errors.length]).toEqual([33, 27]);
    expect(rows).toEqual(expected.rows);
    expect(errors).toEqual(expected.errors);
    expect(await ofFile(script, fixture(name))).toEqual(expected);
  });

  it('as texts and as doubles', async () => {
    const texts = Object.fromEntries(
      ['exact', 'large', 'day', 's', 'ms', 'us', 'ns', 'zoned', 'time'].map((name) => [name, 'string']),
    );
    const doubles = Object.fromEntries(['i8', 'u32', 'i64', 'u64', 'exact'].map((name) => [name, 'double']));
    for (const script of [showing({}, texts), showing(doubles, {})])
      for (const name of ['plain.arrows', 'layouts.arrows'])
        expect(await ofStream(script, readFileSync(fixture(name)))).toEqual(
          await ofFile(script, fixture('rows.parquet')),
        );
  });
});

describe('random rows', () => {
  it('give the same as a file', async () => {
    const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { freq: 5 });
    const words = fc.constantFrom('', 'a', 'é😀', '\0', '\u0001x', 'long '.repeat(20));
    const row = fc.record({
      small: maybe(fc.integer({ min: -128, max: 127 })),
      whole: maybe(fc.integer()),
      big: maybe(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
      huge: maybe(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })),
      real: maybe(fc.double({ noNaN: true })),
      flag: maybe(fc.boolean()),
      text: maybe(fc.oneof(words, fc.string({ unit: 'binary' }))),
      word: maybe(words),
      ms: maybe(fc.integer({ min: -1e12, max: 1e12 })),
    });
    const types: Readonly<Record<string, readonly [Arrow.DataType, string]>> = {
      small: [new Arrow.Int8(), 'TINYINT'],
      whole: [new Arrow.Int32(), 'INTEGER'],
      big: [new Arrow.Int64(), 'BIGINT'],
      huge: [new Arrow.Uint64(), 'UBIGINT'],
      real: [new Arrow.Float64(), 'DOUBLE'],
      flag: [new Arrow.Bool(), 'BOOLEAN'],
      text: [new Arrow.Utf8(), 'VARCHAR'],
      word: [new Arrow.Dictionary(new Arrow.Utf8(), new Arrow.Int32()), 'VARCHAR'],
      ms: [new Arrow.TimestampMillisecond(), 'TIMESTAMP_MS'],
    };
    const script = showing(
      { small: 'int', whole: 'int', big: 'int', huge: 'int', real: 'double', flag: 'boolean', ms: 'int' },
      { text: 'string', word: 'string' },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 20 }),
        async (rows, size) => {
          const batches = Array.from({ length: Math.ceil(rows.length / size) }, (_, at) =>
            rows.slice(at * size, (at + 1) * size),
          );
          const stream = streamOf(
            ...batches.map((batch) =>
              Object.fromEntries(
                Object.entries(types).map(([name, [type]]) => [
                  name,
                  Arrow.vectorFromArray(
                    batch.map((one) => one[name as keyof typeof one]),
                    type,
                  ),
                ]),
              ),
            ),
          );
          const path = await folder.parquet('random.parquet', sqlOf(rows, types));
          expect(await ofStream(script, stream)).toEqual(await ofFile(script, path));
        },
      ),
      { numRuns: 4 },
    );
  });
});

/** The rows as a query; texts as their bytes, since any character may be in them. */
function sqlOf(
  rows: readonly Readonly<Record<string, unknown>>[],
  types: Readonly<Record<string, readonly [unknown, string]>>,
): string {
  const literal = (value: unknown, type: string): string => {
    if (value === null) return `NULL::${type}`;
    if (type === 'VARCHAR') return `decode(unhex('${Buffer.from((value as string).toWellFormed()).toString('hex')}'))`;
    if (type === 'TIMESTAMP_MS') return `CAST(make_timestamp_ms(${String(value)}) AS ${type})`;
    return `'${Object.is(value, -0) ? '-0' : String(value)}'::${type}`;
  };
  return rows
    .map(
      (row) =>
        `SELECT ${Object.entries(types)
          .map(([name, [, type]]) => `${literal(row[name], type)} AS "${name}"`)
          .join(', ')}`,
    )
    .join(' UNION ALL ');
}
