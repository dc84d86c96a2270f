// Fuzzes the compiler: `npm run fuzz -- --minutes 10 --seed 1`, or `--programs 25000 --seed 1` in one process and
// `--seed 25001` in another. Programs and texts in turn, each named by a seed; what is found is reduced and printed,
// and the exit code is 1 then. With `--first` it ends at the first difference of a program, as it was drawn. With
// `--only nests` all programs are of one kind.

import { parseArgs } from 'node:util';
import { findDifference, kindNames, programsAbout } from './programs.ts';
import { findFault } from './texts.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    seed: { type: 'string' },
    programs: { type: 'string' },
    first: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const first = values.seed === undefined ? Math.floor(Math.random() * 1e9) : Number(values.seed);
const most = values.programs === undefined ? Infinity : Number(values.programs);
// Who says how many programs has them all.
const minutes = values.minutes === undefined ? (most === Infinity ? 10 : Infinity) : Number(values.minutes);
if (!(minutes > 0) || !Number.isSafeInteger(first) || first < 0 || !(most > 0)) {
  console.error('fuzz takes --minutes above 0, --seed, a whole number, and --programs, how many at most');
  process.exit(2);
}

if (values.only !== undefined && !kindNames.includes(values.only)) {
  console.error(`--only takes ${kindNames.join(', ')}`);
  process.exit(2);
}
const drawn = values.only === undefined ? undefined : programsAbout(values.only);

/** Texts take a good part of the time of programs, and find less. */
const programsPerText = 4;
/** Nobody writes texts so long by hand that checking them takes longer. */
const slowMs = 5000;

const begin = performance.now();
const end = begin + minutes * 60_000;
let programs = 0;
let texts = 0;
let found = 0;
let isStopped = false;
// Who interrupts it is still told how far it got.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isStopped = true));

console.log(`seeds from ${first}, ${most === Infinity ? `for ${minutes} minutes` : `${most} programs`}`);
for (let seed = first; performance.now() < end && programs < most && !isStopped; seed++) {
  programs += 1;
  tell(await findDifference(seed, drawn, undefined, !values.first));
  if (values.first && found > 0) break;
  if (seed % programsPerText === 0 && !values.first && drawn === undefined) tryText(seed);
  // Signals come in between.
  await new Promise(setImmediate);
  if (programs % 500 === 0) report();
}
report();
process.exitCode = found > 0 ? 1 : 0;

function tryText(seed: number): void {
  texts += 1;
  const started = process.cpuUsage();
  const fault = findFault(seed);
  const took = process.cpuUsage(started).user / 1000;
  tell(fault ?? (took < slowMs ? null : `text ${seed}: takes ${Math.round(took)} ms`));
}

function tell(difference: string | null): void {
  if (difference === null) return;
  found += 1;
  console.log(`${difference}\n`);
}

function report(): void {
  const seconds = (performance.now() - begin) / 1000;
  console.log(
    `${programs} programs and ${texts} texts in ${Math.round(seconds)} s, ${(programs / seconds).toFixed(1)} ` +
      `programs per second, ${found} differences`,
  );
}
