// The walkthrough's scripts and picture are those of examples/flights, and the picture is the same byte for byte.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { packageFolder, root } from '../../tools/entries.ts';
import { blocksOf } from '../pages/blocks.ts';
import { failuresOf, MapFolder, query } from './harness.ts';

const folder = new MapFolder();
afterAll(() => folder.remove());
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const flights = join(root, 'node_modules/vega-datasets/data/flights-3m.parquet');

it('the page shows the scripts of the example', () => {
  const shown = blocksOf(read('docs/map-flights.md')).filter(({ language }) => language === 'sluice');
  expect(shown.map(({ name }) => name)).toEqual(['flights.slu', 'plot.slu']);
  for (const { name, text } of shown) expect(text).toBe(`// ${name}\n${read(`examples/flights/${name}`)}`);
});

it('three million flights are summed up as by SQL, and drawn as in the docs', async () => {
  const { output, end } = await folder.map(read('examples/flights/flights.slu'), flights, {
    by: 'hour',
    format: 'csv',
    maxErrors: 3,
    threads: 2,
  });
  expect(end).toMatchObject({ read: 3_000_000, written: 2_999_991, failed: 3, groups: 24 });
  expect(failuresOf(output).map(({ row }) => row)).toEqual([515_378, 869_089, 949_802]);
  const summary = join(output, 'summary.csv');
  const cents = (late: string): string => `CAST(round(${late}, 6) AS VARCHAR)`;
  expect(
    await query(`SELECT CAST(hour AS INTEGER)::VARCHAR, CAST(flights AS VARCHAR), ${cents('latePercent')},
      ${cents('hourLatePercent')}, ${cents('meanMinutes')} FROM '${summary}' ORDER BY hour`),
  ).toEqual(
    await query(`SELECT CAST(hour(date)::INTEGER AS VARCHAR), CAST(count(*) AS VARCHAR),
      ${cents('100.0::DOUBLE * count(*) FILTER (delay >= 15) / count(*)')},
      ${cents('100.0::DOUBLE * count(*) FILTER (delay >= 60) / count(*)')}, ${cents('avg(delay)')}
      FROM '${flights}' WHERE delay >= -180 AND date < '2001-07-01' GROUP BY hour(date) ORDER BY hour(date)`),
  );
  const entry = join(packageFolder('sluice'), 'bin/sluice.mjs');
  const picture = execFileSync(
    process.execPath,
    [entry, 'run', join(root, 'examples/flights/plot.slu'), '-a', `csv=@${summary}`],
    { encoding: 'utf8' },
  );
  expect(picture).toBe(read('docs/images/flights.svg'));
});
