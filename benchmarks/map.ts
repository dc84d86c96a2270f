// `sluice map` beside what else can map the records of a file: SQL of DuckDB, a program for Node, pandas. The same
// jobs from the same file, in turns, each in a process of its own; all have to write the same.
//
//   npm ci --prefix benchmarks/map --ignore-scripts
//   npm run bench:map                      all; writes benchmarks/map/measured.md and the table in docs/benchmarks.md
//   npm run bench:map -- --quick           a tenth of the records, once, and nothing is written
//   npm run bench:map -- numbers texts     these jobs alone, and nothing is written

import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { contenders, howToInstall } from './map/contenders.ts';
import type { Contender } from './map/contenders.ts';
import { makeData } from './map/data.ts';
import { jobs, sourceOf } from './map/jobs.ts';
import { checksumOf, runMeasured } from './map/measure.ts';
import { writeReport } from './map/report.ts';
import type { Results, Row } from './map/results.ts';
import { measureSpinning } from './map/spinning.ts';
import { describeMachine } from './suite/machine.ts';
import { median } from './statistics.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
});
const scale = values.quick ? 0.1 : 1;
const rounds = values.quick ? 1 : 3;
const isWhole = !values.quick && positionals.length === 0;
const folder = join(tmpdir(), 'sluice-bench-map');

/** What is measured. */
interface Plan {
  readonly job: string;
  readonly rows: number;
  readonly format: 'parquet' | 'csv';
  readonly who: readonly string[];
  readonly rounds: number;
  readonly threads: readonly number[];
  /** How many there should be, where the usual ones would not do: eleven could not be shared by two threads. */
  readonly partitions?: number;
}

const [small, usual, large] = [1e6, 2e6, 1e7].map((rows) => rows * scale) as [number, number, number];
const all = ['sluice', 'duckdb', 'node'];
const plans: readonly Plan[] = [
  ...jobs.map(({ name: job }): Plan => ({ job, rows: usual, format: 'parquet', who: all, rounds, threads: [1] })),
  ...['filter', 'numbers', 'batch'].map((job): Plan => ({
    job,
    rows: large,
    format: 'parquet',
    who: all,
    rounds,
    threads: [1],
  })),
  { job: 'numbers', rows: small, format: 'parquet', who: ['sluice'], rounds, threads: [1] },
  { job: 'arithmetic', rows: large, format: 'parquet', who: ['sluice'], rounds, threads: [1, 2], partitions: 40 },
  { job: 'daily', rows: usual, format: 'parquet', who: ['sluice', 'queue'], rounds, threads: [1], partitions: 8 },
  ...['numbers', 'texts'].flatMap((job): Plan[] => [
    { job, rows: usual, format: 'csv', who: ['sluice', 'duckdb'], rounds, threads: [1] },
    { job, rows: usual, format: 'csv', who: ['pandas'], rounds: 1, threads: [1] },
  ]),
];

const versions = new Map<string, string>();
const missing: string[] = [];
for (const { id, title, version } of contenders) {
  const found = version();
  if (found === null) missing.push(`${title} is not installed: ${howToInstall[id]}`);
  else versions.set(id, found);
}
for (const line of missing) console.log(line);

const rows: Row[] = [];
for (const plan of plans.filter(({ job }) => positionals.length === 0 || positionals.includes(job))) {
  const input = await makeData(folder, plan.format, plan.rows);
  const runs = contenders
    .filter(({ id }) => plan.who.includes(id) && versions.has(id))
    .flatMap((contender) =>
      plan.threads.map((threads) => ({ contender, threads, source: sourceOf(plan.job, contender.source) })),
    )
    .filter((run): run is { contender: Contender; threads: number; source: string } => run.source !== null)
    .map((run) => ({ ...run, cpuMs: [] as number[], wallMs: [] as number[], bytes: [] as number[] }));
  let checksum: string | null = null;
  for (let round = 0; round < plan.rounds; round++)
    for (const { contender, threads, source, cpuMs, wallMs, bytes } of runs) {
      const output = join(folder, contender.output);
      const { partitions } = plan;
      const options = [
        `--threads=${threads}`,
        ...(partitions === undefined ? [] : [`--partition-rows=${Math.ceil(plan.rows / partitions)}`]),
      ];
      const used = await runMeasured(contender.command(source, input, output, options), output);
      cpuMs.push(used.cpuMs);
      wallMs.push(used.wallMs);
      bytes.push(used.bytes);
      if (round > 0) continue;
      const written = await checksumOf(contender.written(output));
      checksum ??= written;
      if (written !== checksum)
        throw new Error(`${plan.job}: ${contender.id} writes ${written}, where the others write ${checksum}`);
    }
  for (const { contender, threads, cpuMs, wallMs, bytes } of runs) {
    const row: Row = {
      job: plan.job,
      contender: contender.id,
      rows: plan.rows,
      format: plan.format,
      threads,
      cpuMs,
      wallMs,
      bytes,
    };
    rows.push(row);
    const who = threads > 1 ? `${contender.id} × ${threads}` : contender.id;
    console.log(
      `${plan.job.padEnd(11)}${plan.format.padEnd(8)}${plan.rows.toExponential(0).padEnd(6)}` +
        who.padEnd(12) +
        `${(median(cpuMs) / 1000).toFixed(2).padStart(7)} s CPU ` +
        `${(median(wallMs) / 1000).toFixed(2).padStart(7)} s ` +
        `${((median(cpuMs) / plan.rows) * 1e6).toFixed(0).padStart(6)} ns ` +
        `${(median(bytes) / 2 ** 20).toFixed(0).padStart(5)} MB`,
    );
  }
}

const spinning = await measureSpinning(values.quick ? 1e8 : 5e8, rounds);
console.log(`two spinning processes do ${spinning.toFixed(2)} times the work of one in the same time`);
for (const { output } of contenders) rmSync(join(folder, output), { recursive: true, force: true });
const results: Results = {
  date: new Date().toISOString(),
  machine: describeMachine(),
  versions: Object.fromEntries(versions),
  missing,
  spinning,
  rows,
};
console.log(writeReport(results, isWhole));
