// Fuzzes the compiler: `npm run fuzz -- --minutes 10 --seed 1`, or `--programs 50000 --seed 1 --jobs 2` by two
// processes. Programs and texts in turn, each named by a seed; what is found is reduced and printed, and the exit
// code is 1 then. A program that does not end is found too. With `--first` it ends at the first difference of a
// program, as it was drawn. With `--only nests` all programs are of one kind.

import { parseArgs } from 'node:util';
import { isKind, kindNames } from './kinds.ts';
import { Watched } from './watched.ts';

/** Milliseconds: even with all settings on a busy machine a program takes a tenth of that. */
const patience = { search: 60_000, reduction: 120_000 };

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    seed: { type: 'string' },
    programs: { type: 'string' },
    first: { type: 'boolean', default: false },
    only: { type: 'string' },
    jobs: { type: 'string', default: '1' },
  },
});
const first = values.seed === undefined ? Math.floor(Math.random() * 1e9) : Number(values.seed);
const most = values.programs === undefined ? Infinity : Number(values.programs);
const jobs = Number(values.jobs);
// Who says how many programs has them all.
const minutes = values.minutes === undefined ? (most === Infinity ? 10 : Infinity) : Number(values.minutes);
if (
  !(minutes > 0) ||
  !Number.isSafeInteger(first) ||
  first < 0 ||
  !(most > 0) ||
  !Number.isSafeInteger(jobs) ||
  jobs < 1
) {
  console.error('fuzz takes --minutes above 0, --seed and --jobs, whole numbers, and --programs, how many at most');
  process.exit(2);
}
if (values.only !== undefined && !isKind(values.only)) {
  console.error(`--only takes ${kindNames.join(', ')}`);
  process.exit(2);
}

const begin = performance.now();
const end = begin + minutes * 60_000;
let next = first;
let programs = 0;
let texts = 0;
let found = 0;
let isStopped = false;
const isOver = (): boolean =>
  isStopped || performance.now() >= end || next - first >= most || (values.first && found > 0);
// Who interrupts it is still told how far it got.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isStopped = true));

console.log(`seeds from ${first}, ${most === Infinity ? `for ${minutes} minutes` : `${most} programs`}`);
await Promise.all(Array.from({ length: jobs }, work));
report();
process.exitCode = found > 0 ? 1 : 0;

async function work(): Promise<void> {
  const watched = new Watched(
    new URL('seeds.ts', import.meta.url),
    [values.only ?? 'any', values.first ? 'first' : 'reduce'],
    patience,
  );
  try {
    while (!isOver()) {
      const findings = await watched.run(next++);
      programs += 1;
      texts += findings.texts;
      for (const difference of findings.differences) {
        found += 1;
        console.log(`${difference}\n`);
      }
      if (programs % 500 === 0) report();
    }
  } catch (error) {
    // Who interrupts it ends the processes of seeds as well.
    if (!isStopped) throw error;
  } finally {
    watched.end();
  }
}

function report(): void {
  const seconds = (performance.now() - begin) / 1000;
  console.log(
    `${programs} programs and ${texts} texts in ${Math.round(seconds)} s, ${(programs / seconds).toFixed(1)} ` +
      `programs per second, ${found} differences`,
  );
}
