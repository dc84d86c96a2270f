// What is said of values that fit no parameter.

import { afterAll, describe, expect, it } from 'vitest';
import { misfitMessage } from '../../map/plan/misfits.ts';
import type { Carrier } from '../../map/plan/plan.ts';
import { failuresOf, MapFolder } from './harness.ts';

const folder = new MapFolder();
afterAll(() => folder.remove());

function said(carrier: Carrier, text: string, columnType = 'TEXT', mostly: string | null = null): string {
  return misfitMessage({ column: 'x', columnType, carrier, mostly }, text).replace(`x: expected ${carrier}, got `, '');
}

describe('a message', () => {
  it.each<[Carrier, string, string]>([
    ['int', 'abc', '"abc"'],
    ['int', '3.0', '"3.0"; take it as double'],
    ['int', '1e3', '"1e3"; take it as double'],
    ['int', '1,234', '"1,234"; a number has no commas: take it as string'],
    ['double', '1,234.5', '"1,234.5"; a number has no commas: take it as string'],
    ['double', '1,5', '"1,5"; a number has a point, and no comma: take it as string'],
    ['int', '$5', '"$5"; a number has no sign of a currency: take it as string'],
    ['double', '5 €', '"5 €"; a number has no sign of a currency: take it as string'],
    ['double', '5%', '"5%"; a number has no percent sign: take it as string'],
    ['int', 'NULL', '"NULL"; an empty field is null, and no word is'],
    ['double', 'n/a', '"n/a"; an empty field is null, and no word is'],
    ['int', '01/02/2026', '"01/02/2026"; a date has its year first, 2026-01-31: take it as string'],
    ['int', '2026-01-02 10:00:00+02', '"2026-01-02 10:00:00+02"; a time is UTC, to the microsecond'],
    ['int', '9223372036854775808', '"9223372036854775808"; it has more than 64 bits: take it as double or string'],
    ['boolean', 'maybe', '"maybe"'],
  ])('of CSV: %s of %j', (carrier, text, message) => expect(said(carrier, text)).toBe(message));

  it.each<[Carrier, string, string]>([
    ['int', '"2026-01-02"', '"2026-01-02"; in quotes it is a text: take it as string'],
    ['int', '"5"', '"5"; in quotes it is a text: take it as string'],
    ['int', '5.0', '5.0; take it as double'],
    ['string', '2', '2; it has no quotes: take it as int, double or json'],
    ['string', '2.5', '2.5; it has no quotes: take it as double or json'],
    ['string', 'true', 'true; it has no quotes: take it as boolean or json'],
    ['string', '{"a":1}', '{"a":1}; take it as json'],
    ['boolean', '"true"', '"true"; in quotes it is a text: take it as string'],
  ])('of NDJSON: %s of %s', (carrier, text, message) => expect(said(carrier, text, 'JSON')).toBe(message));

  it('says the unit of a column that has another', () => {
    expect(said('int', '5', 'TEXT', 'dates')).toBe('"5"; most fields of the column are dates, and an int has one unit');
    expect(said('int', 'x', 'TEXT', 'dates')).toBe('"x"');
  });

  it('is short, and has no control characters', () => {
    expect(said('int', 'x'.repeat(200))).toBe(`"${'x'.repeat(60)}"…`);
    expect(said('int', '\u001b[31m\u202e"\u009b\n')).toBe('"\\u001b[31m\\u202e\\"\\u009b\\n"');
    expect(said('double', '[\u009b]', 'JSON')).toBe('[\\u009b]');
  });
});

describe('a run', () => {
  const script = 'type O { int day; } export O map(int day) { return { day: day }; }';
  const messages = (output: string): unknown => failuresOf(output).map(({ message }) => message);

  it('of CSV tells the value, in the error that ends it too', async () => {
    const input = folder.write('a.csv', 'day\n2026-01-02\n3.0\n2026-01-03\n12\n2026-01-02 10:00\n');
    const { output } = await folder.map(script, input, { maxErrors: 3 });
    const oneUnit = 'most fields of the column are dates, and an int has one unit';
    expect(messages(output)).toEqual([
      'day: expected int, got "3.0"; take it as double',
      `day: expected int, got "12"; ${oneUnit}`,
      `day: expected int, got "2026-01-02 10:00:00"; ${oneUnit}`,
    ]);
    await expect(folder.map(script, input)).rejects.toThrow(
      `${input}, record 2: CastError: day: expected int, got "3.0"; take it as double (more than --max-errors=0`,
    );
  });

  it('of NDJSON, and of columns at once, tells the value', async () => {
    const input = folder.write('a.ndjson', '{"day":1}\n{"day":"2026-01-02"}\n{"day":2}\n{"day":[1]}\n');
    const batch = 'type O { int[] day; } export O mapBatch(int[] day) { return { day: day }; }';
    for (const text of [script, batch])
      expect(messages((await folder.map(text, input, { maxErrors: 2 })).output)).toEqual([
        'day: expected int, got "2026-01-02"; in quotes it is a text: take it as string',
        'day: expected int, got [1]',
      ]);
  });

  it('that sums up tells the value', async () => {
    const sum = `type S { int sum; } export S init() { return { sum: 0 }; }
      export void step(S s, int day) { s.sum += day; } export void merge(S a, S b) { a.sum += b.sum; }
      export S finish(S s) { return s; }`;
    const { output } = await folder.map(sum, folder.write('b.csv', 'day\n1\nx\n2\n'), { maxErrors: 1 });
    expect(messages(output)).toEqual(['day: expected int, got "x"']);
  });
});
