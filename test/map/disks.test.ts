// Output that cannot be written, and output that several write: what is said, and that going on gives the same bytes.

import { readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { planMap, runMap } from 'sluice-map';
import { afterAll, describe, expect, it } from 'vitest';
import { hashesOf, MapFolder } from './harness.ts';
import { runMapProcess } from './process.ts';

const folder = new MapFolder();
afterAll(() => folder.remove());
const input = await folder.parquet(
  'numbers.parquet',
  // The texts of later row groups are longer and cannot be packed.
  `SELECT i AS n, CASE WHEN i < 4096 THEN 'short' ELSE string_agg(md5(i || '/' || j), '') END AS s
   FROM range(12288) AS r(i), range(8) AS q(j) GROUP BY i ORDER BY i`,
  ', ROW_GROUP_SIZE 4096',
);
const script = folder.write(
  'copy.slu',
  'type Out { int n; string s; } export Out map(int n, string s) { return { n: n, s: s }; }',
);
const words = (output: string, files = input): readonly string[] => [
  script,
  '--input',
  files,
  '-o',
  output,
  '--partition-rows',
  '4096',
  '--threads',
  '1',
];

describe('a disk', () => {
  it('that is full is said; once there is room, going on gives what an undisturbed run gives', async () => {
    const [whole, full] = [folder.file('whole'), folder.file('full')];
    expect((await runMapProcess(words(whole))).code).toBe(0);
    // Files may have 128 KB, and what would be longer cannot be written: as on a full disk, for any user.
    const { code, stderr } = await runMapProcess(words(full), null, `trap '' XFSZ; ulimit -f 256; exec "$@"`);
    expect(stderr).toContain(`sluice: cannot write to ${full}: there is no space left on the disk\n`);
    expect(code).toBe(2);
    expect(readdirSync(join(full, '_commits'))).toEqual(['0.json']);
    expect(readdirSync(join(full, '_data'))).toHaveLength(1);
    expect((await runMapProcess([...words(full), '--resume'])).code).toBe(0);
    expect(hashesOf(full)).toEqual(hashesOf(whole));
  });

  it('that cannot be written to is said', async () => {
    const { code, stderr } = await runMapProcess(words('/sys/sluice-map/out'));
    expect(stderr).toMatch(
      /^sluice: cannot write to \/sys\/sluice-map\/out: (the file system is read-only|permission is denied)$/m,
    );
    expect(code).toBe(2);
  });
});

describe('an output', () => {
  // Runs over CSV tell before they read that they began, however fast they are.
  const lines = Array.from({ length: 12_288 }, (_, n) => `${n},text ${n}\n`);
  const rows = folder.write('rows.csv', `n,s\n${lines.join('')}`);

  it('is one run at a time', async () => {
    const output = folder.file('taken');
    const plan = await planMap({ script, input: rows, output, partitionRows: 4096 });
    const first = runMap(plan, { threads: 1 });
    await first.next();
    const second = async (resume: boolean): Promise<void> => {
      for await (const _ of runMap(plan, { threads: 1, resume }));
    };
    await expect(second(false)).rejects.toThrow('has the output of a run that was stopped: --resume goes on with it');
    await expect(second(true)).rejects.toThrow(`another process writes there (${process.pid} on `);
    for await (const _ of first);
    expect(readdirSync(output).sort()).toEqual([
      '_SUCCESS',
      'part-00000.parquet',
      'part-00001.parquet',
      'part-00002.parquet',
    ]);
  });

  it('of a process that has gone is free, and of two who want it one gets it', async () => {
    const output = folder.file('race');
    const plan = await planMap({ script, input: rows, output, partitionRows: 4096 });
    const left = runMap(plan, { threads: 1 });
    await left.next();
    await left.return();
    const holder = { pid: 2_147_483_647, host: hostname(), began: null };
    writeFileSync(join(output, '_lock'), `${JSON.stringify(holder)}\n`);
    const both = await Promise.all([1, 2].map(() => runMapProcess([...words(output, rows), '--resume'])));
    expect(both.map(({ code }) => code ?? -1).toSorted((a, b) => a - b)).toEqual([0, 2]);
    expect((await runMapProcess(words(folder.file('rows'), rows))).code).toBe(0);
    expect(hashesOf(output)).toEqual(hashesOf(folder.file('rows')));
  });
});
