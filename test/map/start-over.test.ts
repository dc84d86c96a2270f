// A folder whose run has committed nothing is no obstacle to another run; one whose run has, or is at work, is.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { FileStore } from '../../map/commit/file-store.ts';
import type { Fingerprint } from '../../map/commit/store.ts';
import { MapFolder, rowsOf } from './harness.ts';

const folder = new MapFolder();
afterAll(() => folder.remove());

const one: Fingerprint = { script: 'a', input: 'b', options: 'c' };
const other: Fingerprint = { ...one, options: 'd' };
const fresh = { isResumed: false };
const differs = 'has the output of another run: the options differ; ';
const store = (name: string): FileStore => new FileStore(folder.file(name), 'parquet');

/** A folder with a run that has ended, without a commit. */
async function failed(name: string): Promise<FileStore> {
  const run = store(name);
  await run.begin(one, fresh);
  writeFileSync(run.attempt(0), 'half');
  writeFileSync(join(run.staging, '0.values.parquet'), 'staged');
  await run.release();
  return run;
}

describe('a run of which nothing is committed', () => {
  it('gives way to another one', async () => {
    const { location } = await failed('failed');
    const next = store('failed');
    const { startedAt, ...record } = await next.begin(other, fresh);
    expect(record).toEqual(other);
    expect(await next.current()).toEqual({ ...other, startedAt });
    expect(readdirSync(location).sort()).toEqual(['_commits', '_data', '_lock', '_run.json', '_staging']);
    expect([next.data, next.staging].map((path) => readdirSync(path))).toEqual([[], []]);
    await next.release();
    // It is a run like any other.
    await expect(store('failed').begin(other, fresh)).rejects.toThrow('--resume goes on with it');
    expect(await store('failed').begin(other, { isResumed: true })).toEqual({ ...other, startedAt });
  });

  it('is not resumed as another one, and the message says what begins', async () => {
    await failed('resumed');
    await expect(store('resumed').begin(other, { isResumed: true })).rejects.toThrow(
      `${differs}nothing of it is committed: without --resume it begins again`,
    );
  });

  it('stays while its process is at work', async () => {
    const run = store('busy');
    const record = await run.begin(one, fresh);
    await expect(store('busy').begin(other, fresh)).rejects.toThrow('another process writes there');
    expect(await run.current()).toEqual(record);
    await run.release();
  });

  it('stays where another machine has it, and gives way where its process has gone', async () => {
    const { location } = await failed('held');
    const hold = (host: string): void =>
      writeFileSync(join(location, '_lock'), `${JSON.stringify({ pid: 2_147_483_647, host, began: null })}\n`);
    hold('elsewhere');
    await expect(store('held').begin(other, fresh)).rejects.toThrow('another process writes there');
    hold(hostname());
    const next = store('held');
    expect(await next.begin(other, fresh)).toMatchObject(other);
    await next.release();
  });

  it('stays where it has a queue, whose workers have no lock', async () => {
    const shared = { ...fresh, isShared: true };
    const record = await store('queue').begin(one, shared);
    expect(record).toMatchObject({ isShared: true });
    await expect(store('queue').begin(other, fresh)).rejects.toThrow(`${differs}give another folder`);
    // A run of this machine that a coordinator goes on with.
    await failed('handed');
    await store('handed').begin(one, { isResumed: true, isShared: true });
    expect(existsSync(folder.file('handed/_job'))).toBe(true);
    await expect(store('handed').begin(other, fresh)).rejects.toThrow(`${differs}give another folder`);
    // Nor does a queue take a folder from anybody.
    await failed('local');
    await expect(store('local').begin(other, shared)).rejects.toThrow(`${differs}give another folder`);
  });
});

describe('a run with a commit', () => {
  it.each(['0.json', 'merge-0-1.json'])('stays: %s', async (name) => {
    const run = await failed(`committed-${name}`);
    mkdirSync(join(run.location, '_commits'), { recursive: true });
    writeFileSync(join(run.location, '_commits', name), '{}');
    const before = readFileSync(join(run.location, '_run.json'), 'utf8');
    await expect(store(`committed-${name}`).begin(other, fresh)).rejects.toThrow(`${differs}give another folder`);
    expect(readFileSync(join(run.location, '_run.json'), 'utf8')).toBe(before);
    expect(readdirSync(run.data)).toHaveLength(1);
  });
});

describe('what a failed run says', () => {
  it('can be done in its folder', async () => {
    const script = 'type O { double x; } export O map(double x) { return { x: x }; }';
    const input = folder.write('nulls.csv', 'x,y\n1,a\n,b\n');
    const output = folder.file('advice');
    await expect(folder.map(script, input, { output })).rejects.toThrow('--null x=skip');
    const { end } = await folder.map(script, input, { output, nulls: { x: 'skip' } });
    expect(end).toMatchObject({ written: 1, skipped: 1 });
    expect(await rowsOf(output)).toEqual(['{"x":1.0}']);
    rmSync(output, { recursive: true });
  });
});
