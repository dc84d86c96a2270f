// What it costs to cross the boundary between JavaScript and a script: calls of exported functions beside calls
// of the same function in JavaScript, and arrays of a million numbers beside the copy of a typed array.
//
//   npm run bench:boundary

import { loadScript } from '../runtime-host/api/node.ts';
import { compile } from '../src/compile.ts';
import { compare, compareProcessor, row } from './compare.ts';

const source = `
type Point { double x; double y; }
export double integrate(double from, double to) { return (to - from) * (from + to) / 2; }
export int add(int a, int b) { return a + b; }
export boolean both(boolean a, boolean b) { return a && b; }
export double integrateIn(double from, double to, int steps = 1) { return (to - from) * (from + to) / (2 * steps); }
export string greet(string name) { return "hello " + name; }
export Point turn(Point p) { return { x: -p.y, y: p.x }; }
export int count(double[] xs) { return xs.length(); }
export double[] same(double[] xs) { return xs; }
export int[] sameInts(int[] xs) { return xs; }
`;

const javascript = {
  integrate: (from: number, to: number) => ((to - from) * (from + to)) / 2,
  add: (a: bigint, b: bigint) => BigInt.asIntN(64, a + b),
  both: (a: boolean, b: boolean) => a && b,
  integrateIn: (from: number, to: number, steps = 1) => ((to - from) * (from + to)) / (2 * steps),
  greet: (name: string) => `hello ${name}`,
  turn: (p: { x: number; y: number }) => ({ x: -p.y, y: p.x }),
};

const { artifact } = await compile('boundary.slu', source);
const script = await loadScript(artifact!.wasm);
const instance = script.instance();
/** Keeps results from being optimised away. */
let sink: unknown;

console.log(
  `Node ${process.version}, V8 ${process.versions.v8}, ${process.platform} ${process.arch}; ` +
    'ratio = Sluice / JavaScript\n',
);
console.log(row('a call on a kept instance', ['ns', 'JS ns', 'ratio']));
const calls: readonly (readonly [name: keyof typeof javascript, values: readonly unknown[]])[] = [
  ['integrate', [0.5, 1.5]],
  ['add', [1n, 2n]],
  ['both', [true, false]],
  ['integrateIn', [0.5, 1.5]],
  ['greet', ['you']],
  ['turn', [{ x: 1, y: 2 }]],
];
for (const [name, values] of calls) {
  const [a, b] = values;
  const same = javascript[name] as (...values: readonly unknown[]) => unknown;
  const work =
    values.length === 1 ? () => (sink = instance.callSync(name, a)) : () => (sink = instance.callSync(name, a, b));
  const [ours, theirs] = compare(100_000, work, () => (sink = same(a, b)));
  console.log(
    row(`${name}(${values.map((value) => typeof value).join(', ')})`, [
      (ours * 1e6).toFixed(1),
      (theirs * 1e6).toFixed(1),
      (ours / theirs).toFixed(1),
    ]),
  );
}
const [fresh] = compare(
  200,
  () => (sink = script.callSync('integrate', 0, 1)),
  () => {},
);
console.log(row('integrate in a new instance', [(fresh * 1e6).toFixed(0)]));

const doubles = Float64Array.from({ length: 1e6 }, (_, at) => at / 7);
const ints = BigInt64Array.from({ length: 1e6 }, (_, at) => BigInt(at));
// A call of which the median is taken has no garbage of others to collect; the processor's time has.
console.log(`\n${row('10^6 numbers', ['ms', 'copy ms', 'ratio', 'CPU ms', 'copy CPU ms', 'ratio'])}`);
const moves: readonly (readonly [what: string, work: () => unknown, copy: () => unknown])[] = [
  ['double[] in', () => instance.callSync('count', doubles), () => new Float64Array(doubles)],
  ['double[] in and out', () => instance.callSync('same', doubles), () => new Float64Array(doubles)],
  ['int[] in and out', () => instance.callSync('sameInts', ints), () => new BigInt64Array(ints)],
];
for (const [what, work, copy] of moves) {
  const pair = [(): unknown => (sink = work()), (): unknown => (sink = copy())] as const;
  const figures = [compare(40, ...pair, true), compareProcessor(100, ...pair)];
  console.log(
    row(
      what,
      figures.flatMap(([ours, theirs]) => [ours.toFixed(2), theirs.toFixed(2), (ours / theirs).toFixed(2)]),
    ),
  );
}
if (sink === null) console.log(sink);
