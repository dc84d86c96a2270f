// The report: measured.md and results.json beside this file, and the section about records in docs/benchmarks.md.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { median } from '../statistics.ts';
import { contenders } from './contenders.ts';
import { makeFigures } from './figures.ts';
import type { Figure } from './figures.ts';
import { jobs, longJobs } from './jobs.ts';
import type { Results, Row } from './results.ts';

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
export const resultsFile = file('results.json');
export const reportFile = file('measured.md');
export const pageFile = file('../../docs/benchmarks.md');

/** The text for the terminal; the files are written if that is wanted. */
export function writeReport(results: Results, isKept: boolean): string {
  if (isKept) {
    const text = JSON.stringify(results, null, 1).replace(/\[[\d.,\s]*\]/g, (list) => list.replace(/\s+/g, ''));
    writeFileSync(resultsFile, `${text}\n`);
    writeFileSync(reportFile, reportText(results));
    writeFileSync(pageFile, withRecords(readFileSync(pageFile, 'utf8'), results));
  }
  return figuresTable(makeFigures(results)).join('\n');
}

export function readResults(): Results {
  return JSON.parse(readFileSync(resultsFile, 'utf8')) as Results;
}

export function reportText(results: Results): string {
  return [
    '# `sluice map` beside others',
    '',
    `\`npm run bench:map\` of ${dayOf(results)}, ${machineOf(results)}.`,
    'Each line is the median of processes that did the whole job, from start to end: CPU is user and system time of',
    'the process with its threads, and nanoseconds are that for each record. All but the first process of a job find',
    'its script compiled, as later runs do. The jobs:',
    '',
    ...[...jobs, ...longJobs].map(({ name, about }) => `- \`${name}\`: ${about}`),
    '',
    'The records have nine columns: a key, three doubles, an int, a text that differs everywhere, one of 200, a date',
    'and a flag. All contenders write the same records, which the benchmark compares.',
    '',
    ...contenders.map(({ id, title }) => `- ${title}: ${results.versions[id] ?? 'not measured'}`),
    ...results.missing.map((line) => `- ${line}`),
    '',
    'With a queue, CPU and memory are those of the worker, the command and Redis together.',
    '',
    '| Job | From | Records | Who | CPU s | Clock s | ns | MB |',
    '|---|---|---:|---|---:|---:|---:|---:|',
    ...results.rows.map(rowLine),
    '',
    ...figuresTable(makeFigures(results)),
    '',
    `Two spinning processes do ${results.spinning.toFixed(2)} times the work of one in the same time.`,
    '',
    ...onPaper(results),
    '',
  ].join('\n');
}

/** The page with its section about records made anew. */
export function withRecords(page: string, results: Results): string {
  const section = [
    '## Records of files',
    '',
    '`npm run bench:map` has [`sluice map`](map.md) and others do the same to the records of a file: SQL of',
    'DuckDB, a program for Node, pandas. Each is a process of its own, and what they write is compared.',
    `Of ${dayOf(results)}, ${machineOf(results)}; per CPU second, threads by the clock.`,
    '[The report](../benchmarks/map/measured.md) has each job.',
    '',
    ...figuresTable(makeFigures(results)),
    '',
    '',
  ].join('\n');
  return page.replace(/^## Records of files\n[^]*?(?=^## )/m, () => section);
}

function figuresTable(figures: readonly Figure[]): string[] {
  return [
    '| What | Goal | Found | |',
    '|---|---|---:|---|',
    ...figures.map(
      ({ what, goal, found, isMet }) =>
        `| ${what} | ${goal} | ${found === null ? '–' : found.toFixed(found < 10 ? 2 : 0)} | ` +
        `${found === null ? 'not measured' : isMet ? 'met' : 'missed'} |`,
    ),
  ];
}

function rowLine({ job, format, rows, contender, threads, cpuMs, wallMs, bytes }: Row): string {
  const { title } = contenders.find(({ id }) => id === contender)!;
  const seconds = (times: readonly number[]): string => (median(times) / 1000).toFixed(2);
  const cells = [
    job,
    format,
    rows.toLocaleString('en-US'),
    `${title}${threads > 1 ? `, ${threads} threads` : ''}`,
    seconds(cpuMs),
    seconds(wallMs),
    ((median(cpuMs) / rows) * 1e6).toFixed(0),
    (median(bytes) / 2 ** 20).toFixed(0),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** What larger jobs would take: a start, and a time for each record. */
function onPaper({ rows }: Results): string[] {
  const sizes = rows
    .filter(
      ({ job, contender, format, threads }) =>
        job === 'numbers' && contender === 'sluice' && format === 'parquet' && threads === 1,
    )
    .toSorted((a, b) => a.rows - b.rows);
  const [first, last] = [sizes[0], sizes.at(-1)];
  if (first === undefined || last === undefined || first === last) return [];
  const each = (median(last.cpuMs) - median(first.cpuMs)) / (last.rows - first.rows);
  const start = median(first.cpuMs) - each * first.rows;
  const cpu = (records: number): string => {
    const seconds = (start + each * records) / 1000;
    return seconds < 600 ? `${seconds.toFixed(0)} s` : `${(seconds / 3600).toFixed(1)} h`;
  };
  return [
    `On paper: \`numbers\` takes ${(start / 1000).toFixed(1)} s for its start and ${(each * 1e6).toFixed(0)} ns ` +
      `for each record, so that 10⁸ records take ${cpu(1e8)} of CPU and 10¹⁰ ${cpu(1e10)}, ` +
      `in as many threads as there are.`,
  ];
}

const dayOf = ({ date }: Results): string =>
  new Date(date).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

function machineOf({ machine: { processor, cores, memory, system } }: Results): string {
  return `${cores} × ${processor}, ${memory}, ${system}`;
}
