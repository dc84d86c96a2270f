// What the calls of plugins cost: functions of numbers beside the same JavaScript imported bare by the same module,
// beside a module of WebAssembly, and functions of texts and arrays. Other functions of the plugin are called first, as
// in a program that uses many.
//
//   npm run bench:plugins

import { defineModule, loadScript, wasmPlugin } from '../runtime-host/api/node.ts';
import { compile } from '../src/compile.ts';
import { row } from './compare.ts';

const iterations = 300_000;
const rounds = 25;

const functions = {
  'double half(double x)': (x: number) => x / 2,
  'double mix(double a, double b)': (a: number, b: number) => a * 0.25 + b * 0.75,
  'double third(double a, double b, double c)': (a: number, b: number, c: number) => a + b * c,
  'int next(int n)': (n: bigint) => n + 1n,
  'boolean isFar(double x)': (x: number) => x > 10,
  'double other(double x)': (x: number) => x + 1,
  'double another(double x)': (x: number) => x * 3,
  'double yetAnother(double x)': (x: number) => x - 3,
  'string same(string text)': (text: string) => text,
  'double sum(double[] xs)': (xs: Float64Array) => xs[0]! + xs.length,
};
const bench = defineModule({ name: 'Bench', functions });
const library = await compile('linked.slu', 'export double half(double x) { return x / 2.0; }');
const linked = wasmPlugin(library.artifact!.wasm, { name: 'Linked' });

async function build(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const { artifact, diagnostics } = await compile('bench.slu', text, { plugins: [bench, linked] });
  if (artifact === null) throw new Error(diagnostics[0]!.message);
  return artifact.wasm;
}

/** A run of the module, as often as wanted; gives nanoseconds of an iteration. */
type Timed = () => Promise<number>;

async function byHost(wasm: Uint8Array, count = iterations): Promise<Timed> {
  const script = await loadScript(wasm, { plugins: [bench, linked] });
  return async () => {
    const began = performance.now();
    await script.run({ n: count }).result;
    return ((performance.now() - began) / count) * 1e6;
  };
}

/** The same without a host: the module imports the function as it is. */
function bare(wasm: Uint8Array<ArrayBuffer>): Timed {
  const module = new WebAssembly.Module(wasm, { builtins: ['js-string'], importedStringConstants: "'" });
  const plain = Object.fromEntries(
    Object.entries(functions).map(([signature, work]) => [/ (\w+)\(/.exec(signature)![1]!, work]),
  );
  return async () => {
    let result: unknown;
    const instance = new WebAssembly.Instance(module, {
      sluice: {
        hasArgument: () => 1,
        readInt: () => BigInt(iterations),
        readNull: () => 0,
        finish: () => {},
        uncaught: () => {},
        look: () => 1 << 30,
        reserve: () => 1 << 30,
        messageOf: () => '',
        readString: () => '',
        failure: () => 0,
        writeInt: (value: bigint) => {
          result = value;
        },
        writeDouble: (value: number) => {
          result = value;
        },
      },
      Bench: plain,
    });
    const began = performance.now();
    (instance.exports['run'] as () => void)();
    const time = ((performance.now() - began) / iterations) * 1e6;
    if (result === undefined) throw new Error('no result');
    return time;
  };
}

/** The least of many runs, the ways in turns: what disturbs a run only makes it longer. */
async function compare(...ways: readonly Timed[]): Promise<readonly number[]> {
  const least = ways.map(() => Infinity);
  for (let round = 0; round < rounds; round++)
    for (const [at, way] of ways.entries()) least[at] = Math.min(least[at]!, await way());
  return least;
}

const warm = 'x += Bench.other(x); x += Bench.another(x); x += Bench.yetAnother(x); x += Bench.mix(x, x);';
const loop = (body: string): string =>
  `main(int n) { double x = 0.0; int k = 0; for (int i = 0; i < 1000; i++) { ${warm} } x = 0.0; for (int i = 0; ` +
  `i < n; i++) { ${body} } return x + k; }`;

console.log(`Node ${process.version}, V8 ${process.versions.v8}, ${process.platform} ${process.arch}\n`);
console.log(row('a call in a loop', ['ns', 'bare ns', 'more']));
for (const body of [
  'x += Bench.half(x + i);',
  'x += Bench.mix(x, 1.0);',
  'x += Bench.third(x, 0.5, 2.0);',
  'k = Bench.next(k);',
  'if (Bench.isFar(x)) k++;',
]) {
  const wasm = await build(loop(body));
  const [ours, theirs] = (await compare(await byHost(wasm), bare(wasm))) as [number, number];
  console.log(
    row(body, [ours.toFixed(1), theirs.toFixed(1), `${ours < theirs ? '' : '+'}${(ours - theirs).toFixed(1)}`]),
  );
}
const withoutJs = (body: string): string =>
  `main(int n) { double x = 0.0; for (int i = 0; i < n; i++) { ${body} } return x; }`;
const only = async (text: string, count = iterations): Promise<number> =>
  (await compare(await byHost(await build(text), count)))[0]!;
console.log(
  row('x += Linked.half(x + i);', [
    (await only(withoutJs('x += Linked.half(x + i);'))).toFixed(1),
    'no JavaScript between',
  ]),
);
console.log(row('x += i;', [(await only(withoutJs('x += i;'))).toFixed(1), 'an empty iteration']));

console.log(`\n${row('a call through the stream', ['ns'])}`);
for (const [body, set] of [
  ['t = Bench.same(t);', 'string t = "text";'],
  ['x += Bench.sum(xs);', 'double[] xs = [1.0, 2.0, 3.0];'],
  ['x += Bench.sum(ys);', 'double[] ys = new double[8192];'],
] as const) {
  const text = `main(int n) { double x = 0.0; ${set} for (int i = 0; i < n; i++) { ${body} } return x; }`;
  console.log(row(`${set} ${body}`, [(await only(text, 100_000)).toFixed(0)]));
}
