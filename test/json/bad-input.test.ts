// Texts made to hurt Json.parse: long, deep, cut off. Each gives a value or a ParseError, never an error of the host.

import { beforeAll, describe, expect, it } from 'vitest';
import { loadScript, ScriptError } from '../../runtime-host/api/node.ts';
import type { Script } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';

const million = 1_000_000;

let script: Script;
beforeAll(async () => {
  const source = `main(string text) {
    json j = Json.parse(text);
    return \`\${j.kind()} \${j.isArray() || j.isObject() ? j.size() : j.kind() == "string" ? (j as string).length() : 0}\`;
  }`;
  const { artifact } = await compile('bad-input.slu', source);
  script = await loadScript(artifact!.wasm);
});

/** The kind and size of what the text holds, or the message of the ParseError. */
async function outcome(text: string): Promise<unknown> {
  try {
    return await script.run({ text }).result;
  } catch (error) {
    if (error instanceof ScriptError && error.name === 'ParseError') return error.message;
    throw error;
  }
}

const members = (count: number, key: (at: number) => string): string =>
  `{${Array.from({ length: count }, (_, at) => `"${key(at)}":${at}`).join(',')}}`;

describe('Json.parse of long texts', () => {
  const noQuote = 'line 1, column 1: this text has no closing quote';
  const tooLarge = 'line 1, column 1: this number is too large for a double';

  it.each([
    ['objects in each other', () => '{"a":'.repeat(million), 'line 1, column 2561: nested deeper than 512'],
    ['arrays and objects in turn', () => '[{"a":'.repeat(million), 'line 1, column 1537: nested deeper than 512'],
    ['opening braces', () => '{'.repeat(million), "line 1, column 2: expected a key in quotes or '}', got '{'"],
    ['quotes', () => '"'.repeat(million), "line 1, column 3: expected the end of the text, got '\"'"],
    ['commas', () => `[${','.repeat(million)}`, "line 1, column 2: expected a value, got ','"],
    ['colons', () => `{"a"${':'.repeat(million)}`, "line 1, column 6: expected a value, got ':'"],
    ['spaces', () => ' '.repeat(million), 'line 1, column 1000001: expected a value, got the end of the text'],
    ['line breaks', () => `${'\r\n'.repeat(million)}x`, "line 1000001, column 1: expected a value, got 'x'"],
    ['zero characters', () => '\0'.repeat(million), "line 1, column 1: expected a value, got '\\u0000'"],
    [
      'an array that is cut off',
      () => `[${'1,'.repeat(million)}`,
      'line 1, column 2000002: expected a value, got the end of the text',
    ],
    ['an array that ends', () => `[${'1,'.repeat(million)}1]`, 'array 1000001'],
    ['a text that is cut off', () => `"${'x'.repeat(million)}`, noQuote],
    ['a text that ends', () => `"${'x'.repeat(million)}"`, 'string 1000000'],
    ['characters of two units', () => `"${'😀'.repeat(million)}"`, 'string 1000000'],
    [
      'a mistake behind characters of two units',
      () => `"${'😀'.repeat(million)}" x`,
      "line 1, column 1000004: expected the end of the text, got 'x'",
    ],
    ['backslashes, an even number', () => `"${'\\'.repeat(million)}"`, 'string 500000'],
    ['backslashes, an odd number', () => `"${'\\'.repeat(million + 1)}"`, noQuote],
    ['escapes', () => `"${'\\u0041'.repeat(million)}"`, 'string 1000000'],
    [
      'escapes with a wrong one at the end',
      () => `"${'\\u0041'.repeat(million)}\\u00g0"`,
      'line 1, column 6000002: \\u takes four hexadecimal digits',
    ],
    ['surrogates without their halves', () => `"${'\\udc00\\ud800'.repeat(million)}"`, 'string 1000001'],
    ['nines', () => '9'.repeat(million), tooLarge],
    ['zeros', () => '0'.repeat(million), 'line 1, column 1: a number has no zeros in front'],
    ['minus signs', () => '-'.repeat(million), "line 1, column 2: expected a digit, got '-'"],
    ['digits of a fraction', () => `1.${'3'.repeat(million)}`, 'double 0'],
    ['zeros of a fraction', () => `0.${'0'.repeat(million)}1`, 'double 0'],
    ['digits that an exponent takes back', () => `${'3'.repeat(million)}e-${million - 1}`, 'double 0'],
    ['digits of an exponent', () => `1e${'9'.repeat(million)}`, tooLarge],
    ['digits of a negative exponent', () => `1e-${'9'.repeat(million)}`, 'double 0'],
    ['zero with the digits of an exponent', () => `0e${'9'.repeat(million)}`, 'double 0'],
    ['zeros of an exponent', () => `1e${'0'.repeat(million)}5`, 'double 0'],
    ['one key', () => members(100_000, () => 'k'), 'object 1'],
    ['two keys', () => members(100_000, (at) => `k${at % 2}`), 'object 2'],
    ['half as many keys', () => members(100_000, (at) => `k${at % 50_000}`), 'object 50000'],
    ['a key of many characters', () => `{"${'k'.repeat(million)}":1,"${'k'.repeat(million)}":2}`, 'object 1'],
    ['keys with escapes', () => members(100_000, (at) => `\\u006b${at % 1000}`), 'object 1000'],
  ])('%s', async (_what, text, expected) => {
    expect(await outcome(text())).toBe(expected);
  });
});

/** Each form of key is one that simple hashes put into few places. */
describe('objects of a hundred thousand keys', () => {
  it.each([
    ['numbers', (at: number) => String(at)],
    ['numbers far apart', (at: number) => String(at * 65_536)],
    ['many zeros in front', (at: number) => String(at).padStart(40, '0')],
    [
      'two characters that change places',
      (at: number) => Array.from({ length: 17 }, (_, bit) => ((at >> bit) & 1 ? 'Aa' : 'BB')).join(''),
    ],
    ['characters beyond ASCII', (at: number) => String.fromCodePoint(0x10000 + at)],
    [
      'units that differ by multiples of 256',
      (at: number) =>
        String.fromCharCode(0x100 + (at & 0x7f) * 0x100, 0x100 + ((at >> 7) & 0x7f) * 0x100, 0x30 + (at >> 14)),
    ],
  ])('%s', async (_what, key) => {
    expect(await outcome(members(100_000, key))).toBe('object 100000');
  });
});

describe('texts that end too early', () => {
  const whole = ' {"a\\u0062\\n": [1, -2.5e+10, true, false, null, "😀\\ud83d\\ude00"], "": {}, "c": "d"}';

  it('are never taken for whole, nor read behind their end', async () => {
    expect(await outcome(whole)).toBe('object 3');
    for (let end = 0; end < whole.length; end++) {
      expect(await outcome(whole.slice(0, end)), whole.slice(0, end)).toMatch(/^line 1, column \d+: /);
    }
  });
});

describe('what a ParseError says of characters', () => {
  it.each([
    ['\u007f', '\\u007f'],
    ['\u0085', '\\u0085'],
    ['\u00a0', '\\u00a0'],
    ['\ufeff', '\\ufeff'],
    ['\u200b', '\\u200b'],
    ['\u2028', '\\u2028'],
    ['\u202e', '\\u202e'],
    ['ü', 'ü'],
    ['😀', '😀'],
    ["'", "'"],
  ])('%j is shown', async (character, shown) => {
    expect(await outcome(`[${character}1]`)).toBe(`line 1, column 2: expected a value, got '${shown}'`);
  });
});
