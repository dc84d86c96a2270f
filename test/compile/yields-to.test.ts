// The option `yieldsTo`: a function of the script takes what imported files yield.

import { compile, memoryReader } from 'sluice';
import type { CompileOptions } from 'sluice';
import { loadScript } from 'sluice-host';
import { describe, expect, it } from 'vitest';

const imported = `type Point { int x; string name; }
export void give(int n) {
  for (int i = 0; i < n; i++) {
    Point p = { x: i, name: "p" };
    yield p;
    p.x = -1;
    if (i == 1) yield "another type";
  }
}`;
const script = `import "points.slu" as points;
int[] seen = [];
void take(points.Point p) { if (p != null) seen.push(p.x); }
export int[] all(int n) {
  points.give(n);
  yield "of the script itself";
  points.Point mine = { x: 7, name: "mine" };
  yield mine;
  return seen;
}`;

const compiled = (text: string, options: CompileOptions) =>
  compile('main.slu', text, { reader: memoryReader({ 'points.slu': imported }), ...options });

describe('yieldsTo', () => {
  it.for([true, false])('calls the function with values of its type, optimised: %s', async (optimise) => {
    const { artifact } = await compiled(script, { yieldsTo: 'take', optimise });
    const { value, yields } = (await loadScript(artifact!.wasm)).instance().callSync('all', 3n as never);
    expect(value).toEqual(BigInt64Array.from([0n, 1n, 2n]));
    expect(yields).toEqual(['another type', 'of the script itself', { x: 7n, name: 'mine' }]);
  });

  it('leaves all to the host without it', async () => {
    const { artifact } = await compiled(script, {});
    const { value, yields } = (await loadScript(artifact!.wasm)).instance().callSync('all', 1n as never);
    expect([value, yields.length]).toEqual([new BigInt64Array(0), 3]);
  });

  it('does not say in the manifest that such values reach the host', async () => {
    const text = 'import "points.slu" as points; void take(points.Point p) {} export void all() { points.give(1); }';
    const yieldsOf = async (options: CompileOptions) =>
      (await compiled(text, options)).artifact!.manifest.exports!.find(({ name }) => name === 'all')!.outputs!.yields;
    expect(await yieldsOf({ yieldsTo: 'take' })).toEqual(['string']);
    expect(await yieldsOf({})).toHaveLength(2);
  });

  it('refuses a function that cannot take values', async () => {
    for (const [name, message] of [
      ['gone', 'the option yieldsTo: main.slu has no function gone'],
      ['all', 'the option yieldsTo: all is no function that takes one value and returns nothing'],
    ])
      await expect(compiled(script, { yieldsTo: name! })).rejects.toThrow(new TypeError(message));
    await expect(compiled(script, { yieldsTo: 1 as never })).rejects.toThrow(
      new TypeError('the option yieldsTo takes the name of a function, not number'),
    );
  });
});
