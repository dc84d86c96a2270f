// Objects that share their forms: parsed, written out and grown, in many shapes, against objects of JavaScript's. What
// one of them loses or gains the others must not.

import { beforeAll, describe, expect, it } from 'vitest';
import { loadScript } from '../../runtime-host/api/node.ts';
import type { Script } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';
import { below, generator, pick } from './random.ts';

type Row = Record<string, number | string>;

/** Applies a step to each row of a text, one after the other, and gives all rows as text. */
const source = `
main(string text, string[] actions, string[] keys) {
  json rows = Json.parse(text);
  for (int i = 0; i < actions.length(); i++) {
    json row = rows[i % rows.size()];
    if (actions[i] == "set") row[keys[i]] = i;
    else if (actions[i] == "remove") row.remove(keys[i]);
    else if (actions[i] == "copy") rows.push(row.copy());
    else if (actions[i] == "literal") rows.push({ a: i, b: i });
    else row.got = row.getInt(keys[i], -1);
  }
  return Json.stringify(rows, false);
}`;

let script: Script;
beforeAll(async () => {
  const { artifact } = await compile('forms.slu', source);
  script = await loadScript(artifact!.wasm);
});

function apply(rows: Row[], actions: readonly string[], keys: readonly string[]): void {
  actions.forEach((action, at) => {
    const row = rows[at % rows.length]!;
    const key = keys[at]!;
    if (action === 'set') row[key] = at;
    else if (action === 'remove') delete row[key];
    else if (action === 'copy') rows.push({ ...row });
    else if (action === 'literal') rows.push({ a: at, b: at });
    else row['got'] = typeof row[key] === 'number' ? row[key] : -1;
  });
}

/** Shows the place where long texts differ, not all of them. */
function expectText(found: string, expected: string): void {
  const at =
    found === expected ? -1 : [...expected].findIndex((_, end) => !found.startsWith(expected.slice(0, end + 1)));
  expect(at === -1 ? found.length : found.slice(at - 50, at + 50)).toEqual(
    at === -1 ? expected.length : expected.slice(at - 50, at + 50),
  );
}

/** Keys that have steps, and some that need escapes or are too long for one. */
const odd = ['', '"', '\\', '\0', 'a\u0000', '\n', 'ü', '😀', 'k'.repeat(64), 'k'.repeat(65), 'k'.repeat(66)];

describe.each([2, 7, 9, 13, 30, 60])('rows with some of %i keys', (size) => {
  const all = [
    ...Array.from({ length: size }, (_, at) => String.fromCharCode(97 + (at % 26)) + (at < 26 ? '' : '2')),
    ...odd,
  ];

  it.each([0, 0.1, 1])('stay apart when %f of them mix their keys', async (mixed) => {
    const random = generator(size * 10 + mixed);
    const rows = Array.from({ length: 120 }, (_, at) => {
      const keys =
        at / 120 >= mixed
          ? all.slice(0, 1 + (at % size))
          : Array.from({ length: below(random, size + 3) }, () => pick(random, all));
      return keys.map(
        (key) => [key, pick<number | string>(random, [at, 'short', `${at}`, '"', 'a\u00e9', 'x'.repeat(at)])] as const,
      );
    });
    // Keys that come twice are written twice.
    const text = `[${rows.map((row) => `{${row.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(', ')}}`).join(',')}]`;
    const actions = Array.from({ length: 1500 }, () =>
      pick(random, ['set', 'set', 'set', 'remove', 'get', 'copy', 'literal']),
    );
    const keys = actions.map(() => pick(random, all));
    const expected: Row[] = rows.map((row) => Object.fromEntries(row));
    apply(expected, actions, keys);
    expectText((await script.run({ text, actions, keys }).result) as string, JSON.stringify(expected));
  });
});

describe('more forms than are kept', () => {
  it('are forms of the objects alone', async () => {
    const rows = Array.from({ length: 6000 }, (_, at) => ({
      [`k${at % 4999}`]: at,
      [`l${(at * 7) % 13}`]: at,
      [`m${(at * 11) % 1009}`]: 'text',
      n: at,
    }));
    const text = JSON.stringify(rows);
    expect(await script.run({ text: `[${text}]`, actions: [], keys: [] }).result).toBe(`[${text}]`);
  });

  it('come from many texts too', async () => {
    for (let iteration = 0; iteration < 30; iteration++) {
      const text = JSON.stringify(
        Array.from({ length: 200 }, (_, at) => ({
          [`a${at % 11}`]: 1,
          [`b${(at + iteration) % 11}`]: 2,
          [`c${iteration}`]: 3,
          [`d${at % 12}`]: 4,
        })),
      );
      expect(await script.run({ text, actions: [], keys: [] }).result).toBe(text);
    }
  });
});

describe('texts that come again', () => {
  it('are told apart where they look alike', async () => {
    const random = generator(5);
    const texts = Array.from({ length: 8000 }, () =>
      Array.from({ length: 2 + below(random, 23) }, () => pick(random, ['a', 'b', '"', '\\', '\n', 'ü'])).join(''),
    );
    const again = Array.from({ length: 30000 }, () => pick(random, texts.slice(0, below(random, 2) === 0 ? 60 : 8000)));
    const text = JSON.stringify([{ texts: again }]);
    expect(await script.run({ text, actions: [], keys: [] }).result).toBe(text);
  });
});
