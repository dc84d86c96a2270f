// The benchmark suite: every kernel in Sluice and in what competes with it, built, run in turns in processes of their
// own, results compared. What was measured goes to report/results.json, of which `npm run bench:report` makes tables
// and charts.
//
//   npm run bench                             every kernel, everything that is installed
//   npm run bench -- lu nbody                 some kernels; the report stays as it is
//   npm run bench -- polybench                those of a group: polybench, rest, recursive
//   npm run bench -- --only sluice --only gcc some competitors; the report stays as it is
//   npm run bench -- --chromium --firefox     also in browsers
//   npm run bench -- --reps 9 --processes 7   more runs of each process, more processes
//   npm run bench -- lu --n 100 --out FILE    another size; results to another file

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { competitors } from './competitors/all.ts';
import type { Competitor } from './competitors/competitor.ts';
import { comparisons, opponents } from './suite/comparisons.ts';
import { formatRatio, formatTime, makeFigures, pickTime, ratioOf, writeFigures } from './suite/figures.ts';
import { findKernel, groupTitles, hasSource, kernelNames, kernelsNamed, kernelTable } from './suite/kernels.ts';
import { describeMachine } from './suite/machine.ts';
import { measure } from './suite/measure.ts';
import { resultsFile, writeResults } from './suite/results.ts';
import type { KernelResult, ResultCompetitor, Settings } from './suite/results.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true, default: [] },
    reps: { type: 'string', default: '3' },
    processes: { type: 'string', default: '5' },
    n: { type: 'string' },
    chromium: { type: 'boolean', default: false },
    firefox: { type: 'boolean', default: false },
    out: { type: 'string' },
  },
});
refuseUnknown('kernel', positionals, [...Object.keys(groupTitles), ...kernelNames]);
const named = positionals.length === 0 ? kernelNames : [...new Set(positionals.flatMap(kernelsNamed))];
refuseUnknown(
  'competitor',
  values.only,
  competitors.map(({ id }) => id),
);
const settings: Settings = { processes: parseCount('processes', 1), warmUp: 2, repetitions: parseCount('reps', 1) };
const size = values.n === undefined ? undefined : parseCount('n', 1);
const isWhole = positionals.length === 0 && values.only.length === 0 && size === undefined;

function refuseUnknown(what: string, given: readonly string[], known: readonly string[]): void {
  for (const name of given) {
    if (!known.includes(name)) fail(`there is no ${what} ${name}; there are ${known.join(', ')}`);
  }
}

function parseCount(option: 'processes' | 'reps' | 'n', least: number): number {
  const count = Number(values[option]);
  if (!Number.isInteger(count) || count < least) fail(`--${option} wants a whole number from ${least} on`);
  return count;
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}

/** The competitors that take part, and a line about each that is not installed. */
async function findCompetitors(): Promise<readonly (readonly [Competitor, ResultCompetitor])[]> {
  const found: (readonly [Competitor, ResultCompetitor])[] = [];
  for (const competitor of competitors) {
    const { id, title, flags, install, onDemand } = competitor;
    if (values.only.length > 0 ? !values.only.includes(id) : onDemand !== undefined && !values[onDemand]) continue;
    const version = await competitor.version();
    if (version === null) console.log(`${title} is not here; to install it: ${install}`);
    else found.push([competitor, { id, title, version, flags }]);
  }
  return found;
}

const row = (cells: readonly string[]): string =>
  cells.map((cell, at) => (at === 0 ? cell.padEnd(20) : cell.padStart(15))).join(' ');

const present = await findCompetitors();
for (const [, { title, version, flags }] of present)
  console.log(`${title.padEnd(26)} ${version}${flags === '' ? '' : `, ${flags}`}`);
const shownTimes = opponents.filter(({ pick }) =>
  pick.of.some((id) => present.some(([competitor]) => competitor.id === id)),
);
const shownRatios = comparisons.filter(({ id }) =>
  ['scalar-c', 'vector-c', 'wasm-c', 'javascript', 'first-run'].includes(id),
);
console.log(
  `\n${row(['ms', ...shownTimes.map(({ title }) => title), ...shownRatios.map(({ title }) => `/ ${title}`)])}`,
);

const output = mkdtempSync(join(tmpdir(), 'sluice-suite-'));
const kernels: KernelResult[] = [];
try {
  for (const name of named) {
    const kernel = findKernel(name, size);
    const able = present.flatMap(([competitor]) => (hasSource(kernel, competitor.source) ? [competitor] : []));
    const result = {
      name,
      about: kernelTable[name]!.about,
      n: kernel.n,
      ...(await measure(kernel, able, settings, output)),
    };
    kernels.push(result);
    const ratios = shownRatios.map((comparison) => ratioOf(result, comparison));
    const cell = (value: number | null, format: (value: number) => string): string =>
      value === null ? '–' : format(value);
    console.log(
      row([
        name,
        ...shownTimes.map(({ pick }) => cell(pickTime(result.times, pick), formatTime)),
        ...ratios.map((ratio) => cell(ratio, formatRatio)),
      ]),
    );
    for (const [id, failure] of Object.entries(result.failures)) console.error(`  ${id}: ${failure}`);
  }
} finally {
  rmSync(output, { recursive: true });
}

console.log('');
for (const line of writeFigures(makeFigures({ kernels }))) console.log(line);

const file = values.out ?? (isWhole ? resultsFile : null);
if (file !== null) {
  writeResults(
    {
      date: new Date().toISOString(),
      machine: describeMachine(),
      settings,
      competitors: present.map(([, described]) => described),
      kernels,
    },
    file,
  );
}
if (kernels.some(({ failures }) => Object.keys(failures).length > 0)) process.exitCode = 1;
