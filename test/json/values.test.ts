// Random json values: equality, copies, the way to the host and back, getters and casts, against models.

import { beforeAll, describe, expect, it } from 'vitest';
import { JsonDouble, loadScript } from '../../runtime-host/api/node.ts';
import type { Script } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';
import { castModel } from './cast-model.ts';
import { compactText } from './model.ts';
import type { Model, ModelNumber } from './model.ts';
import { changed, isObject, randomModel, sameModel } from './random-model.ts';
import { generator } from './random.ts';

async function load(source: string): Promise<Script> {
  const { artifact, diagnostics } = await compile('values.slu', source);
  expect(diagnostics.map(({ message }) => message)).toEqual([]);
  return loadScript(artifact!.wasm);
}

/** Shows the values where a list of texts differs from what is expected. */
function expectAll(found: readonly unknown[], expected: readonly unknown[], about: (at: number) => unknown): void {
  expect(found.length).toBe(expected.length);
  expected.forEach((wanted, at) => {
    if (!Object.is(found[at], wanted))
      expect({ about: about(at), found: found[at] }).toEqual({ about: about(at), found: wanted });
  });
}

/** As an embedder writes the value. */
function argumentOf(model: Model): unknown {
  if (Array.isArray(model)) return (model as readonly Model[]).map(argumentOf);
  if (isObject(model)) {
    const object = Object.create(null) as Record<string, unknown>;
    for (const [key, value] of model.members) object[key] = argumentOf(value);
    return object;
  }
  if (typeof model !== 'object' || model === null) return model;
  return 'int' in model ? (model as { int: bigint }).int : new JsonDouble((model as { double: number }).double);
}

/** As the host hands the value out: numbers, but for ints that no number holds. */
function resultOf(model: Model): unknown {
  if (Array.isArray(model)) return (model as readonly Model[]).map(resultOf);
  if (isObject(model))
    return Object.assign(
      Object.create(null),
      Object.fromEntries([...model.members].map(([key, value]) => [`=${key}`, resultOf(value)])),
    );
  if (typeof model !== 'object' || model === null) return model;
  const number = model as ModelNumber;
  return 'double' in number
    ? number.double
    : Number.isSafeInteger(Number(number.int))
      ? Number(number.int)
      : number.int;
}

/** Keys get a mark, so that `__proto__` can be compared. */
function marked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(marked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.assign(
    Object.create(null),
    Object.fromEntries(Object.entries(value).map(([key, item]) => [`=${key}`, marked(item)])),
  );
}

/** With its keys in the order that JavaScript gives them. */
function inHostOrder(model: Model): Model {
  if (Array.isArray(model)) return (model as readonly Model[]).map(inHostOrder);
  if (!isObject(model)) return model;
  const { members } = model;
  const order = Object.keys(
    Object.assign(Object.create(null), Object.fromEntries([...members.keys()].map((key) => [key, 0]))) as object,
  );
  if (members.has('__proto__') && !order.includes('__proto__')) throw new Error('a key was lost');
  return { members: new Map(order.map((key) => [key, inHostOrder(members.get(key)!)])) };
}

describe('random json values', () => {
  it('are equal by content', async () => {
    const script = await load(`
      main(string[] a, string[] b) {
        boolean[] equal = [];
        for (int i = 0; i < a.length(); i++) {
          json x = Json.parse(a[i]);
          json y = Json.parse(b[i]);
          boolean isEqual = x == y;
          equal.push(isEqual && y == x && !(x != y) || !isEqual && x != y && !(y == x) ? isEqual : !isEqual);
        }
        return equal;
      }`);
    const random = generator(11);
    const a = Array.from({ length: 6000 }, () => randomModel(random));
    const b = a.map((model) => changed(random, model));
    const expected = a.map((model, at) => sameModel(model, b[at]!));
    expect(expected.filter((isSame) => isSame).length).toBeGreaterThan(500);
    const found = (await script.run({ a: a.map(compactText), b: b.map(compactText) }).result) as readonly boolean[];
    expectAll(found, expected, (at) => [compactText(a[at]!), compactText(b[at]!)]);
  });

  it('are copied whole, sharing nothing', async () => {
    const script = await load(`
      void spoil(json j) {
        if (j == null) return;
        if (j.isArray()) { foreach (json x in j) spoil(x); j.push("spoilt"); }
        foreach (string key in j.keys()) { spoil(j[key]); j[key] = "spoilt"; }
      }
      main(string[] texts) {
        string[] copies = [];
        foreach (string text in texts) {
          json j = Json.parse(text);
          json copy = j.copy();
          json again = [j as json, { inside: copy }];
          if (!(copy == j && again[0] == again[1].inside)) copies.push("differs");
          spoil(j);
          copies.push(Json.stringify(copy, false));
        }
        return copies;
      }`);
    const random = generator(12);
    const texts = Array.from({ length: 1500 }, () => compactText(randomModel(random, 0, true)));
    expectAll((await script.run({ texts }).result) as readonly string[], texts, (at) => texts[at]);
  });

  it('come out as they are, and print as they are', async () => {
    const script = await load(
      'main(string[] texts) { foreach (string text in texts) { json j = Json.parse(text); yield j; ' +
        'json[] list = [j]; yield list; yield `${j}`; } }',
    );
    const random = generator(13);
    const models = Array.from({ length: 1500 }, () => randomModel(random, 0, true));
    const texts = models.map(compactText);
    const values: unknown[] = [];
    const printed: string[] = [];
    await script.run({ texts }).forEach((value, text) => {
      values.push(value);
      printed.push(text());
    });
    expectAll(
      printed,
      texts.flatMap((text) => [text, `[${text}]`, text]),
      (at) => texts[Math.floor(at / 3)],
    );
    models.forEach((model, at) => expect(marked(values[at * 3])).toEqual(resultOf(model)));
  });

  it('go in as they are', async () => {
    const script = await load(
      'type Box { json[] list; } main(json all, json[] list, Box box) { yield all; yield list; yield box.list; ' +
        'yield all == (list as json) && all == (box.list as json); }',
    );
    const random = generator(14);
    const models = Array.from({ length: 1500 }, () => inHostOrder(randomModel(random)));
    const list = models.map(argumentOf);
    const text = compactText(models);
    const printed: string[] = [];
    await script.run({ all: list, list, box: { list } }).forEach((_value, print) => printed.push(print()));
    expect(printed.slice(0, 3).map((found) => found === text)).toEqual([true, true, true]);
    expect(printed[3]).toBe('true');
  });
});

describe('getters', () => {
  let script: Script;

  beforeAll(async () => {
    script = await load(`
      main(string[] texts, string key) {
        string[] found = [];
        foreach (string text in texts) {
          json j = Json.parse(text);
          json d = ["default"];
          found.push(\`\${j.getString(key, "d")}|\${j.getInt(key, -7)}|\${j.getBool(key, true)}|\${j.getDouble(key, -7.5)}|\${j.getJSON(key, d)}|\${j.has(key)}\`
            + \`|\${j.getIntArray(key, [-7])}|\${j.getDoubleArray(key, [-7.5])}|\${j.getStringArray(key, ["d"])}|\${j.size()}|\${j.keys()}\`
            + \`|\${j.getObject(key, 5)}|\${j.getObject(key, 5.5)}|\${j.getObject(key, "d")}|\${j.getObject(key, d)}\`);
        }
        return found;
      }`);
  });

  it('give the value where it fits and the default where not', async () => {
    const random = generator(15);
    const models = Array.from({ length: 4000 }, (): Model => {
      const value =
        random() < 0.4
          ? Array.from({ length: 1 + random() * 2 }, () => randomModel(random, 6))
          : randomModel(random, 3);
      return random() < 0.9
        ? { members: new Map([...(random() < 0.5 ? [['other', null] as const] : []), ['k', value]]) }
        : value === null
          ? []
          : value;
    });
    const found = (await script.run({ texts: models.map(compactText), key: 'k' }).result) as readonly string[];
    expectAll(found, models.map(gotten), (at) => compactText(models[at]!));
  });

  function gotten(model: Model): string {
    const members = isObject(model) ? model.members : new Map<string, Model>();
    const value = members.get('k') ?? null;
    const as = (type: Parameters<typeof castModel>[0], otherwise: string): string => {
      const cast = value === null ? null : castModel(type, value, '');
      if (cast === null || 'error' in cast) return otherwise;
      return typeof cast.value === 'string' ? cast.value : compactText(cast.value);
    };
    const size = Array.isArray(model) ? (model as readonly Model[]).length : members.size;
    const json = value === null ? '["default"]' : typeof value === 'string' ? value : compactText(value);
    return [
      as('string', 'd'),
      as('int', '-7'),
      as('boolean', 'true'),
      as('double', '-7.5'),
      json,
      members.has('k'),
      as({ array: 'int' }, '[-7]'),
      as({ array: 'double' }, '[-7.5]'),
      as({ array: 'string' }, '["d"]'),
      size,
      compactText([...members.keys()]),
      as('int', '5'),
      as('double', '5.5'),
      as('string', 'd'),
      json,
    ].join('|');
  }
});

describe('casts', () => {
  it('give what fits, and the path of what does not', async () => {
    const script = await load(`
      type Leaf { int i; double d; boolean b; string s; }
      type Node { Leaf leaf; int[] ints; double[][] grid; Node[] kids; json any; Node next; }
      main(string[] texts) {
        string[] found = [];
        foreach (string text in texts) {
          json j = Json.parse(text);
          try {
            Node node = j as Node;
            json back = node;
            if (node != null && back != Json.parse(\`\${node}\`)) found.push("differs");
            found.push(\`\${node}\`);
          } catch (CastError e) { found.push("CastError " + e); }
        }
        return found;
      }`);
    const random = generator(16);
    const models = Array.from({ length: 4000 }, () => spoilt(random, randomNode(random, 0)));
    const expected = models.map((model) => {
      const cast = castModel({ struct: 'Node' }, model, '');
      return 'error' in cast ? `CastError ${cast.error}` : compactText(cast.value);
    });
    const failures = expected.filter((text) => text.startsWith('CastError'));
    expect(failures.length).toBeGreaterThan(1000);
    expect(failures.length).toBeLessThan(3000);
    expect(new Set(failures).size).toBeGreaterThan(100);
    const found = (await script.run({ texts: models.map(compactText) }).result) as readonly string[];
    expectAll(found, expected, (at) => compactText(models[at]!));
  });

  /** A value that fits Node, with its keys in any order and others among them. */
  function randomNode(random: () => number, depth: number): Model {
    const list = (make: () => Model): Model => (random() < 0.2 ? null : Array.from({ length: random() * 4 }, make));
    const int = (): Model => ({ int: BigInt(Math.floor(random() * 2 ** 40)) });
    const double = (): Model => (random() < 0.3 ? int() : { double: random() });
    const leaf: Model = {
      members: new Map<string, Model>([
        ['i', int()],
        ['d', double()],
        ['b', random() < 0.5],
        ['s', random() < 0.2 ? null : 'text'],
      ]),
    };
    const nested = (): Model => (depth > 2 || random() < 0.4 ? null : randomNode(random, depth + 1));
    const entries: [string, Model][] = [
      ['leaf', random() < 0.2 ? null : leaf],
      ['ints', list(int)],
      ['grid', list(() => list(double))],
      ['kids', depth > 2 ? null : list(nested)],
      ['any', randomModel(random, 4)],
      ['next', nested()],
      ['extra', 1 < random() * 3 ? 'x' : null],
    ];
    return { members: new Map(random() < 0.5 ? entries : entries.toReversed()) };
  }

  /** Most values are changed in a few places. */
  function spoilt(random: () => number, model: Model): Model {
    let spoiling = model;
    while (random() < 0.8) spoiling = changed(random, spoiling);
    return spoiling;
  }
});
