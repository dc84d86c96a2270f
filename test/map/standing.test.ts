// How far a run is that was stopped, as --plan says it with --resume.

import { describeStanding, planMap, readStanding } from 'sluice-map';
import type { MapOptions } from 'sluice-map';
import { afterAll, describe, expect, it } from 'vitest';
import { hashesOf, MapFolder } from './harness.ts';

const folder = new MapFolder();
afterAll(() => folder.remove());

const script = `type Out { int n; } export Out map(int n) { if (n == 25) throw "stop here"; return { n: n }; }`;
const numbers = Array.from({ length: 60 }, (_, n) => n);
const csv = folder.write('numbers.csv', `n\n${numbers.join('\n')}\n`);

async function said(output: string, options: Partial<MapOptions> = {}): Promise<string> {
  const path = folder.script(script);
  const plan = await planMap({ script: path, input: csv, output, partitionRows: 10, ...options });
  return describeStanding(await readStanding(plan)).replaceAll(`${folder.path}/`, '');
}

describe('a run that was stopped', () => {
  it.each(['csv', 'parquet'] as const)('of %s says how many partitions are committed and left', async (format) => {
    const parquet = 'SELECT i AS n FROM range(60) AS r(i)';
    const input = format === 'csv' ? csv : await folder.parquet('numbers.parquet', parquet);
    const output = folder.file(`stopped-${format}`);
    const options = { input, partitionRows: 10 };
    expect(await said(output, options)).toBe(
      format === 'csv'
        ? 'resume       nothing is committed, how many are left is known when it runs'
        : 'resume       nothing is committed, 6 partitions are left',
    );
    await expect(folder.map(script, input, { output, ...options })).rejects.toThrow('stop here');
    const before = hashesOf(output);
    expect(await said(output, options)).toBe('resume       2 partitions are committed, 4 partitions are left');
    expect(hashesOf(output)).toEqual(before);
    await folder.map(script, input, { output, ...options, resume: true, maxErrors: 1 });
    await expect(said(output, options)).rejects.toThrow('has the output of a run that is complete');
  });

  it('is refused as --resume refuses it', async () => {
    const output = folder.file('other');
    await expect(folder.map(script, csv, { output, partitionRows: 10 })).rejects.toThrow('stop here');
    for (const options of [{ seed: 1 }, { partitionRows: 20 }])
      await expect(said(output, options)).rejects.toThrow('other has the output of another run: the options differ');
    // What may fail does not change what is done, but what is staged.
    expect(await said(output, { maxErrors: 1 })).toBe(
      'resume       2 partitions are committed, how many are left is known when it runs',
    );
    folder.write('file.txt', '');
    await expect(said(folder.path)).rejects.toThrow('is not empty');
  });
});
