// Compiled scripts in the host: what an embedder gets from a script that a person wrote.

import { describe, expect, it } from 'vitest';
import { compile } from '../../src/compile.ts';
import { loadScript, ScriptError } from '../../runtime-host/api/node.ts';
import type { Script, ScriptOptions, ScriptValue } from '../../runtime-host/api/node.ts';

async function load(text: string, options: ScriptOptions = {}): Promise<Script> {
  const { artifact, diagnostics } = await compile('test.slu', text);
  if (artifact === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return loadScript(artifact.wasm, options);
}

async function yieldsOf(script: Script, values: Record<string, unknown> = {}): Promise<ScriptValue[]> {
  const yields: ScriptValue[] = [];
  await script.run(values).forEach((value) => yields.push(value));
  return yields;
}

async function stackOf(text: string, values: Record<string, unknown> = {}): Promise<string[]> {
  const error: unknown = await (await load(text)).run(values).result.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ScriptError);
  return (error as ScriptError).frames.map((frame) => `${frame.function} ${frame.line}`);
}

const types = `
type Item { string name; int[] counts; Item parent; }
`;

describe('a script', () => {
  it('echoes values of every type', async () => {
    const script = await load(`${types}
      main(int i, double d, boolean b, string s, int[] is, double[] ds, boolean[] bs, string[][] ss, Item item) {
        yield i; yield d; yield b; yield s; yield is; yield ds; yield bs; yield ss; yield item;
      }`);
    const item = { name: 'a', counts: [1n, 2n], parent: { name: null, counts: null, parent: null } };
    const yields = await yieldsOf(script, {
      i: -5,
      d: 1.5,
      b: true,
      s: 'ü😀',
      is: [1, 2n],
      ds: Float64Array.of(1, Number.NaN),
      bs: [true, false],
      ss: [['x'], [], null],
      item,
    });
    expect(yields.slice(0, 8)).toEqual([
      -5n,
      1.5,
      true,
      'ü😀',
      BigInt64Array.of(1n, 2n),
      Float64Array.of(1, Number.NaN),
      [true, false],
      [['x'], [], null],
    ]);
    expect(
      JSON.parse(
        JSON.stringify(yields[8], (_, value: unknown) =>
          value instanceof BigInt64Array ? Array.from(value, Number) : value,
        ),
      ),
    ).toEqual({
      name: 'a',
      counts: [1, 2],
      parent: { name: null, counts: null, parent: null },
    });
  });

  it('runs again and again, each run for itself', async () => {
    const script = await load('int[] kept = [];\nkept.push(1);\nreturn kept.length();');
    const runs = [script.run(), script.run(), script.run()];
    expect(await Promise.all(runs.map((run) => run.result))).toEqual([1n, 1n, 1n]);
  });

  it('may be run while another one yields', async () => {
    const inner = await load('throw "inner";');
    const outer = await load('yield 1;\nthrow "outer";');
    let failure: unknown;
    const run = outer.run();
    const error: unknown = await run
      .forEach(() => {
        inner.run().result.catch((thrown: unknown) => {
          failure = thrown;
        });
      })
      .catch((thrown: unknown) => thrown);
    expect((error as ScriptError).frames.map(({ line }) => line)).toEqual([2]);
    expect((failure as ScriptError).frames.map(({ line }) => line)).toEqual([1]);
  });

  it('draws the same numbers from the same seed', async () => {
    const script = await load('double[] xs = [Math.random(), Math.random()];\nreturn xs;', { random: 7 });
    expect(await script.run().result).toEqual(await script.run().result);
  });

  it('gets a lone surrogate as U+FFFD', async () => {
    expect(await (await load('main(string s) { return s.codeAt(0); }')).run({ s: '\ud800' }).result).toBe(0xfffdn);
  });
});

describe('the stack of an error', () => {
  const at = 'int at(int[] xs, int i) {\n  return xs[i];\n}\n';

  it('goes from the throw to the entry', async () => {
    expect(
      await stackOf(
        `${at}int sum(int[] xs) {\n  int s = 0;\n  for (int i = 0; i < 9; i++) {\n    s += at(xs, i);\n  }\n` +
          '  return s;\n}\nmain() {\n  return sum([1]);\n}',
      ),
    ).toEqual(['at 2', 'sum 7', 'main 12']);
  });

  it('names the statements at top level', async () => {
    expect(await stackOf(`${at}int[] xs = [];\nint n = xs.length();\nn += at(xs, n);\nyield n;`)).toEqual([
      'at 2',
      '<top level> 6',
    ]);
  });

  it('stands at the call of what the runtime does', async () => {
    expect(
      await stackOf(
        'int f(string s) {\n  return s.substring(5, 9).length();\n}\nmain() {\n  yield 1;\n  yield f("short");\n}',
      ),
    ).toEqual(['f 2', 'main 6']);
    expect(await stackOf('int[] xs = [];\n\nxs.pop();')).toEqual(['<top level> 3']);
  });

  it('knows the place where an error was thrown that clauses let pass', async () => {
    const frames = await stackOf(
      'main() {\n  try {\n    throw "no";\n  } catch (NullAccessError e) {\n    yield e;\n  }\n}',
    );
    expect(frames[0]).toBe('main 3');
  });

  it('holds defaults and globals', async () => {
    expect(await stackOf('main(int n = 1 / 0) {\n  return n;\n}')).toEqual(['main 1']);
    expect((await stackOf('int g = 1 / 0;\nmain() {\n  return g;\n}'))[0]).toBe('<globals> 1');
  });

  it('holds each iteration of a recursion', async () => {
    const frames = await stackOf('int f(int n) {\n  if (n == 0) throw "deep";\n  return f(n - 1) + 1;\n}\nyield f(5);');
    expect(frames).toEqual(['f 2', 'f 3', 'f 3', 'f 3', 'f 3', 'f 3', '<top level> 5']);
  });

  it('is there when the stack runs out', async () => {
    const frames = await stackOf('int f(int n) {\n  return f(n + 1) + 1;\n}\nyield f(0);');
    expect(frames.length).toBeGreaterThan(100);
    expect(new Set(frames)).toEqual(new Set(['f 2']));
  });
});
