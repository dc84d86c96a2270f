// What the host costs: a granted File.read beside the same checks and reads by hand, plain host calls beside the same
// import bare, yields to forEach and to an iterator, and what it takes to load and run a small module.
//
//   npm run bench:host

import {
  closeSync,
  constants,
  fstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createMemoryPlatform, FileGrant, Granted, loadScript } from '../runtime-host/api/node.ts';
import type { ScriptOptions } from '../runtime-host/api/node.ts';
import { compile } from '../src/compile.ts';
import { compare, row } from './compare.ts';

async function build(text: string): Promise<Uint8Array> {
  const { artifact, diagnostics } = await compile('bench.slu', text);
  if (artifact === null) throw new Error(diagnostics[0]!.message);
  return artifact.wasm;
}

console.log(`Node ${process.version}, V8 ${process.versions.v8}, ${process.platform} ${process.arch}\n`);

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-bench-')));
const file = join(folder, 'a.txt');
writeFileSync(file, 'x'.repeat(1_024));

/** What the gate does for one read, written down by hand: permission, path, handle, place, type, size, text. */
function readByHand(path: string): string {
  const constraints = { allowedDirectories: [folder], maxBytes: 1_000_000 };
  if (/[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/.test(path)) throw new Error('control character');
  const target = resolve(folder, path);
  const handle = openSync(target, 0o10000000);
  try {
    const place = readlinkSync(`/proc/self/fd/${handle}`);
    const stats = fstatSync(handle);
    if (!constraints.allowedDirectories.some((directory) => place === directory || place.startsWith(`${directory}/`)))
      throw new Error('outside');
    if (!stats.isFile() || stats.size > constraints.maxBytes) throw new Error('no file');
    const fd = openSync(`/proc/self/fd/${handle}`, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const { size } = fstatSync(fd);
      const buffer = Buffer.allocUnsafe(size);
      readSync(fd, buffer, 0, size, 0);
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(buffer);
    } finally {
      closeSync(fd);
    }
  } finally {
    closeSync(handle);
  }
}

/** Nanoseconds of one iteration of a loop in a script, whole runs measured. */
async function perIteration(text: string, iterations: number, options: ScriptOptions): Promise<number> {
  const script = await loadScript(await build(text), options);
  const times: number[] = [];
  for (let round = 0; round < 9; round++) {
    const began = performance.now();
    await script.run({ n: iterations }).result;
    times.push((performance.now() - began) / iterations);
  }
  return times.toSorted((a, b) => a - b)[4]! * 1e6;
}

const reads = 5_000;
const byHand: number[] = [];
const byGate: number[] = [];
for (let round = 0; round < 3; round++) {
  const began = performance.now();
  let length = 0;
  for (let iteration = 0; iteration < reads; iteration++) length += readByHand('a.txt').length;
  byHand.push(((performance.now() - began) / reads) * 1e6);
  if (length !== reads * 1_024) throw new Error('read something else');
  process.chdir(folder);
  byGate.push(
    await perIteration(
      'main(int n) { int length = 0; for (int i = 0; i < n; i++) length += File.read("a.txt").length(); ' +
        'return length; }',
      reads,
      { permissions: () => FileGrant({ allowedDirectories: [folder], maxBytes: 1_000_000 }) },
    ),
  );
}
const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
console.log(row('File.read of 1 KB', ['ns', 'by hand ns', 'ratio']));
console.log(
  row('granted, within a directory', [
    middle(byGate).toFixed(0),
    middle(byHand).toFixed(0),
    (middle(byGate) / middle(byHand)).toFixed(2),
  ]),
);
const [plain] = compare(
  2_000,
  () => void readFileSync(file, 'utf8'),
  () => {},
);
console.log(row('readFileSync, no checks', [(plain * 1e6).toFixed(0)]));
rmSync(folder, { recursive: true });

const memory = createMemoryPlatform({ files: { '/a.txt': 'alpha' } });
const call = 'main(int n) { int k = 0; for (int i = 0; i < n; i++) if (File.exists("/a.txt")) k++; return k; }';
console.log(`\n${row('calls of the host', ['ns'])}`);
console.log(
  row('File.exists in memory, granted', [
    (await perIteration(call, 20_000, { platform: memory, permissions: () => Granted })).toFixed(0),
  ]),
);
console.log(
  row('the same, an async handler', [
    (await perIteration(call, 20_000, { platform: memory, permissions: async () => Granted })).toFixed(0),
  ]),
);

const loop = (body: string): string =>
  `main(int n) { int sum = 0; for (int i = 0; i < n; i++) { ${body} } return sum; }`;
const iterations = 100_000;
let clockCalls = 0;
const clock = (): number => ++clockCalls;
const dateNow = await perIteration(loop('sum += Date.now();'), iterations, {});
const empty = await perIteration(loop('sum += i;'), iterations, {});
const bareNow = await bareImport();
console.log(row('Date.now', [dateNow.toFixed(1), `bare ${bareNow.toFixed(1)}`, `+${(dateNow - bareNow).toFixed(1)}`]));
console.log(
  row('Date.now of a given clock', [
    (await perIteration(loop('sum += Date.now();'), iterations, { clock })).toFixed(1),
  ]),
);
console.log(row('an empty iteration', [empty.toFixed(1)]));

/** The same loop over the same function, imported by a module without a host around it. */
async function bareImport(): Promise<number> {
  const bytes = await build(loop('sum += Date.now();'));
  const module = new WebAssembly.Module(bytes, { builtins: ['js-string'], importedStringConstants: "'" });
  const now = (): bigint => BigInt(Math.floor(Date.now()));
  const times: number[] = [];
  for (let round = 0; round < 9; round++) {
    let result: unknown;
    const instance = new WebAssembly.Instance(module, {
      sluice: {
        hasArgument: () => 1,
        readInt: () => BigInt(iterations),
        readNull: () => 0,
        writeInt: (value: bigint) => {
          result = value;
        },
        finish: () => {},
        message: () => '',
        uncaught: () => {},
      },
      Date: { now },
    });
    const began = performance.now();
    (instance.exports['run'] as () => void)();
    times.push((performance.now() - began) / iterations);
    if (result === undefined) throw new Error('no result');
  }
  return times.toSorted((a, b) => a - b)[4]! * 1e6;
}

console.log(`\n${row('10^5 yields', ['ns each'])}`);
const yielding = await loadScript(await build('main(int n) { for (int i = 0; i < n; i++) yield i; }'));
for (const how of ['forEach', 'iterator'] as const) {
  const times: number[] = [];
  for (let round = 0; round < 9; round++) {
    let seen = 0;
    const run = yielding.run({ n: iterations });
    const began = performance.now();
    if (how === 'forEach')
      await run.forEach(() => {
        seen++;
      });
    else for await (const _ of run) seen++;
    times.push((performance.now() - began) / iterations);
    if (seen !== iterations) throw new Error('lost a value');
  }
  console.log(
    row(how === 'forEach' ? 'to forEach' : 'to an iterator, one at a time', [
      (times.toSorted((a, b) => a - b)[4]! * 1e6).toFixed(0),
    ]),
  );
}

console.log(`\n${row('a small module', ['ms'])}`);
const small = await build('main(int n) { return n * 2; }');
const times: number[] = [];
for (let round = 0; round < 50; round++) {
  const began = performance.now();
  await (await loadScript(small)).run({ n: 21 }).result;
  times.push(performance.now() - began);
}
console.log(row('load and run, first', [times[0]!.toFixed(2)]));
console.log(row('load and run, median', [middle(times).toFixed(2)]));
