// Objects that are made by literals and get members later, as often as their shapes learn from it, and places of a
// script where a key is a constant, which remember the shapes that they saw. All against objects of JavaScript's.

import { describe, expect, it } from 'vitest';
import { loadScript } from '../../runtime-host/api/node.ts';
import type { Arguments } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';
import { below, generator, pick } from './random.ts';

async function run(source: string, input: Arguments): Promise<unknown> {
  const { artifact, diagnostics } = await compile('growth.slu', source);
  expect(diagnostics.map(({ message }) => message)).toEqual([]);
  return (await loadScript(artifact!.wasm)).run(input).result;
}

/** Objects with so many members by their literal get others, the first and the last are removed, and one comes back. */
const literals = Array.from({ length: 11 }, (_, size) => {
  const members = Array.from({ length: size }, (_member, at) => `m${at}: ${at}`).join(', ');
  return `
json make${size}(int more, int less) {
  json o = { ${members} };
  for (int i = 0; i < more; i++) o[\`x\${i}\`] = i + 0.5;
  for (int i = 0; i < less; i++) o.remove(i % 2 == 0 ? \`m\${i / 2}\` : \`x\${more - 1 - i / 2}\`);
  if (less > 0) o.m0 = "back";
  return o;
}`;
});

const growing = `${literals.join('\n')}
main(int[] sizes, int[] more, int[] less) {
  json all = [];
  for (int i = 0; i < sizes.length(); i++) {
    int size = sizes[i];
    ${literals.map((_, size) => `if (size == ${size}) all.push(make${size}(more[i], less[i]));`).join('\n    ')}
  }
  json copies = all.copy();
  foreach (json o in all) o.late = 1;
  if (!(Json.parse(Json.stringify(all)) == all)) throw "not the same";
  return Json.stringify(copies, false) + Json.stringify(all, false);
}`;

function grown(size: number, more: number, less: number): Record<string, unknown> {
  const o: Record<string, unknown> = {};
  for (let i = 0; i < size; i++) o[`m${i}`] = i;
  for (let i = 0; i < more; i++) o[`x${i}`] = i + 0.5;
  for (let i = 0; i < less; i++) delete o[i % 2 === 0 ? `m${i / 2}` : `x${more - 1 - (i - 1) / 2}`];
  if (less > 0) o['m0'] = 'back';
  return o;
}

describe('objects that grow', () => {
  it.each([1, 2, 3])('keep their members, seed %i', async (seed) => {
    const random = generator(seed);
    const draws: (readonly [number, number, number])[] = [];
    for (let block = 0; block < 60; block++) {
      // The same many times, so that shapes learn it, and others between them.
      const [size, more, less] = [below(random, 11), below(random, 22), below(random, 3) * below(random, 8)];
      for (let i = 0; i < 7; i++) draws.push([size, more, less], [below(random, 11), below(random, 22), 0]);
    }
    const column = (at: 0 | 1 | 2): BigInt64Array => BigInt64Array.from(draws.map((draw) => BigInt(draw[at])));
    const all = draws.map((draw) => grown(...draw));
    const copies = JSON.stringify(all);
    for (const o of all) o['late'] = 1;
    const text = await run(growing, { sizes: column(0), more: column(1), less: column(2) });
    expect(text).toBe(copies + JSON.stringify(all));
  });
});

/** What the places read of an object, before and after they write. */
const places = `
json look(json o) {
  return [
    o.has("v"), o.getInt("v", -1), o.getDouble("v", -1.5), o.getString("v", "none"), o.getBool("v", false),
    o.getJSON("v", null), o.has("v") ? o.v : "missing", o.has("w") ? o["w"] : "missing"
  ];
}
main(string text, int[] actions) {
  json rows = Json.parse(text);
  json seen = [];
  for (int i = 0; i < actions.length(); i++) {
    json o = rows[i % rows.size()];
    seen.push(look(o));
    int action = actions[i];
    if (action == 0) o.setInt("v", i);
    else if (action == 1) o.v = i + 0.5;
    else if (action == 2) o["v"] = \`text \${i}\`;
    else if (action == 3) o.setBool("v", true);
    else if (action == 4) o.remove("v");
    else if (action == 5) o.w = o.getInt("w", 0) + 1;
    else if (action == 6) o.remove("a");
    else if (action == 7) o[\`other\${i % 5}\`] = i;
    else if (action == 8) o.setString("v", "set");
    else if (action == 9) o.setDouble("w", 2.5);
    else o.setJson("v", { v: i });
    seen.push(look(o));
  }
  return Json.stringify([seen, rows], false);
}`;

type Row = Record<string, unknown>;

const actions: readonly ((o: Row, i: number) => void)[] = [
  (o, i) => (o['v'] = i),
  (o, i) => (o['v'] = i + 0.5),
  (o, i) => (o['v'] = `text ${i}`),
  (o) => (o['v'] = true),
  (o) => delete o['v'],
  (o) => (o['w'] = (Number.isInteger(o['w']) ? (o['w'] as number) : 0) + 1),
  (o) => delete o['a'],
  (o, i) => (o[`other${i % 5}`] = i),
  (o) => (o['v'] = 'set'),
  (o) => (o['w'] = 2.5),
  (o, i) => (o['v'] = { v: i }),
];

function look(o: Row): unknown {
  const v = o['v'];
  return [
    'v' in o,
    Number.isInteger(v) ? v : -1,
    typeof v === 'number' ? v : -1.5,
    typeof v === 'string' ? v : 'none',
    typeof v === 'boolean' ? v : false,
    v ?? null,
    'v' in o ? v : 'missing',
    'w' in o ? o['w'] : 'missing',
  ];
}

describe('places with a constant key', () => {
  it.each([
    ['one shape', ['a', 'v', 'w'], 0],
    ['two shapes', ['a', 'v', 'w'], 0.4],
    ['many shapes', ['v', 'a', 'b', 'c', 'w', 'd', 'e'], 1],
    ['objects of many keys', Array.from({ length: 60 }, (_, at) => (at === 50 ? 'v' : `k${at}`)), 0.2],
  ] as const)('read and write what is there: %s', async (_name, keys, mixed) => {
    const random = generator(keys.length);
    const rows: Row[] = Array.from({ length: 70 }, () => {
      const chosen = random() < mixed ? keys.filter(() => random() < 0.6) : keys;
      return Object.fromEntries(chosen.map((key) => [key, pick<unknown>(random, [1, 2.5, 'x', true, null, [1]])]));
    });
    const text = JSON.stringify(rows);
    const drawn = Array.from({ length: 3000 }, () => below(random, actions.length));
    const seen: string[] = [];
    drawn.forEach((action, i) => {
      const o = rows[i % rows.length]!;
      seen.push(JSON.stringify(look(o)));
      actions[action]!(o, i);
      seen.push(JSON.stringify(look(o)));
    });
    const found = (await run(places, { text, actions: BigInt64Array.from(drawn, BigInt) })) as string;
    // Without the point of whole doubles; the order of keys stays.
    const [looks, after] = JSON.parse(found) as readonly [readonly unknown[], unknown];
    const differing = looks.findIndex((one, at) => JSON.stringify(one) !== seen[at]);
    expect([differing, looks[differing]]).toEqual([-1, undefined]);
    expect(JSON.stringify(after)).toBe(JSON.stringify(rows));
  });

  it('say what is wrong with other values', async () => {
    const source = `
main() {
  json values = [{ v: 1 }, { w: 2 }, null, [1], "text", 5];
  for (int round = 0; round < 2; round++) {
    foreach (json value in values) {
      try { json got = value.v; yield got; } catch (e) { yield e; }
      try { value["v"] = 1; value.remove("v"); value["v"] = 1; } catch (e) { yield e; }
    }
    values[1] = { w: 2 };
  }
}`;
    const { artifact, diagnostics } = await compile('wrong.slu', source);
    expect(diagnostics.map(({ message }) => message)).toEqual([]);
    const yields: unknown[] = [];
    await (await loadScript(artifact!.wasm)).run({}).forEach((value) => yields.push(value));
    expect(yields.slice(0, yields.length / 2)).toEqual(yields.slice(yields.length / 2));
    expect(yields).toMatchInlineSnapshot(`
      [
        1,
        "there is no key 'v'; the keys are 'w'",
        "cannot use key 'v' of null",
        "cannot use key 'v' of null",
        "an array has no key 'v'",
        "an array has no key 'v'",
        "a string has no key 'v'",
        "a string has no key 'v'",
        "an int has no key 'v'",
        "an int has no key 'v'",
        1,
        "there is no key 'v'; the keys are 'w'",
        "cannot use key 'v' of null",
        "cannot use key 'v' of null",
        "an array has no key 'v'",
        "an array has no key 'v'",
        "a string has no key 'v'",
        "a string has no key 'v'",
        "an int has no key 'v'",
        "an int has no key 'v'",
      ]
    `);
  });
});
