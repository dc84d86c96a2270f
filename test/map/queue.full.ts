// Everything that can go wrong between machines, on Redis and on PostgreSQL: whatever happens, each record is in the
// output or in the dead letters once, and the bytes are those of a run that nothing disturbed.

import { linkSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPostgresBackend, Queue } from 'bullmq';
import { writeKeys } from 'sluice-map';
import type { MapOptions, TasksFailed } from 'sluice-map';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { failuresOf } from './harness.ts';
import { expectWhole, QueueFolder } from './queue-harness.ts';
import type { QueueProcess } from './queue-harness.ts';
import { numbersIn } from './queue-numbers.ts';
import { startPostgres, startRedis } from './queue-servers.ts';
import type { QueueServer } from './queue-servers.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 });

const folder = new QueueFolder();
afterEach(async () => folder.end());
afterAll(() => folder.remove());

const {
  count,
  partitions: parts,
  planOf,
  sumsOf,
  expectAsLocal,
} = await numbersIn(folder, 2_000_000, 20_480, 100_000, 300);

const servers: readonly (readonly [string, () => Promise<QueueServer>])[] = [
  ['Redis', startRedis],
  ['PostgreSQL', startPostgres],
];

describe.each(servers)('on %s', (name, start) => {
  const of = (output: string, rounds?: number): MapOptions & { readonly output: string } =>
    planOf(`${name}-${output}`, rounds);
  let server: QueueServer;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(async () => server.stop());

  it('goes on when workers are killed twenty times', async () => {
    const queue = server.url;
    const plan = of('kills', 1_000);
    let isOver = false;
    let kills = 0;
    const run = folder.queued(plan, queue).finally(() => {
      isOver = true;
    });
    const slot = async (): Promise<void> => {
      while (!isOver && kills < 20) {
        const worker = await folder.worker(queue);
        await sleep(Math.random() * 1_500);
        kills += 1;
        worker.kill('SIGKILL');
        await worker.exit;
      }
      if (!isOver) await folder.worker(queue);
    };
    await Promise.all([slot(), slot(), run]);
    expect(kills).toBeGreaterThanOrEqual(20);
    await expectAsLocal(plan);
  });

  it('goes on behind whatever a worker that was killed leaves of a commit', async () => {
    const queue = server.url;
    const plan = of('steps');
    const stopping = new AbortController();
    const first = await folder.worker(queue);
    await expect(
      folder.queued(plan, queue, { signal: stopping.signal }, ({ done }) => {
        if (done >= 3) stopping.abort(new Error('enough'));
      }),
    ).rejects.toThrow('enough');
    first.kill('SIGKILL');
    await first.exit;
    const at = (...names: string[]): string => join(plan.output, ...names);
    const left = Array.from({ length: parts }, (_, part) => part).filter(
      (part) => !readdirSync(at('_commits')).includes(`${part}.json`),
    );
    // Data that was begun, data and dead letters without a record, a record that was not linked, one that was.
    writeFileSync(at('_data', `${left[0]!}.11111111.parquet`), 'PAR1');
    writeFileSync(at('_data', `${left[1]!}.22222222.parquet.errors`), '{}\n');
    writeFileSync(at('_commits', `${left[2]!}.json.33333333.tmp`), '{');
    const committed = readdirSync(at('_commits')).find((file) => file.endsWith('.json'));
    linkSync(at('_commits', committed!), at('_commits', `${committed!}.44444444.tmp`));
    await folder.worker(queue);
    await folder.queued(plan, queue, { resume: true });
    await expectAsLocal(plan);
  });

  it('goes on when the queue is killed and comes again', async () => {
    const queue = server.url;
    const plan = of('crash', 1_000);
    await folder.worker(queue);
    const worker = await folder.worker(queue);
    let isCrashed = false;
    const end = await folder.queued(plan, queue, {}, async ({ done }) => {
      if (done < 5 || isCrashed) return;
      isCrashed = true;
      await server.kill();
      await sleep(1_000);
      await server.start();
    });
    expect(isCrashed).toBe(true);
    expect(end).toMatchObject({ done: parts, read: count, failed: 20 });
    expect(worker.told.map(({ kind }) => kind)).toContain('done');
    await expectAsLocal(plan);
  });

  it('adds again what the queue forgets', async () => {
    const queue = server.url;
    const plan = of('flush');
    await folder.worker(queue);
    let flushes = 0;
    await folder.queued(plan, queue, {}, async ({ done }) => {
      if (done < (flushes + 1) * 20 || flushes === 4) return;
      flushes += 1;
      await server.flush();
    });
    expect(flushes).toBe(4);
    await expectAsLocal(plan);
  });

  it('goes on when its coordinator is killed, and with two of them', async () => {
    const queue = server.url;
    const plan = of('coordinators');
    await folder.worker(queue);
    const first = folder.coordinator(plan, queue);
    await first.heard('progress', ({ progress }) => (progress as { done: number }).done >= 10);
    first.kill('SIGKILL');
    await first.exit;
    const [second, third] = [1, 2].map(() => folder.coordinator(plan, queue, { resume: true }));
    expect(await Promise.all([second!.exit, third!.exit])).toEqual([0, 0]);
    await expectAsLocal(plan);
  });

  it('commits once what comes twice', async () => {
    const queue = server.url;
    const plan = of('twice');
    const library = new Queue(
      'sluice-map',
      {
        connection: (name === 'Redis'
          ? { url: queue, maxRetriesPerRequest: null }
          : { connectionString: queue }) as never,
      },
      (name === 'Redis' ? undefined : createPostgresBackend) as never,
    );
    library.on('error', () => {});
    const workers = [await folder.worker(queue), await folder.worker(queue)];
    const copied = new Set<string>();
    await folder.queued(plan, queue, {}, async () => {
      const jobs = (await library.getJobs(['waiting', 'active'])).filter(
        (job) => job?.id !== undefined && !job.id.startsWith('copy-') && !copied.has(job.id),
      );
      for (const job of jobs) {
        copied.add(job.id!);
        await library.add('partition', job.data, {
          jobId: `copy-${job.id!}`,
          removeOnComplete: true,
          removeOnFail: true,
        });
      }
    });
    expect(copied.size).toBeGreaterThan(parts / 2);
    await library.close();
    const done = workers.flatMap(({ told }) => told.filter(({ kind }) => kind === 'done'));
    const outcomes = done.map((told) => (told['done'] as { outcome: string }).outcome);
    expect(outcomes.filter((outcome) => outcome === 'committed').length).toBe(parts);
    expect(outcomes).not.toContain('different');
    await expectAsLocal(plan);
  });

  it('sums up, whatever happens to workers, the queue and the coordinator while states are merged', async () => {
    const queue = server.url;
    const plan = sumsOf(`${name}-sums`, 300_000);
    let isOver = false;
    let kills = 0;
    const slot = async (): Promise<void> => {
      while (!isOver) {
        const worker = await folder.worker(queue);
        const isMerge = (told: { readonly [name: string]: unknown }): boolean =>
          String(told['task']).startsWith('merge-');
        while (!isOver && !worker.told.some((told) => isMerge(told))) await sleep(20);
        if (isOver || kills >= 6) break;
        await sleep(Math.random() * 200);
        kills += 1;
        worker.kill('SIGKILL');
        await worker.exit;
      }
    };
    const slots = Promise.all([slot(), slot()]);
    const first = folder.coordinator(plan, queue);
    await first.heard('progress', ({ progress }) => (progress as { phase: string }).phase === 'merging');
    first.kill('SIGKILL');
    await first.exit;
    await server.flush();
    await folder.queued(plan, queue, { resume: true });
    isOver = true;
    await slots;
    expect(kills).toBeGreaterThan(0);
    await expectAsLocal(plan);
  });

  it('does without a worker that stands still for longer than its lock', async () => {
    const queue = server.url;
    const plan = of('standing', 1_000);
    const standing = await folder.worker(queue);
    let isStopped = false;
    let other: QueueProcess | null = null;
    await folder.queued(plan, queue, {}, async ({ done }) => {
      if (done < 3 || isStopped) return;
      isStopped = true;
      standing.kill('SIGSTOP');
      other = await folder.worker(queue);
      setTimeout(() => standing.kill('SIGCONT'), 5_000);
    });
    standing.kill('SIGCONT');
    expect(isStopped).toBe(true);
    expect(other).not.toBe(null);
    await expectAsLocal(plan);
    // What it was at, it commits nowhere.
    await sleep(2_000);
    await expectAsLocal(plan);
  });

  it('has dead letters for an endless loop, too much memory, and a throw', async () => {
    const queue = server.url;
    const bad = folder.write(
      'bad.slu',
      `type Out { int n; }
       int[] big = [];
       export Out map(int n) {
         while (n == 1_000_003) big.clear();
         if (n == 1_200_005) big = new int[1_000_000_000];
         if (n == 1_400_007) throw "seven";
         return { n: n };
       }`,
    );
    const plan = {
      ...of('bad'),
      script: bad,
      arguments: {},
      maxErrors: 3,
      limits: { timeMs: 2_000, memoryBytes: 2 ** 28 },
    };
    await folder.worker(queue);
    await folder.worker(queue);
    expect(await folder.queued(plan, queue)).toMatchObject({ read: count, written: count - 3, failed: 3 });
    expect(failuresOf(plan.output).map(({ row, type }) => [row, type])).toEqual([
      [1_000_004, 'TimeoutError'],
      [1_200_006, 'MemoryLimitError'],
      [1_400_008, 'Error'],
    ]);
    await expectWhole(plan.output, count);
  });

  it('leaves what a worker does not give to the one that does, killed or not', async () => {
    const queue = server.url;
    const plan = of('given', 1);
    const reading = folder.write(
      'reading.slu',
      readFileSync(plan.script, 'utf8').replace(
        'n + work(rounds) * 0',
        `n + (n % 10_000 == 0 && !File.exists("${plan.script}") ? work(rounds) : 0)`,
      ),
    );
    const asking = { ...plan, script: reading, permissions: { 'allow-file-read': folder.path } };
    const without = await folder.worker(queue);
    const permissions = asking.permissions;
    const victim = await folder.worker(queue, { permissions });
    await folder.worker(queue, { permissions });
    const end = await folder.queued(asking, queue, {}, () => {
      if (victim.told.some(({ kind }) => kind === 'done')) victim.kill('SIGKILL');
    });
    expect(end).toMatchObject({ done: parts, read: count });
    expect(without.told.some(({ kind }) => kind === 'done')).toBe(false);
    await expectWhole(plan.output, count);
  });

  it('refuses a module that was changed, and what nobody it trusts has signed', async () => {
    const queue = server.url;
    const reasonOf = async (run: Promise<unknown>): Promise<string> =>
      run.then(
        () => 'done',
        (error: unknown) => (error as TasksFailed).tasks[0]!.reason.replaceAll(`${folder.path}/`, ''),
      );
    const plan = { ...of('changed', 1), partitionRows: count };
    let isChanged = false;
    let changed = '';
    const reason = await reasonOf(
      folder.queued(plan, queue, {}, async ({ phase }) => {
        if (phase !== 'mapping' || isChanged) return;
        isChanged = true;
        const kept = readdirSync(join(plan.output, '_job'));
        changed = kept.find((file) => statSync(join(plan.output, '_job', file)).size > 0)!;
        for (const file of kept) {
          const path = join(plan.output, '_job', file);
          if (statSync(path).size > statSync(join(plan.output, '_job', changed)).size) changed = file;
        }
        writeFileSync(join(resolve(plan.output), '_job', changed), 'something else');
        await folder.worker(queue);
      }),
    );
    expect(reason).toMatch(/^its (module|spec) is missing in .*changed, or has been changed$/);
    const { privateKey } = writeKeys(folder.file(`${name}-other`));
    expect(
      await reasonOf(folder.queued({ ...of('forged', 1), partitionRows: count }, queue, { key: privateKey })),
    ).toBe('it is not signed by a key that this worker trusts');
  });
});
