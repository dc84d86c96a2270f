// `sluice map` between two pipes, as other programs call it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as Arrow from 'apache-arrow';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder, sluice } from './sluice.ts';

const folder = new Folder();
afterAll(() => folder.remove());
folder.write(
  'clean.slu',
  `type Out { int id; double total; }
export Out map(int id, double price) {
  if (price < 0) throw "negative price";
  return { id: id, total: price * 2 };
}
`,
);

const table = (...prices: number[]): Arrow.Table =>
  new Arrow.Table({
    id: Arrow.vectorFromArray(
      prices.map((_, at) => at),
      new Arrow.Int32(),
    ),
    price: Arrow.vectorFromArray(prices, new Arrow.Float64()),
  });
const entry = fileURLToPath(new URL('../../packages/sluice/bin/sluice.mjs', import.meta.url));
const asFilter = ['map', 'clean.slu', '--input', '-', '-o', '-', '--format', 'arrow'];
const filter = (input: Uint8Array, ...words: string[]): ReturnType<typeof sluice> =>
  sluice([...asFilter, ...words], { folder: folder.path, input });

/** A process whose pipes stay open. */
function start(): { readonly child: ReturnType<typeof spawn>; readonly ended: Promise<unknown[]> } {
  const child = spawn(process.execPath, [entry, ...asFilter], {
    cwd: folder.path,
    env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', XDG_CACHE_HOME: '/dev/null' },
  });
  return { child, ended: once(child, 'close') };
}

describe('sluice map as a filter', () => {
  it('writes each batch before the next arrives, and nothing else', async () => {
    const { child, ended } = start();
    let written: Buffer = Buffer.alloc(0);
    child.stdout!.on('data', (data: Buffer) => (written = Buffer.concat([written, data])));
    const whole = Arrow.tableToIPC(table(1, 2), 'stream');
    child.stdin!.write(whole.subarray(0, -8));
    const head = 8 + new DataView(whole.buffer, whole.byteOffset).getInt32(4, true);
    for (let rows = 2; rows <= 6; rows += 2) {
      // What was written until now has its batches without the end of the stream.
      await expect
        .poll(() => (written.length === 0 ? 0 : Arrow.tableFromIPC(written).numRows), { timeout: 30_000, interval: 20 })
        .toBe(rows);
      if (rows < 6) child.stdin!.write(whole.subarray(head, -8));
    }
    child.stdin!.end(whole.subarray(-8));
    expect(await ended).toEqual([0, null]);
    expect(
      Arrow.tableFromIPC(written)
        .toArray()
        .map((row: { total: number }) => row.total),
    ).toEqual([2, 4, 2, 4, 2, 4]);
  });

  it('ends when nobody reads on', async () => {
    const { child, ended } = start();
    const whole = Arrow.tableToIPC(table(...Array.from({ length: 20_000 }, () => 1)), 'stream');
    const head = 8 + new DataView(whole.buffer, whole.byteOffset).getInt32(4, true);
    child.stdin!.on('error', () => {});
    let stderr = '';
    child.stderr!.on('data', (data: Buffer) => (stderr += data.toString()));
    child.stdin!.write(whole.subarray(0, -8));
    await once(child.stdout!, 'data');
    child.stdout!.destroy();
    const more = setInterval(() => child.stdin!.write(whole.subarray(head, -8)), 20);
    expect([await ended, stderr]).toEqual([[0, null], '']);
    clearInterval(more);
  });

  it('tells of records that failed on standard error, or appends them to a file', () => {
    const input = Arrow.tableToIPC(table(1, -2, 3), 'stream');
    expect(filter(input)).toMatchObject({
      code: 3,
      stderr:
        'sluice: standard input, record 2: Error: negative price (more than --max-errors=0 records failed)\n' +
        '    at map (clean.slu:3:18)\n',
    });
    const line =
      '{"file":"standard input","row":2,"type":"Error","message":"negative price",' +
      '"stack":["map (clean.slu:3:18)"],"record":{"id":1,"price":-2.0}}\n';
    expect(filter(input, '--max-errors', '1')).toMatchObject({ code: 0, stderr: line });
    for (let times = 1; times <= 2; times++) {
      expect(filter(input, '--max-errors', '1', '--errors', 'failed.ndjson')).toMatchObject({ code: 0, stderr: '' });
      expect(readFileSync(join(folder.path, 'failed.ndjson'), 'utf8')).toBe(line.repeat(times));
    }
    expect(filter(input, '--max-errors', '1', '--errors', 'no/folder')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^sluice: cannot write to no\/folder: /) as string,
    });
  });

  it('says what it would do, and what is wrong', () => {
    const input = Arrow.tableToIPC(table(1), 'stream');
    expect(filter(input, '--plan').stdout).toBe(`script       clean.slu: map takes a record and gives one or none
input        a stream of Arrow, batch by batch
  id INTEGER   → int id       null is a dead letter
  price DOUBLE → double price null is a dead letter
output       a stream of Arrow
  id    → BIGINT
  total → DOUBLE
permissions  none
limits       60 s and 1.1 GB for a batch of records; 0 records may fail
`);
    const broken = filter(input.subarray(0, -20));
    expect([broken.code, broken.stderr]).toEqual([2, 'sluice: standard input, batch 1: the stream ends within it\n']);
    const wrong = (...words: string[]): string =>
      sluice(['map', 'clean.slu', ...words], { folder: folder.path, input }).stderr.split('\n')[0]!;
    const both = 'sluice: sluice map reads standard input and writes standard output, or reads and writes files';
    expect(wrong('--input', '-', '-o', 'out')).toBe(both);
    expect(wrong('--input', 'a.csv', '-o', '-')).toBe(both);
    expect(wrong('--input', 'a.csv', '-o', 'out', '--format', 'arrow')).toBe(both);
    expect(wrong('--input', '-', '-o', '-')).toBe('sluice: standard input and standard output are streams of Arrow');
    expect(wrong('--input', '-', '-o', '-', '--format', 'arrow', '--resume')).toBe(
      'sluice: --resume is for files: a stream is mapped batch by batch, from its beginning',
    );
    expect(wrong('--input', 'a.csv', '-o', 'out', '--errors', 'e')).toBe(
      'sluice: --errors is for streams: of files, records that failed are in out/_errors',
    );
  });
});
