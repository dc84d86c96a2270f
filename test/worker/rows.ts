// Scripts that do everything that crosses the boundary, and what an embedder sees of their runs: for every engine, and
// for every place where a script may live.

import { createMemoryPlatform, Denied, Granted, InternalError, ScriptError } from '../../runtime-host/api/index.ts';
import type { Script, ScriptOptions } from '../../runtime-host/api/index.ts';

const files = { '/a.txt': 'alpha', '/large.txt': 'größer'.repeat(60_000), '/empty.txt': '' };

function options(permissions: ScriptOptions['permissions'] = () => Granted): ScriptOptions {
  return {
    platform: createMemoryPlatform({ files }),
    ...(permissions === undefined ? {} : { permissions }),
    environment: { NAME: 'value' },
  };
}

const asking =
  'main() { yield File.read("/a.txt"); try { File.read("/none"); } catch (FileError e) { yield e; } ' +
  'return Env.get("NAME"); }';

export interface Row {
  readonly name: string;
  readonly text: string;
  readonly values?: Readonly<Record<string, unknown>>;
  readonly options?: () => ScriptOptions;
  /** The handler answers with a promise. */
  readonly isLater?: true;
  /** Numbers or times come from functions of the owner. */
  readonly asksForNumbers?: true;
  /** Functions of plugins are called that stay with the owner. */
  readonly asksPlugins?: true;
}

let turn = 0;

/** Scripts that do everything that crosses the boundary. */
export const rows: readonly Row[] = [
  { name: 'nothing', text: 'main() { }' },
  { name: 'an int', text: 'main() { return 9007199254740993; }' },
  { name: 'doubles', text: 'main() { yield 1.5; yield 0.0 / 0.0; yield -0.0; yield 1.0 / 0.0; return 4.0; }' },
  { name: 'booleans and null', text: 'main() { string s = null; yield true; yield s; return false; }' },
  { name: 'texts', text: 'main() { yield ""; yield "ä 😀 \\n"; return "end"; }' },
  {
    name: 'numbers of json',
    text: 'main() { json j = [1, 1.0, 0.0 / 0.0]; yield j[0]; yield j[1]; yield j[2]; return j[0]; }',
  },
  {
    name: 'json with all there is',
    text:
      'main() { json j = Json.parse("{\\"b\\":[1,1.0,2.5,null,\\"x\\",{\\"7\\":1.0,\\"a\\":2,\\"1\\":3}],' +
      '\\"__proto__\\":{\\"x\\":1},\\"2\\":9007199254740993}"); yield j; return j; }',
  },
  {
    name: 'structs',
    text:
      'type P { int x; P next; double[] ds; } main() { P p = { x: 1, next: { ' +
      'x: 2, next: null, ds: [] }, ds: [1.0, 2.5] }; yield p; P[] ps = [p, null]; return ps; }',
  },
  {
    name: 'typed arrays',
    text:
      'main() { int[] xs = [1, 2, 3]; double[] none = []; yield xs; yield none; double[] ds = []; for (int i = 0; ' +
      'i < 20000; i++) ds.push(i * 0.5); return ds; }',
  },
  {
    name: 'other arrays',
    text:
      'main() { boolean[] bs = [true, false]; yield bs; string[] ss = ["a", null]; yield ss; ' +
      'int[][] xs = [[1], null, []]; return xs; }',
  },
  {
    name: 'arguments',
    text:
      'type P { int x; string s; } main(int i, double d, boolean b, string s, json j, P p, int[] xs, double[] ds, ' +
      'string[] ss, P[] ps, int left = 7) { yield i; yield d; yield b; yield s; yield j; yield p; yield xs; ' +
      'yield ds; yield ss; yield ps; return left; }',
    values: {
      i: 2n ** 60n,
      d: -0,
      b: true,
      s: 'ä',
      j: { a: [1, 2.5, { __proto__: null, x: null }], b: 2n ** 60n },
      p: { x: 1, s: null },
      xs: BigInt64Array.of(1n, 2n),
      ds: [1, 2.5],
      ss: ['a', null],
      ps: [null, { x: 2, s: 'z' }],
    },
  },
  { name: 'many values', text: 'main() { for (int i = 0; i < 3000; i++) yield i; return "done"; }' },
  {
    name: 'large values',
    text:
      'main() { for (int i = 0; i < 4; i++) { double[] ds = []; for (int k = 0; k < 100000; k++) ds.push(k); ' +
      'yield ds; } return 1; }',
  },
  {
    name: 'an error with its stack',
    text: 'int f(int n) {\n  int[] xs = [1];\n  return xs[n];\n}\nmain() {\n  yield 1;\n  return f(3);\n}',
  },
  { name: 'an error that is thrown', text: 'main() { yield 1; throw "own"; }' },
  { name: 'a recursion without end', text: 'int f(int n) { return f(n + 1) + 1; } main() { return f(0); }' },
  { name: 'a host that answers at once', text: asking, options: () => options() },
  { name: 'a host that answers later', text: asking, options: () => options(async () => Granted), isLater: true },
  { name: 'a host that denies', text: asking, options: () => options(() => Denied('no')) },
  { name: 'a host without a handler', text: asking, options: () => options(undefined) },
  {
    name: 'a handler that throws',
    text: asking,
    options: () =>
      options(() => {
        throw new Error('secret');
      }),
  },
  {
    name: 'a handler that rejects',
    text: asking,
    options: () =>
      options(async () => {
        throw new Error('secret');
      }),
    isLater: true,
  },
  {
    name: 'a large answer',
    text: 'main() { string s = File.read("/large.txt"); yield s; yield File.read("/empty.txt"); return s.length(); }',
    options: () => options(),
  },
  {
    name: 'answers of every kind',
    text:
      'main() { File.write("/b.txt", "b"); yield File.exists("/b.txt"); yield File.list("/"); ' +
      'yield File.metadata("/a.txt").getInt("size", 0); yield Env.get("NONE"); File.delete("/b.txt"); ' +
      'return File.exists("/b.txt"); }',
    options: () => options(),
  },
  {
    name: 'a seed',
    text: 'main() { for (int i = 0; i < 5; i++) yield Math.random(); return Date.now(); }',
    options: () => ({ random: 7, clock: 1234 }),
  },
  {
    name: 'functions for numbers and the clock',
    text: 'main() { for (int i = 0; i < 5; i++) yield Math.random(); return Date.now() + Date.now(); }',
    options: () => ({ random: () => (turn = (turn + 0.125) % 1), clock: () => 55.5 }),
    asksForNumbers: true,
  },
  {
    name: 'a number that is none',
    text: 'main() { return Math.random(); }',
    options: () => ({ random: () => 2 }),
    asksForNumbers: true,
  },
  {
    name: 'a clock that throws',
    text: 'main() { try { return Date.now(); } catch (e) { return 1; } }',
    options: () => ({
      clock: () => {
        throw new TypeError("the host's own");
      },
    }),
    asksForNumbers: true,
  },
];

/** The ways to take what a run gives. */
export const takings = ['forEach', 'iterator', 'result'] as const;
export type Taking = (typeof takings)[number];

/** What an embedder sees of a failure. */
function described(error: unknown): unknown {
  if (error instanceof ScriptError)
    return { name: error.name, message: error.message, stack: error.stack, frames: error.frames, yields: error.yields };
  return error instanceof InternalError ? 'an internal error' : { class: error?.constructor, text: String(error) };
}

export async function outcome(script: Script, { values = {} }: Row, how: Taking): Promise<unknown> {
  turn = 0;
  const seen: unknown[] = [];
  const run = script.run(values);
  try {
    if (how === 'forEach') await run.forEach((value, text) => seen.push([value, text()]));
    if (how === 'iterator') for await (const value of run) seen.push(value);
    return { seen, result: await run.result, text: await run.resultText };
  } catch (error) {
    return { seen, error: described(error) };
  }
}
