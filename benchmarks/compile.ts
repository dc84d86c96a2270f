// What compiling takes by the size of a script: each kind of benchmarks/compile/kinds.ts in sizes that double, in a
// process of its own, in milliseconds of the processor, which another load of the machine changes little. The exponent
// is that from the first size to the last: 1 where time grows with the size, 2 where it grows with its square.
//
//   npm run bench:compile                      64 KB to 1 MB
//   npm run bench:compile -- --quick           16 to 64 KB
//   npm run bench:compile -- --seconds 300     for each kind, all sizes together; 120 otherwise
//   npm run bench:compile -- loops yields      some of them

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { kinds } from './compile/kinds.ts';

interface Row {
  readonly bytes: number;
  readonly ms: number;
  readonly megabytes: number;
  readonly wasm: number | null;
  readonly said: string;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, seconds: { type: 'string', default: '120' } },
});
const kilobytes = values.quick ? [16, 32, 64] : [64, 256, 1024];
const script = fileURLToPath(new URL('compile/measure.ts', import.meta.url));

/** The sizes that were done in time. */
async function measure(name: string): Promise<readonly Row[]> {
  const child = spawn(process.execPath, [script, name, ...kilobytes.map((size) => String(size * 1024))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), Number(values.seconds) * 1000);
  let output = '';
  for await (const piece of child.stdout) output += String(piece);
  clearTimeout(timer);
  return output
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as Row);
}

function exponent(rows: readonly Row[]): string {
  const [before, last] = [rows[0], rows.at(-1)];
  return before === undefined || last === undefined || last.bytes === before.bytes
    ? ''
    : (Math.log(last.ms / before.ms) / Math.log(last.bytes / before.bytes)).toFixed(2);
}

console.log(
  `Node ${process.version}, ${process.platform} ${process.arch}; ` +
    'milliseconds of the processor, and the most memory of the process\n',
);
console.log(
  `| Kind | ${kilobytes.map((size) => `${size} KB`).join(' | ')} | Exponent | MB | Result |\n` +
    `|---|${'---:|'.repeat(kilobytes.length + 2)}---|`,
);
for (const { name } of kinds.filter((kind) => positionals.length === 0 || positionals.includes(kind.name))) {
  const rows = await measure(name);
  const cells = kilobytes.map((_, index) => rows[index]?.ms.toFixed(0) ?? 'too long');
  const last = rows.at(-1);
  const result = last === undefined ? '' : last.wasm === null ? last.said : `${Math.ceil(last.wasm / 1024)} KB`;
  console.log(
    `| ${name} | ${cells.join(' | ')} | ${exponent(rows)} | ${last?.megabytes.toFixed(0) ?? ''} | ${result} |`,
  );
}
