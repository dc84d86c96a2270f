// Scripts that call plugins in every way there is, for every place where a script may live and for its log. Plugins are
// made anew for each script that is loaded, and count the calls of their functions.

import { createMemoryPlatform, Denied, Granted, JsonDouble, PluginGrant } from '../../runtime-host/api/index.ts';
import type { ScriptOptions } from '../../runtime-host/api/index.ts';
import { defineModule, ScriptFunction, ScriptModule, wasmPlugin } from '../../runtime-host/api/plugins.ts';
import type { PluginContext } from '../../runtime-host/api/plugins.ts';
import { compile } from '../../src/index.ts';
import type { Row } from '../worker/rows.ts';

/** How often JavaScript of a plugin was called. */
export const calls = { count: 0 };

function counted(
  functions: Readonly<
    Record<
      string,
      | ((...values: never[]) => unknown)
      | { readonly call: (...values: never[]) => unknown; readonly [option: string]: unknown }
    >
  >,
): Parameters<typeof defineModule>[0]['functions'] {
  const count = (work: (...values: never[]) => unknown): ((...values: never[]) => unknown) => {
    const counting = (...values: never[]): unknown => (calls.count++, work(...values));
    // An async function is known by what it is.
    return Object.prototype.toString.call(work) === '[object AsyncFunction]'
      ? async (...values: never[]) => counting(...values)
      : counting;
  };
  return Object.fromEntries(
    Object.entries(functions).map(([signature, defined]) => [
      signature,
      typeof defined === 'function' ? count(defined) : { ...defined, call: count(defined.call) },
    ]),
  );
}

const fail = (): never => {
  throw new Error('secret');
};
const later = <Value>(value: Value): Promise<Value> => new Promise((resolve) => setTimeout(resolve, 2, value));

const basic = (): unknown =>
  defineModule({
    name: 'P',
    types: ['type Point { double x; int[] ns; Point next; }'],
    functions: counted({
      'int add(int a, int b = 40)': (a: bigint, b: bigint) => a + b,
      'double half(double x)': (x: number) => x / 2,
      'boolean not(boolean b)': (b: boolean) => !b,
      'int number(boolean a, double b, int c, boolean d)': (a: boolean, b: number, c: bigint, d: boolean) =>
        Number(`${Number(a)}${b * 10}${c}${Number(d)}`),
      'void nothing(int n)': () => undefined,
      'string shout(string text, string? more = null)': (text: string, more: string | null) =>
        `${text.toUpperCase()}!${more ?? ''}`,
      'string? lookUp(string key)': (key: string) => (key === 'known' ? 'found' : null),
      'string repeat(string text, int count)': (text: string, count: bigint) => text.repeat(Number(count)),
      'double[] scale(double[] xs, double by)': (xs: Float64Array, by: number) => xs.map((x) => x * by),
      'double clear(double[] xs)': (xs: Float64Array) => {
        const sum = xs.reduce((total, x) => total + x, 0);
        xs.fill(0);
        return sum;
      },
      'int[] plain(int[] ns)': (ns: BigInt64Array) => [...ns].reverse(),
      'string[] words(string[] texts, boolean[] keep)': (texts: readonly string[], keep: readonly boolean[]) =>
        texts.filter((_text, at) => keep[at]),
      'int[][] nested(int[][] rows)': (rows: readonly (BigInt64Array | null)[]) => [...rows, null, [7n]],
      'Point move(Point p, double by)': (p: { readonly x: number; readonly ns: BigInt64Array }, by: number) => ({
        x: p.x + by,
        ns: p.ns,
        next: p,
      }),
      'Point[] both(Point p)': (p: unknown) => [p, null],
      'json wrap(json j)': (j: unknown) => ({ b: j, a: [1, 1.5, new JsonDouble(1), 2n ** 60n, null, 'x'], '7': {} }),
      'json nothingAtAll()': () => null,
      'json rows()': () => ({
        doubles: Float64Array.of(1, 2.5, -0),
        ints: BigInt64Array.of(1n, 2n ** 62n),
        none: new Float64Array(0),
      }),
      'Point inside(int n)': (n: bigint) => ({
        x: 0.5,
        ns: new BigInt64Array(Number(n)).fill(n).subarray(1),
        next: { x: 1, ns: [], next: null },
      }),
      'string twice()': { on: 'string', call: (text: string) => text + text },
      'double total()': { on: 'double[]', call: (xs: Float64Array) => xs.reduce((sum, x) => sum + x, 0) },
      'double length(double scale = 1.0)': {
        on: 'Point',
        call: (p: { readonly x: number }, scale: number) => Math.abs(p.x) * scale,
      },
      'int negated()': { on: 'int', call: (n: bigint) => -n },
    }),
  });

const waiting = (): unknown =>
  defineModule({
    name: 'W',
    functions: counted({
      'string soon(string text)': async (text: string) => text,
      'string slow(string text)': async (text: string) => later(`${text} later`),
      'double number(double x)': async (x: number) => later(x + 0.5),
      'void nothing()': async () => undefined,
      'double[] many(int n)': {
        async: true,
        call: (n: bigint) => later(Float64Array.from({ length: Number(n) }, (_, at) => at / 4)),
      },
      'string atOnce()': { async: true, call: () => 'at once' },
      'string rejects()': async () => later(null).then(fail),
      'string wrong()': async () => later(5),
    }),
  });

const failing = (): unknown =>
  defineModule({
    name: 'F',
    types: ['type Q { int a; }'],
    functions: counted({
      'double number(double x)': fail,
      'string text(string s)': fail,
      'int wrongInt(int n)': () => 0.5,
      'double wrongDouble(double x)': () => '5',
      'boolean wrongBoolean(boolean b)': () => null,
      'void wrongVoid(int n)': () => Promise.resolve(1),
      'string wrongText(string s)': () => null,
      'string promise(string s)': () => Promise.resolve('x'),
      'double[] wrongArray()': () => [1, 'x'],
      'Q wrongStruct()': () => ({ a: 1.5 }),
      'json wrongJson()': () => new Date(),
    }),
  });

const asking = (): unknown =>
  defineModule({
    name: 'D',
    functions: counted({
      'string query(string sql, double[] xs)': {
        permission: 'db:query',
        call: (sql: string, xs: Float64Array, { constraints, signal }: PluginContext) =>
          `${sql} ${xs.length} ${String(constraints['rows'])} ${signal.aborted}`,
      },
      'double price(string of)': {
        permission: 'db:price',
        details: (of: string) => ({ length: of.length }),
        call: async (of: string) => later(of.length / 2),
      },
      'int count(int n)': { permission: 'db:count', call: (n: bigint) => n + 1n },
    }),
  });

const objects = (): unknown => {
  class Counter {
    #count = 0n;
    next(step: bigint): bigint {
      calls.count++;
      return (this.#count += step);
    }
    text(): string {
      calls.count++;
      return `at ${this.#count}`;
    }
  }
  const { prototype } = Counter;
  ScriptFunction('int next(int step = 1)')(prototype, 'next', Object.getOwnPropertyDescriptor(prototype, 'next'));
  ScriptFunction('string text()')(prototype, 'text', Object.getOwnPropertyDescriptor(prototype, 'text'));
  ScriptModule('Counter')(Counter);
  return Counter;
};

async function makeLibrary(name: string, text: string): Promise<unknown> {
  const { artifact, diagnostics } = await compile(name, text);
  if (artifact === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return wasmPlugin(artifact.wasm);
}

const vectors = await makeLibrary(
  'vectors.slu',
  `double scale = 1.0; int calls = 0;
  export double length(double x, double y) { calls++; return scale * Math.sqrt(x * x + y * y); }
  export int count() { return calls; }
  export boolean isLong(double x) { return x > 1.0; }
  export double chance() { return Math.random(); }
  export int broken(int n) { int[] ns = [1]; return ns[n]; }
  export int now() { return Date.now(); }`,
);

const library = (): unknown => vectors;

/** What is left of a list of bytes where names and sections have their lengths in front. */
const sized = (bytes: readonly number[]): readonly number[] => [bytes.length, ...bytes];
const named = (name: string): readonly number[] => sized([...name].map((letter) => letter.charCodeAt(0)));
const header = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/** `(func (export "divide") (param i64 i64) (result i64))` and `(func (export "low") (param i64) (result i32))` */
const foreign = Uint8Array.from([
  ...header,
  0x01,
  ...sized([0x02, 0x60, 0x02, 0x7e, 0x7e, 0x01, 0x7e, 0x60, 0x01, 0x7e, 0x01, 0x7f]),
  0x03,
  ...sized([0x02, 0x00, 0x01]),
  0x07,
  ...sized([0x02, ...named('divide'), 0x00, 0x00, ...named('low'), 0x00, 0x01]),
  0x0a,
  ...sized([0x02, ...sized([0x00, 0x20, 0x00, 0x20, 0x01, 0x7f, 0x0b]), ...sized([0x00, 0x20, 0x00, 0xa7, 0x0b])]),
]);

/**
 * `(import "env" "twice" (func (param f64) (result f64)))`, `f` that calls it, and `stop`, which is unreachable;
 * likewise `low`.
 */
const calling = Uint8Array.from([
  ...header,
  0x01,
  ...sized([0x03, 0x60, 0x01, 0x7c, 0x01, 0x7c, 0x60, 0x00, 0x00, 0x60, 0x01, 0x7e, 0x01, 0x7f]),
  0x02,
  ...sized([0x01, ...named('env'), ...named('twice'), 0x00, 0x00]),
  0x03,
  ...sized([0x03, 0x00, 0x01, 0x02]),
  0x07,
  ...sized([0x03, ...named('f'), 0x00, 0x01, ...named('stop'), 0x00, 0x02, ...named('low'), 0x00, 0x03]),
  0x0a,
  ...sized([
    0x03,
    ...sized([0x00, 0x20, 0x00, 0x10, 0x00, 0x0b]),
    ...sized([0x00, 0x00, 0x0b]),
    ...sized([0x00, 0x20, 0x00, 0xa7, 0x0b]),
  ]),
]);

const wasm = (): unknown =>
  wasmPlugin(foreign, { name: 'Foreign', functions: { 'int divide(int a, int b = 2)': '', 'boolean low(int n)': '' } });
const callingOut = (): unknown =>
  wasmPlugin(calling, {
    name: 'Out',
    functions: { 'double f(double x)': '', 'void stop()': '', 'boolean low(int n)': '' },
    imports: {
      env: {
        twice: (x: number) => {
          calls.count++;
          return x < 0 ? fail() : 2 * x;
        },
      },
    },
  });

type Make = () => unknown;

/** Plugins that are code alone. */
const coded: readonly Make[] = [library, wasm];

/** A row whose script has these plugins. */
function row(
  name: string,
  plugins: readonly Make[],
  text: string,
  more: ScriptOptions = {},
  marks: Partial<Row> = {},
): Row {
  const asks = plugins.every((make) => coded.includes(make)) ? {} : { asksPlugins: true as const };
  return { name, text, options: () => ({ ...more, plugins: plugins.map((make) => make()) }), ...asks, ...marks };
}

const attempt = (...expressions: readonly string[]): string =>
  expressions.map((expression) => `try { yield ${expression}; } catch (e) { yield e; }`).join(' ');
const query = attempt('D.query("select", [1.0, 2.0])', 'D.price("abc")', 'D.count(1)');

export const pluginRows: readonly Row[] = [
  row(
    'numbers',
    [basic],
    'yield P.add(1, 2); yield P.half(-0.0); yield P.half(1.0 / 0.0); yield P.not(true); ' +
      'yield P.number(true, 2.5, 3, false); P.nothing(1); yield P.add(9007199254740993, 0);',
  ),
  row(
    'a default argument',
    [basic],
    'yield P.add(2); yield P.shout("a"); yield P.shout("a", "b"); P.Point p = { x: -2.0, ns: [], next: null }; ' +
      'yield p.length(); yield p.length(3.0);',
  ),
  row('many numbers', [basic], 'double sum = 0.0; for (int i = 0; i < 300; i++) sum += P.half(i); yield sum;'),
  row(
    'texts',
    [basic],
    'yield P.shout("ä 😀 \\u{1F600}"); yield P.shout(""); yield P.lookUp("known"); yield P.lookUp("other"); ' +
      'yield P.shout("x", P.lookUp("other"));',
  ),
  row('a large text', [basic], 'string s = P.repeat("größer", 40000); yield s.length(); yield P.shout(s).length();'),
  row(
    'arrays',
    [basic],
    'yield P.scale([1.0, 0.0 / 0.0, -0.0], 2.0); double[] none = []; yield P.scale(none, 1.0); ' +
      'yield P.plain([1, 2, 3]); yield P.words(["a", "b", null], [true, false, true]); yield P.nested([[1], null]);',
  ),
  row(
    'a large array, which the plugin changes',
    [basic],
    'double[] xs = new double[20000]; for (int i = 0; i < 20000; i++) xs[i] = i * 0.5; yield P.clear(xs); ' +
      'yield xs[19999]; double[] ys = P.scale(xs, 2.0); yield ys[19999]; yield P.clear(ys); yield P.clear(xs);',
  ),
  row(
    'a large array of ints, in a struct too',
    [basic],
    'int[] ns = new int[20000]; ns[0] = 5; yield P.plain(ns)[19999]; P.Point p = P.inside(20000); ' +
      'yield p.ns.length(); yield p.ns[19998]; yield p.next; yield P.inside(3);',
  ),
  row(
    'structs',
    [basic],
    'P.Point p = { x: 1.5, ns: [1, 2], next: { x: 0.5, ns: [], next: null } }; yield P.move(p, 1.0); ' +
      'yield P.both(p); yield P.move(P.move(p, 1.0), 2.0).next.x;',
  ),
  row(
    'json',
    [basic],
    'yield P.wrap({ a: [1, 1.0, null, "x"], b: { c: 2 } }); ' +
      'json js = [5, 5.0, true, null, "x", 9007199254740993]; for (int i = 0; i < 6; i++) yield P.wrap(js[i]); ' +
      'yield P.nothingAtAll(); yield P.rows(); yield P.wrap(P.wrap(js[0])).getInt("zz", 3);',
  ),
  row(
    'methods on types',
    [basic],
    'yield "ab".twice(); yield [1.5, 2.5].total(); yield 5.negated(); double[] xs = [1.0]; yield xs.total();',
  ),
  row(
    'functions that are async',
    [waiting],
    'yield W.soon("a"); yield W.slow("b"); yield W.number(1.0); W.nothing(); yield W.many(30000).sum(); ' +
      'yield W.atOnce();',
    {},
    { isLater: true },
  ),
  row('async failures', [waiting], `${attempt('W.rejects()', 'W.wrong()')} W.rejects();`, {}, { isLater: true }),
  row('functions that throw', [failing], attempt('F.number(1.0)', 'F.text("a")')),
  row(
    'a function of numbers that throws, and nobody catches it',
    [failing],
    'double f(double x) {\n  return F.number(x);\n}\nyield 1;\nyield f(2.0);',
  ),
  row(
    'another that throws, and nobody catches it',
    [failing],
    'string f(string s) {\n  return F.text(s);\n}\nyield 1;\nyield f("a");',
  ),
  row(
    'results that are none',
    [failing],
    `${attempt('F.wrongInt(1)', 'F.wrongDouble(1.0)', 'F.wrongBoolean(true)', 'F.wrongText("a")', 'F.promise("a")', 'F.wrongArray()', 'F.wrongStruct()', 'F.wrongJson()')} try { F.wrongVoid(1); } catch (e) { yield e; }`,
  ),
  row(
    'a permission that is granted',
    [asking],
    query,
    { permissions: () => PluginGrant({ rows: 3 }) },
    { isLater: true },
  ),
  row(
    'a permission that is granted without constraints, later',
    [asking],
    query,
    { permissions: async () => later(Granted) },
    { isLater: true },
  ),
  row('a permission that is denied', [asking], query, {
    permissions: (request) => (request.kind === 'Plugin' && request.action === 'count' ? Granted : Denied('secret')),
  }),
  row('no permission handler', [asking], query),
  row(
    'a permission that is denied, and nobody catches it',
    [asking],
    'int f(int n) {\n  return D.count(n);\n}\nyield f(1);',
    { permissions: () => Denied() },
  ),
  row(
    'an object that keeps something',
    [objects],
    'yield Counter.next(); yield Counter.next(5); yield Counter.text(); yield Counter.next(-100);',
  ),
  row(
    'a library of Sluice',
    [library],
    'yield Vectors.length(3.0, 4.0); yield Vectors.isLong(2.0); yield Vectors.count(); yield Vectors.count();',
  ),
  row(
    'a library of Sluice that fails',
    [library],
    `${attempt('Vectors.broken(0)', 'Vectors.broken(1)')} Vectors.broken(2);`,
  ),
  row(
    'a library of Sluice that shares a seed',
    [library],
    'yield Math.random(); yield Vectors.chance(); yield Math.random(); yield Vectors.now();',
    { random: 7, clock: 99 },
  ),
  row(
    'a library of Sluice that shares numbers',
    [library],
    'yield Vectors.chance() < 1.0; yield Vectors.now() > 5; yield Math.random() < 1.0;',
    { random: () => 0.25, clock: () => 12 },
    { asksForNumbers: true },
  ),
  row(
    'a module of WebAssembly',
    [wasm],
    'yield Foreign.divide(7, -2); yield Foreign.divide(9); yield Foreign.low(1); yield Foreign.low(0); ' +
      attempt('Foreign.low(2)'),
  ),
  row(
    'a trap',
    [wasm],
    'int f(int n) {\n  return Foreign.divide(1, n);\n}\ntry { yield f(0); } catch (e) { yield "caught"; }',
  ),
  row(
    'a module of WebAssembly that calls JavaScript',
    [callingOut],
    `yield Out.f(1.5); yield Out.low(1); ${attempt('Out.low(2)', 'Out.f(-1.0)')} yield Out.f(4.0);`,
  ),
  row(
    'a trap of one that calls JavaScript',
    [callingOut],
    'yield 1;\ntry { Out.stop(); } catch (e) { yield "caught"; } yield Out.f(1.0);',
  ),
  row(
    'several plugins, and the library',
    [basic, asking, library],
    'yield P.add(1); yield Env.get("NAME"); yield D.count(1); yield Vectors.length(3.0, 4.0); ' +
      'yield File.read("/a.txt"); yield P.scale([1.0], 2.0); try { yield File.read("/none"); } catch (e) { ' +
      'yield e; } yield P.half(1.0);',
    {
      permissions: () => Granted,
      platform: createMemoryPlatform({ files: { '/a.txt': 'alpha' } }),
      environment: { NAME: 'value' },
    },
  ),
];
