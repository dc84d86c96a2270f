// Objects of every size, changed at random, against a Map.

import { beforeAll, describe, expect, it } from 'vitest';
import { loadScript } from '../../runtime-host/api/node.ts';
import type { Script } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';
import { compactText } from './model.ts';
import { below, generator, pick } from './random.ts';

/** Applies steps to an object: set, remove, get, has. Answers with what was read, then the keys and the object. */
const source = `
main(string[] actions, string[] keys) {
  json j = {};
  int[] read = [];
  for (int i = 0; i < actions.length(); i++) {
    string key = keys[i];
    if (actions[i] == "set") j[key] = i;
    else if (actions[i] == "remove") j.remove(key);
    else if (actions[i] == "get") read.push(j.getInt(key, -1));
    else read.push(j.has(key) ? 1 : 0);
  }
  yield read;
  yield j.keys();
  yield j.size();
  yield j == j.copy();
  yield Json.stringify(Json.parse(Json.stringify(j)), false) == Json.stringify(j, false);
  return j;
}`;

let script: Script;
beforeAll(async () => {
  const { artifact } = await compile('objects.slu', source);
  script = await loadScript(artifact!.wasm);
});

describe.each([3, 8, 9, 30, 400, 3000])('an object of up to %i keys', (size) => {
  it.each(['', 'a common beginning of every key '])('is what a Map is: keys "%s…"', async (prefix) => {
    const random = generator(size);
    const map = new Map<string, bigint>();
    const read: bigint[] = [];
    const actions: string[] = [];
    const keys: string[] = [];
    for (let step = 0; step < size * 6 + 50; step++) {
      const action = pick(random, [
        'set',
        'set',
        'set',
        'remove',
        'get',
        'has',
        ...(step % 97 > 60 ? ['remove', 'remove', 'remove'] : []),
      ]);
      const key = `${prefix}${below(random, size).toString(36)}${below(random, 2) === 0 ? '' : 'ü'}`;
      actions.push(action);
      keys.push(key);
      if (action === 'set') map.set(key, BigInt(step));
      else if (action === 'remove') map.delete(key);
      else if (action === 'get') read.push(map.get(key) ?? -1n);
      else read.push(map.has(key) ? 1n : 0n);
    }
    const run = script.run({ actions, keys });
    const yields: unknown[] = [];
    await run.forEach((value) => yields.push(value));
    expect(yields).toEqual([BigInt64Array.from(read), [...map.keys()], BigInt(map.size), true, true]);
    const result = (await run.result) as Readonly<Record<string, unknown>>;
    expect(Object.keys(result).toSorted()).toEqual([...map.keys()].toSorted());
    for (const [key, value] of map) expect(result[key]).toBe(Number(value));
    expect(await run.resultText).toBe(compactText({ members: new Map([...map].map(([key, int]) => [key, { int }])) }));
  });
});
