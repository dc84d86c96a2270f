// Ratios of what was measured, beside what is aimed at.

import { median } from '../statistics.ts';
import type { Results, Row } from './results.ts';

export interface Figure {
  readonly what: string;
  readonly goal: string;
  /** Null where a contender is missing. */
  readonly found: number | null;
  readonly isMet: boolean;
}

type Key = Partial<Pick<Row, 'job' | 'contender' | 'rows' | 'format' | 'threads'>>;

export function findRow({ rows }: Results, key: Key): Row | null {
  const wanted: Key = { contender: 'sluice', format: 'parquet', threads: 1, ...key };
  return rows.find((row) => (Object.keys(wanted) as (keyof Key)[]).every((name) => row[name] === wanted[name])) ?? null;
}

/** The median of one measure of a row, divided by that of another. */
function ratio(results: Results, what: 'cpuMs' | 'wallMs' | 'bytes', over: Key, under: Key): number | null {
  const [a, b] = [findRow(results, over), findRow(results, under)];
  return a === null || b === null ? null : median(a[what]) / median(b[what]);
}

export function makeFigures(results: Results): readonly Figure[] {
  const sizes = [...new Set(results.rows.map(({ rows }) => rows))].sort((a, b) => a - b);
  const [small, usual, large] = [sizes[0]!, sizes.at(-2)!, sizes.at(-1)!];
  const cpu = (over: Key, under: Key): number | null => ratio(results, 'cpuMs', over, under);
  const threads = ratio(
    results,
    'wallMs',
    { job: 'arithmetic', rows: large, threads: 1 },
    { job: 'arithmetic', rows: large, threads: 2 },
  );
  const atLeast = (what: string, goal: number, found: number | null): Figure => ({
    what,
    goal: `at least ${goal}`,
    found,
    isMet: found !== null && found >= goal,
  });
  const atMost = (what: string, goal: number, found: number | null): Figure => ({
    what,
    goal: `at most ${goal}`,
    found,
    isMet: found !== null && found <= goal,
  });
  return [
    atLeast(
      'two threads, of what two spinning processes gain',
      0.9,
      threads === null ? null : threads / results.spinning,
    ),
    atLeast(
      'a queue with one worker, of the speed without one',
      0.95,
      cpu({ job: 'daily' }, { job: 'daily', contender: 'queue' }),
    ),
    atLeast(
      '`map`, of the speed of `mapBatch`',
      0.7,
      cpu({ job: 'batch', rows: large }, { job: 'numbers', rows: large }),
    ),
    atLeast(
      'times the speed of JavaScript, hardly anything written',
      4,
      cpu({ job: 'filter', rows: large, contender: 'node' }, { job: 'filter', rows: large }),
    ),
    atLeast(
      'times the speed of JavaScript, numbers written',
      2,
      cpu({ job: 'numbers', rows: large, contender: 'node' }, { job: 'numbers', rows: large }),
    ),
    atLeast(
      'times the speed of JavaScript, texts',
      1,
      cpu({ job: 'texts', rows: usual, contender: 'node' }, { job: 'texts', rows: usual }),
    ),
    atLeast(
      'times the speed of pandas, numbers',
      10,
      cpu(
        { job: 'numbers', rows: usual, contender: 'pandas', format: 'csv' },
        { job: 'numbers', rows: usual, format: 'csv' },
      ),
    ),
    atLeast(
      'times the speed of pandas, texts',
      10,
      cpu(
        { job: 'texts', rows: usual, contender: 'pandas', format: 'csv' },
        { job: 'texts', rows: usual, format: 'csv' },
      ),
    ),
    ...['filter', 'numbers'].map((job) =>
      atMost(`times the time of SQL, ${job}`, 2, cpu({ job, rows: large }, { job, rows: large, contender: 'duckdb' })),
    ),
    atMost(
      'times the time of SQL, texts',
      2,
      cpu({ job: 'texts', rows: usual }, { job: 'texts', rows: usual, contender: 'duckdb' }),
    ),
    atMost(
      'memory for ten times the records',
      1.2,
      ratio(results, 'bytes', { job: 'numbers', rows: large }, { job: 'numbers', rows: small }),
    ),
  ];
}
