// Runs by workers elsewhere: the same bytes as here, whatever happens to workers, coordinators and the queue.

import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Int64, vectorFromArray } from 'apache-arrow';
import { planMap, runMap, writeKeys } from 'sluice-map';
import type { MapOptions, MapWorkerOptions, TasksFailed } from 'sluice-map';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { streamOf } from './arrow-streams.ts';
import { hashesOf, query } from './harness.ts';
import { expectWhole, QueueFolder } from './queue-harness.ts';
import { numbersIn } from './queue-numbers.ts';
import { freePort, startRedis } from './queue-servers.ts';

const folder = new QueueFolder();
const redis = await startRedis();
afterEach(async () => folder.end());
afterAll(async () => {
  await redis.stop();
  folder.remove();
});

const { count, input: numbers, planOf, sumsOf, expectAsLocal } = await numbersIn(folder, 40_000, 4096, 10_000, 3_000);

describe('a run with a queue', () => {
  it('gives the same bytes as one here, by two workers of which one is killed', async () => {
    const plan = planOf('killed');
    const victim = await folder.worker(redis.url);
    await folder.worker(redis.url);
    const end = await folder.queued(plan, redis.url, {}, () => {
      if (victim.told.some(({ kind }) => kind === 'done')) victim.kill('SIGKILL');
    });
    expect(end).toMatchObject({ phase: 'done', partitions: 10, done: 10, read: count, written: count - 4, failed: 4 });
    expect(await victim.exit).toBe(null);
    await expectAsLocal(plan);
  });

  it('adds jobs again that are lost, and does no harm with two coordinators', async () => {
    const plan = planOf('lost');
    await folder.worker(redis.url);
    const others: Promise<unknown>[] = [];
    const end = await folder.queued(plan, redis.url, {}, async ({ done }) => {
      if (done < 2 || others.length > 0) return;
      await redis.flush();
      others.push(folder.queued(plan, redis.url, { resume: true }));
    });
    expect(end).toMatchObject({ done: 10, read: count, failed: 4 });
    expect(await Promise.all(others)).toMatchObject([{ phase: 'done', done: 10, read: count, failed: 4 }]);
    await expectAsLocal(plan);
  });

  it('that is stopped goes on with --resume, with or without a queue', async () => {
    const plan = planOf('stopped');
    await folder.worker(redis.url);
    const stopping = new AbortController();
    const stopped = folder.queued(plan, redis.url, { signal: stopping.signal }, ({ done }) => {
      if (done >= 2) stopping.abort(new Error('enough'));
    });
    await expect(stopped).rejects.toThrow('enough');
    await expect(folder.queued(plan, redis.url)).rejects.toThrow('--resume goes on with it');
    expect(await folder.queued(plan, redis.url, { resume: true })).toMatchObject({ done: 10, read: count });
    await expectAsLocal(plan);
  });

  it('reads files of Arrow as one here does', async () => {
    const n = vectorFromArray(
      Array.from({ length: 20_000 }, (_, at) => BigInt(at)),
      new Int64(),
    );
    const input = folder.write('numbers.arrow', streamOf({ n: n.slice(0, 12_000) }, { n: n.slice(12_000) }));
    const plan = { ...planOf('arrow', 1), input };
    const local = folder.file('arrow-local');
    for await (const _ of runMap(await planMap({ ...plan, output: local }))) continue;
    await folder.worker(redis.url);
    expect(await folder.queued(plan, redis.url)).toMatchObject({ read: 20_000, written: 19_998, failed: 2 });
    expect(hashesOf(plan.output)).toEqual(hashesOf(local));
    await expectWhole(plan.output, 20_000);
  });

  it('writes ints as the types that the job says', async () => {
    const plan = { ...sumsOf('typed'), types: { band: 'DATE', count: 'TIMESTAMP' } as const };
    const local = folder.file('typed-local');
    for await (const _ of runMap(await planMap({ ...plan, output: local }))) continue;
    await folder.worker(redis.url);
    await folder.queued(plan, redis.url);
    expect(hashesOf(plan.output)).toEqual(hashesOf(local));
    expect(await query(`SELECT DISTINCT typeof(band) FROM '${plan.output}/part-*.parquet'`)).toEqual([['DATE']]);
    const summary = await query(`SELECT typeof(band), typeof(count) FROM '${plan.output}/summary.parquet' LIMIT 1`);
    expect(summary).toEqual([['DATE', 'TIMESTAMP']]);
  });

  it('gives back what a worker cannot end in time', async () => {
    const plan = planOf('ended', 10_000);
    const first = await folder.worker(redis.url, { times: { graceMs: 0 } });
    const coordinator = folder.coordinator(plan, redis.url);
    await coordinator.heard('progress', ({ progress }) => (progress as { done: number }).done > 0);
    first.kill('SIGTERM');
    await first.heard('closed');
    expect(await first.exit).toBe(0);
    expect(first.told.map(({ kind }) => kind)).toContain('givenBack');
    await folder.worker(redis.url);
    expect(await coordinator.exit).toBe(0);
    await expectAsLocal(plan);
  });

  it('lists what fails for good, and does the rest', async () => {
    const broken = readFileSync(numbers);
    broken.fill(0, Math.floor(broken.length / 2), Math.floor(broken.length / 2) + 400);
    const plan = { ...planOf('poison', 1), input: folder.write('broken.parquet', broken) };
    await folder.worker(redis.url);
    const fault = await folder.queued(plan, redis.url).catch((error: unknown) => error as TasksFailed);
    expect(fault).toMatchObject({ name: 'TasksFailed', tasks: [{ id: '4' }] });
    expect((fault as TasksFailed).message).toMatch(/^1 task failed for good: .*broken\.parquet, records \d+ to/);
    expect(readdirSync(`${plan.output}/_commits`).length).toBe(9);
  });

  it('ends when more records fail than may', async () => {
    const plan = { ...planOf('strict', 1), maxErrors: 3 };
    await folder.worker(redis.url);
    await expect(folder.queued(plan, redis.url)).rejects.toMatchObject({ name: 'TooManyErrors' });
    expect(await folder.queued({ ...plan, maxErrors: 4 }, redis.url, { resume: true })).toMatchObject({ failed: 4 });
    await expectAsLocal(plan);
  });

  it('can be watched, and not changed, by pages and metrics', async () => {
    const plan = planOf('watched');
    const host = '127.0.0.1';
    const worker = await folder.worker(redis.url, { metrics: { host, port: 0 }, telemetry: true });
    const dashboard = { host, port: await freePort() };
    const at = (path: string): string => `http://${host}:${dashboard.port}${path}`;
    const seen: string[] = [];
    await folder.queued(plan, redis.url, { dashboard, telemetry: true }, async ({ done }) => {
      if (done === 0 || seen.length > 0) return;
      seen.push(await (await fetch(at('/'))).text(), await (await fetch(at('/metrics'))).text());
      seen.push(await (await fetch(at('/api/queues'))).text());
      const changed = await fetch(at('/api/queues/sluice-map/empty'), { method: 'PUT' });
      expect(changed.status).toBe(405);
    });
    expect(seen[0]).toContain('<title>Bull Dashboard</title>');
    expect(seen[1]).toContain('bullmq_job_count{queue="sluice-map", state="waiting"}');
    expect(seen[2]).toContain('"readOnlyMode":true');
    const { port } = await worker.heard('ready');
    const metrics = await (await fetch(`http://${host}:${String(port)}/metrics`)).text();
    expect(metrics.split('\n')).toEqual(
      expect.arrayContaining([
        'sluice_map_tasks_total{kind="partition",outcome="committed"} 10',
        `sluice_map_records_total{kind="read"} ${count}`,
        'sluice_map_nondeterministic_total 0',
      ]),
    );
    await expectAsLocal(plan);
  });

  it('refuses jobs that a worker does not trust, or whose files it may not use', async () => {
    const refused = async (plan: MapOptions, worker: Partial<MapWorkerOptions>, key?: string): Promise<string> => {
      const process = await folder.worker(redis.url, worker);
      const fault = folder.queued(plan, redis.url, key === undefined ? {} : { key }).then(
        () => 'done',
        (error: unknown) => (error as TasksFailed).tasks[0]!.reason.replaceAll(`${folder.path}/`, ''),
      );
      const reason = await fault;
      await folder.end();
      expect(process.told.some(({ kind }) => kind === 'done')).toBe(false);
      return reason;
    };
    const other = writeKeys(folder.file('other')).privateKey;
    expect(await refused(planOf('forged', 1), {}, other)).toBe('it is not signed by a key that this worker trusts');
    const inner = folder.file('inner');
    mkdirSync(inner);
    symlinkSync(numbers, join(inner, 'link.parquet'));
    expect(
      await refused({ ...planOf('outside', 1), input: join(inner, 'link.parquet') }, { allowInput: [inner] }),
    ).toBe('its input inner/link.parquet is not in a folder of --allow-input');
    expect(await refused(planOf('elsewhere', 1), { allowOutput: [inner] })).toBe(
      'its output elsewhere is not in a folder of --allow-output',
    );
  });
});

describe('a summary with a queue', () => {
  const tasksOf = (told: readonly { readonly kind: string; readonly [name: string]: unknown }[]): unknown[] =>
    told.flatMap(({ kind, task }) => (kind === 'done' ? [task] : []));

  it('gives the same bytes as one here, by two workers of which one is killed', async () => {
    const plan = sumsOf('sums', 100_000);
    const workers = [await folder.worker(redis.url), await folder.worker(redis.url)];
    const [victim, other] = workers;
    const phases = new Set<string>();
    const end = await folder.queued(plan, redis.url, {}, ({ phase }) => {
      phases.add(phase);
      if (tasksOf(victim!.told).length > 0) victim!.kill('SIGKILL');
    });
    expect([...phases]).toEqual(['mapping', 'merging', 'done']);
    expect(end).toMatchObject({ partitions: 10, done: 10, read: count, written: count - 4, failed: 4, groups: 7 });
    expect(await victim!.exit).toBe(null);
    expect(tasksOf(other!.told)).toEqual(expect.arrayContaining(['merge-1-0', 'summary']));
    await expectAsLocal(plan);
  });

  it('goes on with --resume, with or without a queue', async () => {
    const plan = sumsOf('sums-stopped', 1_000_000);
    const worker = await folder.worker(redis.url);
    const stopping = new AbortController();
    const stopped = folder.queued(plan, redis.url, { signal: stopping.signal }, ({ phase }) => {
      if (phase === 'merging') stopping.abort(new Error('enough'));
    });
    await expect(stopped).rejects.toThrow('enough');
    worker.kill('SIGKILL');
    await worker.exit;
    let last: unknown;
    for await (const progress of runMap(await planMap(plan), { resume: true })) last = progress;
    expect(last).toMatchObject({ phase: 'done', done: 10, groups: 7 });
    await expectAsLocal(plan);
  });

  it('names a merge that fails for good, and does what does not need it', async () => {
    const script = folder.write(
      'failing.slu',
      `type State { int least; }
       type Out { int least; }
       export State init() { return { least: 9_000_000 }; }
       export void step(State s, int n) { if (n < s.least) s.least = n; }
       export void merge(State into, State from) {
         if (into.least == 0) throw "zero";
         if (from.least < into.least) into.least = from.least;
       }
       export Out finish(State s) { return { least: s.least }; }`,
    );
    const plan = { script, input: numbers, partitionRows: 4096, output: folder.file('failing') };
    const worker = await folder.worker(redis.url);
    await expect(folder.queued(plan, redis.url)).rejects.toMatchObject({
      name: 'TasksFailed',
      message: '1 task failed for good: merge of partitions 0 to 7: merge failed: Error: zero',
      tasks: [{ id: 'merge-0-0', what: 'merge of partitions 0 to 7' }],
    });
    expect(readdirSync(join(plan.output, '_commits')).sort()).toEqual(
      [...Array.from({ length: 10 }, (_, at) => `${at}.json`), 'merge-0-1.json'].sort(),
    );
    // It would throw each time.
    expect(worker.told.filter(({ kind, task }) => kind === 'failed' && task === 'merge-0-0').length).toBe(1);
    // States that lie elsewhere are not read.
    const states = readdirSync(join(plan.output, '_data')).find((name) => /^0\..*states/.test(name))!;
    renameSync(join(plan.output, '_data', states), folder.file('moved'));
    symlinkSync(folder.file('moved'), join(plan.output, '_data', states));
    await expect(folder.queued(plan, redis.url, { resume: true })).rejects.toMatchObject({
      tasks: [{ id: 'merge-0-0', reason: `the states of 0 are not in ${plan.output}/_data` }],
    });
  });
});
