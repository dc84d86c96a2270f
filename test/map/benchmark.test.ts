// The jobs of `npm run bench:map` give the same records in Sluice, in SQL and in JavaScript, and its report says so.

import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { contenders } from '../../benchmarks/map/contenders.ts';
import { makeData } from '../../benchmarks/map/data.ts';
import { makeFigures } from '../../benchmarks/map/figures.ts';
import { jobs, longJobs, sourceOf } from '../../benchmarks/map/jobs.ts';
import { checksumOf, runMeasured } from '../../benchmarks/map/measure.ts';
import { reportText, withRecords } from '../../benchmarks/map/report.ts';
import type { Results, Row } from '../../benchmarks/map/results.ts';
import { MapFolder } from './harness.ts';

const folder = new MapFolder();
afterAll(() => folder.remove());

const rows = 20_000;

describe('all contenders write the same', () => {
  it.for([...jobs, ...longJobs].map(({ name }) => name))('%s', async (job) => {
    const input = await makeData(folder.path, 'parquet', rows);
    const { output } = await folder.map(readFileSync(sourceOf(job, 'main.slu')!, 'utf8'), input);
    const expected = await checksumOf(`${output}/part-*.parquet`);
    expect(Number(/^\d+/.exec(expected)![0])).toBeGreaterThan(0);
    for (const id of jobs.some(({ name }) => name === job) ? ['duckdb', 'node'] : ['queue']) {
      const {
        source: file,
        command,
        output: name,
        written: found,
      } = contenders.find((contender) => contender.id === id)!;
      const source = sourceOf(job, file);
      if (source === null) continue;
      const written = folder.file(`${job}-${name}`);
      const { cpuMs, bytes } = await runMeasured(command(source, input, written, ['--threads=1']), written);
      expect(cpuMs).toBeGreaterThan(0);
      expect(bytes).toBeGreaterThan(1e6);
      expect(await checksumOf(found(written)), `${job}, ${id}`).toBe(expected);
    }
  });
});

it('tells a difference of one value', async () => {
  const [a, b] = [
    await folder.parquet('a.parquet', 'SELECT i, i * 0.5 AS half FROM range(10) AS t(i)'),
    await folder.parquet(
      'b.parquet',
      'SELECT i, CASE i WHEN 7 THEN 3.6 ELSE i * 0.5 END AS half FROM range(10) AS t(i)',
    ),
  ];
  expect(await checksumOf(a)).not.toBe(await checksumOf(b));
});

const row = (contender: string, size: number, cpuMs: number, rest: Partial<Row> = {}): Row => ({
  job: 'numbers',
  contender,
  rows: size,
  format: 'parquet',
  threads: 1,
  cpuMs: [cpuMs],
  wallMs: [cpuMs],
  bytes: [2 ** 20],
  ...rest,
});

const results: Results = {
  date: '2026-01-31T12:00:00.000Z',
  machine: { processor: 'A', cores: 2, memory: '8 GiB', system: 'Linux' },
  versions: { sluice: 'Node v1' },
  missing: ['pandas, `apply(axis=1)` is not installed: apt-get install python3-pandas'],
  spinning: 1.8,
  rows: [
    row('sluice', 1e6, 700),
    row('sluice', 2e6, 800),
    row('sluice', 1e7, 1600, { bytes: [2 ** 21] }),
    row('node', 1e7, 4000),
    row('duckdb', 1e7, 1000),
    row('sluice', 1e7, 9000, { job: 'arithmetic' }),
    row('sluice', 1e7, 5000, { job: 'arithmetic', threads: 2 }),
    row('sluice', 2e6, 9600, { job: 'daily' }),
    row('queue', 2e6, 10_000, { job: 'daily' }),
  ],
};

it('judges the ratios by the goals', () => {
  const found = Object.fromEntries(makeFigures(results).map(({ what, found: value, isMet }) => [what, [value, isMet]]));
  expect(found).toMatchObject({
    'two threads, of what two spinning processes gain': [1, true],
    'a queue with one worker, of the speed without one': [0.96, true],
    'times the speed of JavaScript, numbers written': [2.5, true],
    'times the time of SQL, numbers': [1.6, true],
    'times the speed of pandas, numbers': [null, false],
    'memory for ten times the records': [2, false],
  });
});

it('writes a report, and a section of a page, from the results alone', () => {
  const report = reportText(results);
  expect(report).toContain('| numbers | parquet | 10,000,000 | sluice map | 1.60 | 1.60 | 160 | 2 |');
  expect(report).toContain('apt-get install python3-pandas');
  expect(report).toContain('0.6 s for its start and 100 ns for each record');
  const page = withRecords('# A\n\n## Records of files\n\nold\n\n## More\n\nrest\n', results);
  expect(page).toContain('| times the speed of JavaScript, numbers written | at least 2 | 2.50 | met |');
  expect(page).not.toContain('old');
  expect(page).toMatch(/\n## More\n\nrest\n$/);
  expect(withRecords(page, results)).toBe(page);
});
