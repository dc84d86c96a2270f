// What a row of the library says that a call costs is what a run is charged for it: the units that are used for values
// of n, 2n and 4n elements. A row may say more than is charged for the values below, but not by much, and never less.

import { describe, expect, it } from 'vitest';
import { loadScript } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';
import { argumentNames } from '../../src/library/effects.ts';
import { LibraryRegistry } from '../../src/library/registry.ts';

const registry = new LibraryRegistry();
const functions = registry.libraries.flatMap((library) => (library.name === 'Native' ? [] : library.functions));

interface Case {
  /** What is there before the call, made of an int n. */
  readonly before: string;
  /** A statement. */
  readonly call: string;
  /** How large the operands are that the row's cost names. */
  readonly sizes: (n: number) => Readonly<Record<string, number>>;
}

const text = 'string s = "1".repeat(n);';
const ints = 'int[] a = new int[n];';
const doubles = 'double[] a = new double[n];';
const same =
  (name: string) =>
  (n: number): Readonly<Record<string, number>> => ({ [name]: n });
const inText = (call: string, before = text): Case => ({ before, call, sizes: same('this') });
const inArray = (call: string, before = ints): Case => ({ before, call, sizes: same('this') });
const byKey = (call: string): Case => ({ before: 'json j = {}; string k = "k".repeat(n);', call, sizes: same('key') });
const result = (before: string, call: string): Case => ({ before, call, sizes: same('result') });
const list = (elements: string): string =>
  `json j = {}; json l = []; for (int i = 0; i < n; i++) l.push(${elements}); j["k"] = l;`;

const cases: Readonly<Record<string, Case>> = {
  'string.upper': inText('s.upper();'),
  'string.lower': inText('s.lower();'),
  'string.contains': inText('s.contains("22");'),
  'string.split': inText('s.split("22");'),
  'string.toInt': inText('s.toInt(0);'),
  'string.toDouble': inText('s.toDouble(0.0);'),
  'string.indexOf': inText('s.indexOf("22");'),
  'string.lastIndexOf': inText('s.lastIndexOf("22");'),
  'string.startsWith': { before: text, call: 's.startsWith(s);', sizes: same('p') },
  'string.endsWith': { before: text, call: 's.endsWith(s);', sizes: same('p') },
  'string.trim': inText('s.trim();', 'string s = " ".repeat(n);'),
  'string.replace': { before: text, call: 's.replace("1", "22");', sizes: (n) => ({ this: n, result: 2 * n }) },
  'string.repeat': result('', '"1".repeat(n);'),
  'string.padStart': result('', '"1".padStart(n);'),
  'string.padEnd': result('', '"1".padEnd(n);'),
  'T[].slice': result(ints, 'a.slice(0, n);'),
  'T[].concat': { before: ints, call: 'a.concat(a);', sizes: (n) => ({ this: n, o: n }) },
  'T[].reverse': inArray('a.reverse();'),
  'T[].indexOf': inArray('a.indexOf(1);'),
  'T[].contains': inArray('a.contains(1);'),
  'T[].insert': inArray('a.insert(0, 1);'),
  'T[].removeAt': inArray('a.removeAt(0);'),
  'T[].clear': inArray('a.clear();'),
  'T[].fill': inArray('a.fill(1);'),
  'T[].copy': inArray('a.copy();'),
  'int[].sort': inArray('a.sort();'),
  'int[].sum': inArray('a.sum();'),
  'int[].min': inArray('a.min();'),
  'int[].max': inArray('a.max();'),
  'double[].sort': inArray('a.sort();', doubles),
  'double[].sum': inArray('a.sum();', doubles),
  'double[].min': inArray('a.min();', doubles),
  'double[].max': inArray('a.max();', doubles),
  'string[].sort': inArray('a.sort();', 'string[] a = new string[n]; a.fill("x");'),
  'string[].join': {
    before: 'string[] a = new string[n]; a.fill("x");',
    call: 'a.join("");',
    sizes: (n) => ({ this: n, result: n }),
  },
  'Json.parse': {
    before: 'string s = "[" + "1,".repeat(n) + "1]";',
    call: 'Json.parse(s);',
    sizes: (n) => ({ text: 2 * n }),
  },
  'Json.stringify': { before: list('1'), call: 'Json.stringify(l, false);', sizes: (n) => ({ result: 2 * n }) },
  'json.getString': byKey('j.getString(k, "");'),
  'json.getInt': byKey('j.getInt(k, 0);'),
  'json.getBool': byKey('j.getBool(k, true);'),
  'json.getDouble': byKey('j.getDouble(k, 0.0);'),
  'json.getJSON': byKey('j.getJSON(k, j);'),
  'json.getObject': {
    before: `${list('1')} int[] none = [];`,
    call: 'j.getObject("k", none);',
    sizes: (n) => ({ key: 1, result: n }),
  },
  'json.has': byKey('j.has(k);'),
  'json.keys': result('json j = {}; for (int i = 0; i < n; i++) j[`${i}`] = i;', 'j.keys();'),
  'json.setString': byKey('j.setString(k, "");'),
  'json.setInt': byKey('j.setInt(k, 1);'),
  'json.setBool': byKey('j.setBool(k, true);'),
  'json.setDouble': byKey('j.setDouble(k, 1.0);'),
  'json.setJson': byKey('j.setJson(k, {});'),
  'json.remove': byKey('j.remove(k);'),
  'json.getIntArray': { before: list('1'), call: 'j.getIntArray("k", []);', sizes: (n) => ({ key: 1, result: n }) },
  'json.getStringArray': {
    before: list('"x"'),
    call: 'j.getStringArray("k", []);',
    sizes: (n) => ({ key: 1, result: n }),
  },
  'json.getDoubleArray': {
    before: list('1.5'),
    call: 'j.getDoubleArray("k", []);',
    sizes: (n) => ({ key: 1, result: n }),
  },
  'json.getArray': {
    before: list('{ x: 1 }'),
    call: 'j.getArray("k", P, []);',
    sizes: (n) => ({ key: 1, result: 2 * n }),
  },
  'json.copy': { before: list('1'), call: 'l.copy();', sizes: same('this') },
  // Those that are charged for nothing, however large their operands are.
  'string.length': inText('s.length();'),
  'string.isEmpty': inText('s.isEmpty();'),
  'string.substring': inText('s.substring(1, n);'),
  'string.charAt': inText('s.charAt(n - 1);'),
  'string.codeAt': inText('s.codeAt(n - 1);'),
  'string.toString': inText('s.toString();'),
  'T[].length': inArray('a.length();'),
  'T[].isEmpty': inArray('a.isEmpty();'),
  'T[].push': inArray('a.push(1);'),
  'T[].pop': inArray('a.pop();'),
  'json.size': { before: list('1'), call: 'l.size();', sizes: same('this') },
  'json.isObject': { before: list('1'), call: 'l.isObject();', sizes: same('this') },
  'json.isArray': { before: list('1'), call: 'l.isArray();', sizes: same('this') },
  'json.kind': { before: list('1'), call: 'l.kind();', sizes: same('this') },
  'json.push': { before: list('1'), call: 'l.push(1);', sizes: same('this') },
};

async function used(statements: string, n: number): Promise<number> {
  const { artifact, diagnostics } = await compile('test.slu', `type P { int x; }\nmain(int n) { ${statements} }`);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const run = (await loadScript(artifact!.wasm, { limits: { fuel: 1e12 } })).run({ n });
  await run.result;
  return run.fuelUsed!;
}

const smallest = 40_000;

describe('each row of the library', () => {
  it.each(
    functions
      .filter(({ implementation }) => implementation.kind !== 'host' || implementation.permission === null)
      .map((row) => [row.id, row] as const),
  )('%s says its cost', (_id, { effects }) => {
    expect(effects.cost).not.toBeNull();
  });

  it('that takes a text, an array or a json is measured below', () => {
    const isLarge = ({ receiver, parameters, implementation }: (typeof functions)[number]): boolean =>
      implementation.kind !== 'host' &&
      [receiver, ...parameters.map(({ type }) => type)].some((type) =>
        ['string', 'array', 'json'].includes(type?.kind ?? ''),
      );
    expect(functions.filter((row) => isLarge(row) && !(row.id in cases)).map(({ id }) => id)).toEqual([]);
  });
});

describe('what is charged is what the row says', () => {
  it.each(Object.entries(cases))('%s', async (id, { before, call, sizes }) => {
    const row = functions.find((candidate) => candidate.id === id)!;
    const names = argumentNames(row);
    const charged: number[] = [];
    for (const n of [smallest, 2 * smallest, 4 * smallest]) {
      const given = sizes(n);
      const said =
        row.effects.cost!.reduce((sum, { times, of }) => sum + times * given[of === 'result' ? of : names[of]!]!, 0) /
        64;
      const units = (await used(`${before} ${call}`, n)) - (await used(before, n));
      charged.push(units);
      // Whole units for each part of the work.
      expect(units).toBeLessThanOrEqual(said + 3);
      expect(units).toBeGreaterThanOrEqual(said / 4.5 - 300);
    }
    expect(charged[2]! / Math.max(charged[1]!, 1)).toBeLessThan(2.5);
  });
});
