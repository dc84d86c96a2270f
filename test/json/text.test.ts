// Json.parse and Json.stringify on random texts, against a model.

import { beforeAll, describe, expect, it } from 'vitest';
import { loadScript } from '../../runtime-host/api/node.ts';
import type { Script } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';
import { compactText, doubleText, modelOf } from './model.ts';
import { below, generator, pick } from './random.ts';

/** Parses and writes each text; what is no JSON gives its ParseError. */
const source = `
main(string[] texts, boolean pretty = false) {
  string[] results = new string[texts.length()];
  for (int i = 0; i < texts.length(); i++) {
    try { results[i] = Json.stringify(Json.parse(texts[i]), pretty); }
    catch (ParseError e) { results[i] = "ParseError " + e; }
  }
  return results;
}`;

let script: Script;
beforeAll(async () => {
  const { artifact } = await compile('echo.slu', source);
  script = await loadScript(artifact!.wasm);
});

async function echo(texts: readonly string[], pretty = false): Promise<readonly string[]> {
  return (await script.run({ texts, pretty }).result) as readonly string[];
}

function expected(text: string): string {
  try {
    return compactText(modelOf(text));
  } catch {
    return 'ParseError';
  }
}

/** Compares one by one, so that a failure shows its text. */
async function compare(texts: readonly string[]): Promise<void> {
  const found = await echo(texts);
  texts.forEach((text, at) => {
    const result = found[at]!.startsWith('ParseError ') ? 'ParseError' : found[at]!;
    if (result !== expected(text)) expect({ text, result }).toEqual({ text, result: expected(text) });
  });
}

// Random texts

const spaces = ['', '', '', ' ', '\n', '\t', '\r\n', '  '];
const numbers = [
  '0',
  '-0',
  '1',
  '-1',
  '10',
  '1.5',
  '-0.0',
  '1e5',
  '1E-5',
  '1e+300',
  '5e-324',
  '1e-400',
  '9007199254740993',
  '9223372036854775807',
  '-9223372036854775808',
  '9223372036854775808',
  '123456789012345678901234567890',
  '0.1',
  '0.30000000000000004',
  '1.7976931348623157e308',
  '2.2250738585072014E-308',
];
const pieces = [
  'a',
  'key',
  'ü',
  '😀',
  '\\n',
  '\\"',
  '\\\\',
  '\\/',
  '\\u0041',
  '\\ud83d\\ude00',
  '\\ud800',
  '\\u0000',
  '\u2028',
  ' ',
  '__proto__',
  'x'.repeat(40),
];

/**
 * With larger exponents a number may be too large, which the model does not see in a value that a later key replaces.
 */
function randomNumber(random: () => number, largestExponent = 280): string {
  if (random() < 0.5) return pick(random, numbers);
  const digits = (limit: number): string =>
    Array.from({ length: 1 + below(random, limit) }, () => below(random, 10)).join('');
  const whole = digits(20).replace(/^0+(?=\d)/, '');
  const fraction = random() < 0.5 ? `.${digits(20)}` : '';
  const exponent = random() < 0.3 ? `e${pick(random, ['', '+', '-'])}${below(random, largestExponent)}` : '';
  return `${random() < 0.3 ? '-' : ''}${whole}${fraction}${exponent}`;
}

function randomString(random: () => number): string {
  return `"${Array.from({ length: below(random, 6) }, () => pick(random, pieces)).join('')}"`;
}

function randomText(random: () => number, depth: number): string {
  const space = (): string => pick(random, spaces);
  const kind = below(random, depth > 5 ? 4 : 6);
  if (kind === 0) return pick(random, ['null', 'true', 'false']);
  if (kind === 1 || kind === 2) return randomNumber(random);
  if (kind === 3) return randomString(random);
  const count = random() < 0.1 ? below(random, 40) : below(random, 5);
  const parts = Array.from({ length: count }, (_, at) => {
    const value = `${space()}${randomText(random, depth + 1)}${space()}`;
    // Of keys that repeat the engine forgets the source of numbers, which the model needs: they have a test of their
    // own.
    return kind === 4 ? value : `${space()}${randomString(random).slice(0, -1)}#${at}"${space()}:${value}`;
  });
  const inside = parts.length === 0 ? space() : parts.join(',');
  return kind === 4 ? `[${inside}]` : `{${inside}}`;
}

/** One small change, after which the text may or may not be JSON. */
function mutate(random: () => number, text: string): string {
  const at = below(random, text.length + 1);
  const inserted = pick(random, [
    '',
    ',',
    ':',
    '"',
    '[',
    ']',
    '{',
    '}',
    '0',
    '-',
    '.',
    'e',
    '\\',
    ' ',
    'null',
    '\u0001',
    't',
    '+',
  ]);
  return text.slice(0, at) + inserted + text.slice(at + below(random, 3));
}

describe('Json.parse and Json.stringify', () => {
  it('give what the model gives for random texts', async () => {
    const random = generator(1);
    await compare(Array.from({ length: 4000 }, () => ` ${randomText(random, 0)}\n`));
  });

  it('reject exactly what is not JSON', async () => {
    const random = generator(2);
    const texts = Array.from({ length: 8000 }, () => mutate(random, randomText(random, 3)));
    const found = await echo(texts);
    const differing = texts.filter(
      (text, at) => found[at]!.startsWith('ParseError ') !== (expected(text) === 'ParseError'),
    );
    expect(differing).toEqual([]);
  });

  it('read and write every double as it is', async () => {
    const random = generator(3);
    const bits = new DataView(new ArrayBuffer(8));
    const doubles = Array.from({ length: 20000 }, () => {
      bits.setUint32(0, below(random, 2 ** 32));
      bits.setUint32(4, below(random, 2 ** 32));
      return bits.getFloat64(0);
    }).filter(Number.isFinite);
    const short = Array.from({ length: 20000 }, () =>
      Number((random() * 10 ** below(random, 12)).toFixed(below(random, 8))),
    );
    const texts = [...doubles, ...short].map(doubleText);
    expect(await echo(texts)).toEqual(texts);
  });

  it('read every form of a number as the nearest double', async () => {
    const random = generator(4);
    await compare(Array.from({ length: 20000 }, () => randomNumber(random, 330)));
  });

  it('take the last of keys that repeat, at the place of the first', async () => {
    const random = generator(6);
    for (const size of [4, 8, 9, 12, 100, 2000]) {
      const keys = Array.from({ length: size }, () => `k${below(random, size)}ü`);
      const map = new Map(keys.map((key, at) => [key, `"${at}"`]));
      const text = `{${keys.map((key, at) => `"${key}":"${at}"`).join(',')}}`;
      expect(await echo([text])).toEqual([`{${[...map].map(([key, value]) => `"${key}":${value}`).join(',')}}`]);
    }
  });

  it.each([
    ['kept', 16_384, 400],
    ['largest', 262_144, 40],
  ])('write texts of every length where the %s row of the writer ends', async (_name, row, count) => {
    const random = generator(7);
    const filler = (size: number): string => JSON.stringify(pick(random, ['x', 'ü']).repeat(Math.max(0, size)));
    const ends = [
      '"\\n"',
      '"a\\u0001b\\"c"',
      '"😀"',
      '-9223372036854775808',
      '1234567.125',
      '1.7e+300',
      'true',
      'null',
      '{}',
      '[[],{"k":"\\\\"}]',
      filler(row),
      filler(3 * row),
    ];
    const texts = Array.from(
      { length: count },
      (_, at) =>
        `[${filler(row - 50 + Math.floor((at * 100) / count))},${pick(random, ends)},${filler(below(random, row))},${pick(random, ends)}]`,
    );
    expect((await echo(texts)).map((found, at) => found === texts[at])).toEqual(texts.map(() => true));
  });

  it('write pretty text that reads back the same', async () => {
    const random = generator(5);
    const texts = Array.from({ length: 500 }, () => randomText(random, 0)).filter(
      (text) => expected(text) !== 'ParseError',
    );
    const pretty = await echo(texts, true);
    expect(pretty.map((text) => compactText(modelOf(text)))).toEqual(texts.map(expected));
    expect(await echo(pretty)).toEqual(await echo(texts));
  });

  it('indent as JSON.stringify does', async () => {
    const values = [{}, [], [[]], { a: { b: [1, { c: null }] }, d: 'x' }, [{ a: [] }, 'y', true]];
    expect(
      await echo(
        values.map((value) => JSON.stringify(value)),
        true,
      ),
    ).toEqual(values.map((value) => JSON.stringify(value, null, 2)));
  });
});
