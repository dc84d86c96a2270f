// The quick look: every program under benchmarks/programs as Sluice and as JavaScript, side by side in one process
// and interleaved, with ratios: JavaScript's time divided by Sluice's, so above 1 Sluice is faster. `first` is the
// first call in a fresh state, `steady` the median of the later ones. What is quoted comes from suite.ts.
//
// A main.js may export `input()`, the arguments of both mains, and beside it there may be a helper.slu, which its
// main gets loaded as a second argument: for work that crosses between the two.
//
//   npm run bench:quick                 every program
//   npm run bench:quick -- sieve nbody  some of them
//   npm run bench:quick -- --reps 20    more iterations

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadScript } from '../runtime-host/api/node.ts';
import type { Arguments, Script } from '../runtime-host/api/node.ts';
import { compile } from '../src/compile.ts';
import { geometricMean, median } from './statistics.ts';

interface Measurement {
  readonly name: string;
  readonly sluice: readonly number[];
  readonly javascript: readonly number[];
}

/** What a main.js exports. */
interface Program {
  readonly main: (input: Arguments, helper: Script | null) => unknown;
  readonly input?: () => Arguments;
}

const folder = new URL('programs/', import.meta.url);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { reps: { type: 'string', default: '9' } },
});
const repetitions = Number(values.reps);
const names = readdirSync(folder)
  .filter((name) => positionals.length === 0 || positionals.includes(name))
  .toSorted();

async function measure(name: string): Promise<Measurement> {
  const script = await load(new URL(`${name}/main.slu`, folder));
  const helperFile = new URL(`${name}/helper.slu`, folder);
  const helper = existsSync(helperFile) ? await load(helperFile) : null;
  const program = (await import(new URL(`${name}/main.js`, folder).href)) as Program;
  const input = program.input?.() ?? {};
  const sluice: number[] = [];
  const javascript: number[] = [];
  for (let iteration = 0; iteration <= repetitions; iteration++) {
    const began = performance.now();
    const result = await script.run(input).result;
    const between = performance.now();
    const expected =
      program.input === undefined ? (program.main as () => unknown)() : await program.main(input, helper);
    javascript.push(performance.now() - between);
    sluice.push(between - began);
    if (Number(result) !== Number(expected))
      throw new Error(`${name}: Sluice says ${String(result)}, JavaScript ${String(expected)}`);
  }
  return { name, sluice, javascript };
}

async function load(file: URL): Promise<Script> {
  const { artifact, diagnostics } = await compile(file.pathname, readFileSync(file, 'utf8'));
  if (artifact === null) throw new Error(`${file.pathname} does not compile: ${diagnostics[0]?.message}`);
  return loadScript(artifact.wasm);
}

function row(cells: readonly string[]): string {
  return cells.map((cell, index) => (index === 0 ? cell.padEnd(20) : cell.padStart(11))).join(' ');
}

console.log(
  `Node ${process.version}, V8 ${process.versions.v8}, ${process.platform} ${process.arch}; ` +
    'ms, ratio = JavaScript / Sluice\n',
);
console.log(row(['program', 'first', 'JS first', 'ratio', 'steady', 'JS steady', 'ratio']));
const firstRatios: number[] = [];
const steadyRatios: number[] = [];
for (const name of names) {
  const { sluice, javascript } = await measure(name);
  const [first, jsFirst] = [sluice[0]!, javascript[0]!];
  const [steady, jsSteady] = [median(sluice.slice(1)), median(javascript.slice(1))];
  firstRatios.push(jsFirst / first);
  steadyRatios.push(jsSteady / steady);
  const cells = [first, jsFirst, jsFirst / first, steady, jsSteady, jsSteady / steady];
  console.log(row([name, ...cells.map((cell) => cell.toFixed(2))]));
}
console.log(
  row([
    'geometric mean',
    '',
    '',
    geometricMean(firstRatios).toFixed(2),
    '',
    '',
    geometricMean(steadyRatios).toFixed(2),
  ]),
);

// What the host costs belongs to the whole picture; alone it is npm run bench:host.
if (positionals.length === 0) {
  console.log('');
  await import('./host.ts');
}
