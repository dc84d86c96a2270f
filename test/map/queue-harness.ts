// Runs with a queue: workers in processes of their own, with short times, and what must hold of every output.

import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { planMap, runQueuedMap, writeKeys } from 'sluice-map';
import type {
  CoordinatorTimes,
  MapOptions,
  MapProgress,
  MapWorkerOptions,
  QueueRunOptions,
  WorkerTimes,
} from 'sluice-map';
import { expect } from 'vitest';
import { literal } from '../../map/duckdb/database.ts';
import { failuresOf, MapFolder, query } from './harness.ts';
import type { ProcessTask } from './queue-process.ts';

export const workerTimes: Partial<WorkerTimes> = {
  lockMs: 1_500,
  stalledMs: 500,
  maxStalled: 30,
  backoffMs: 50,
  beatMs: 200,
  graceMs: 5_000,
};
export const coordinatorTimes: Partial<CoordinatorTimes> = {
  pollMs: 50,
  reconcileMs: 500,
  backoffMs: 50,
};

/** What a process has told. */
type Told = { readonly kind: string; readonly [name: string]: unknown };

export class QueueProcess {
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly told: Told[] = [];
  #errors = '';
  readonly exit: Promise<number | null>;

  constructor(task: ProcessTask, temporary: string) {
    const file = fileURLToPath(new URL('./queue-process.ts', import.meta.url));
    this.#child = spawn(process.execPath, ['--no-warnings', file, JSON.stringify(task)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // What a process that is killed leaves behind goes with the folder.
      env: { ...process.env, TMPDIR: temporary },
    });
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.told.push(JSON.parse(line) as Told));
    this.#child.stderr.on('data', (data: Buffer) => (this.#errors += String(data)));
    this.exit = new Promise((resolve) => this.#child.once('exit', (code) => resolve(code)));
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Waits until it has told such a thing. */
  async heard(kind: string, isMeant: (told: Told) => boolean = () => true): Promise<Told> {
    for (;;) {
      const found = this.told.find((told) => told.kind === kind && isMeant(told));
      if (found !== undefined) return found;
      if (this.#child.exitCode !== null) throw new Error(`it has ended before it told ${kind}: ${this.#errors}`);
      await sleep(20);
    }
  }

  get errors(): string {
    return this.#errors;
  }
}

export class QueueFolder extends MapFolder {
  readonly key = writeKeys(this.file('job'));
  readonly #processes: QueueProcess[] = [];

  workerOptions(queue: string, options: Partial<MapWorkerOptions> = {}): MapWorkerOptions {
    const { times, ...rest } = options;
    return {
      queue,
      trust: [this.key.publicKey],
      allowInput: [this.path],
      allowOutput: [this.path],
      threads: 1,
      times: { ...workerTimes, ...times },
      ...rest,
    };
  }

  /** Starts a worker, and waits until it takes jobs. */
  async worker(queue: string, options: Partial<MapWorkerOptions> = {}): Promise<QueueProcess> {
    const worker = new QueueProcess({ kind: 'worker', options: this.workerOptions(queue, options) }, this.path);
    this.#processes.push(worker);
    await worker.heard('ready');
    return worker;
  }

  coordinator(plan: MapOptions, queue: string, options: Partial<QueueRunOptions> = {}): QueueProcess {
    const coordinator = new QueueProcess(
      { kind: 'coordinator', plan, options: this.runOptions(queue, options) },
      this.path,
    );
    this.#processes.push(coordinator);
    return coordinator;
  }

  runOptions(queue: string, { times, ...rest }: Partial<QueueRunOptions> = {}): QueueRunOptions {
    return { queue, key: this.key.privateKey, times: { ...coordinatorTimes, ...times }, ...rest };
  }

  /** A run by this process's coordinator; `each` sees how far it is. */
  async queued(
    plan: MapOptions,
    queue: string,
    options: Partial<QueueRunOptions> = {},
    each: (progress: MapProgress) => void | Promise<void> = () => {},
  ): Promise<MapProgress> {
    let last: MapProgress | null = null;
    for await (const progress of runQueuedMap(await planMap(plan), this.runOptions(queue, options))) {
      last = progress;
      await each(progress);
    }
    return last!;
  }

  /** Ends what was started. */
  async end(): Promise<void> {
    for (const process of this.#processes) process.kill('SIGKILL');
    await Promise.all(this.#processes.map(({ exit }) => exit));
    this.#processes.length = 0;
  }
}

/** Each number from 0 stands once in the output or in the dead letters, and nothing temporary is left. */
export async function expectWhole(output: string, count: number): Promise<void> {
  const failed = existsSync(`${output}/_errors`)
    ? failuresOf(output).map(({ record }) => (record as { n: number }).n)
    : [];
  const written = `SELECT n FROM read_parquet(${literal(`${output}/part-*.parquet`)})`;
  const all = [written, ...failed.map((n) => `SELECT ${n}`)].join(' UNION ALL ');
  const sums = ['count(*)', 'count(DISTINCT n)', 'min(n)', 'max(n)'].map((sum) => `CAST(${sum} AS VARCHAR)`);
  const numbers = await query(`SELECT ${sums.join(', ')} FROM (${all})`);
  expect(numbers).toEqual([[String(count), String(count), '0', String(count - 1)]]);
  expect(readdirSync(output).filter((name) => !/^((part-\d+|summary)\.\w+|_errors|_SUCCESS)$/.test(name))).toEqual([]);
}
