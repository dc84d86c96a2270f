// A worker: takes jobs from the queue, and does their tasks in its threads. What it has done is what it has committed;
// a job whose task is committed already is done without work.

import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { MapError, ScriptThrew, TooManyErrors } from '../errors.ts';
import { Signals, Threads } from '../local/threads.ts';
import type { Done } from '../local/threads.ts';
import { exceedingOf, flagsOf } from '../local/surroundings.ts';
import type { Permissions } from '../plan/permissions.ts';
import { usualSettings } from '../plan/plan.ts';
import type { MapSettings } from '../plan/plan.ts';
import { JobReceiver, usualTimes } from './engine.ts';
import type { JobEnd, QueueTimes, Taken } from './engine.ts';
import type { Address } from './http.ts';
import { readPublicKey } from './keys.ts';
import { serveMetrics } from './metrics.ts';
import type { WorkerMetrics } from './metrics.ts';
import { isJob } from './spec.ts';
import type { Job } from './spec.ts';
import { isUnderWay, NotGranted, realFolders, Refused, trustedRun, trustedTask } from './trust.ts';
import type { Bounds, TrustedRun } from './trust.ts';
import type { WorkerEvent } from './worker-events.ts';

/** Times of a worker, in milliseconds, beside those of the queue. */
export interface WorkerTimes extends QueueTimes {
  /** How often it tells how far a job is, and looks whether another worker has committed it. */
  readonly beatMs: number;
  /** How long a thread may be silent, beside what a batch may take. */
  readonly silenceMs: number;
  /** How long jobs may go on once the worker is to end. */
  readonly graceMs: number;
}

export const usualWorkerTimes: WorkerTimes = {
  ...usualTimes,
  beatMs: 2_000,
  silenceMs: 600_000,
  graceMs: 20_000,
};

/** What a worker takes, and lets jobs do. */
export interface MapWorkerOptions {
  /** `redis://…`, `rediss://…` or `postgres://…`. */
  readonly queue: string;
  /** Files of public keys: jobs that none of them signed are refused. */
  readonly trust: readonly string[];
  /** Folders that input may lie in. */
  readonly allowInput: readonly string[];
  /** Folders that output may lie in. */
  readonly allowOutput: readonly string[];
  /** One for each core if left out. */
  readonly threads?: number;
  /** The most that a job may ask for; as `planMap` has them if left out. */
  readonly limits?: Partial<MapSettings['limits']>;
  readonly readerBytes?: number;
  /**
   * What scripts of jobs may reach: flags of `sluice run` but `allow-all`. A job that asks for more is left to other
   * workers. Nothing if left out.
   */
  readonly permissions?: Permissions;
  readonly times?: Partial<WorkerTimes>;
  /** Spans of OpenTelemetry for jobs. */
  readonly telemetry?: boolean;
  /** Where it answers `GET /metrics`, for Prometheus. */
  readonly metrics?: Address;
  /** Hears of what happens. */
  readonly onEvent?: (event: WorkerEvent) => void;
}

const mostRuns = 4;
/** Runs whose refusal is remembered. */
const mostRefused = 1_000;

/** Takes partitions and merges from a queue, and commits what becomes of them. */
export class MapWorker {
  readonly #bounds: Bounds;
  readonly #times: WorkerTimes;
  readonly #threads: Threads;
  readonly #temporary = mkdtempSync(join(tmpdir(), 'sluice-map-'));
  readonly #name = `${hostname()}-${process.pid}`;
  readonly #hear: (event: WorkerEvent) => void;
  #metrics: WorkerMetrics | null = null;
  /** Runs by what is signed of them, the one that was used last at the end. */
  readonly #runs = new Map<string, TrustedRun>();
  /** Specs that asked for more than it gives. */
  readonly #refused = new Set<string>();
  readonly #atWork = new Map<Signals, Promise<unknown>>();
  #receiver: JobReceiver | null = null;
  #isEnding = false;
  readonly #broken = Promise.withResolvers<never>();

  private constructor(options: MapWorkerOptions, threads: number) {
    this.#bounds = {
      trusted: options.trust.map(readPublicKey),
      inputs: realFolders('--allow-input', options.allowInput),
      outputs: realFolders('--allow-output', options.allowOutput),
      limits: { ...usualSettings.limits, ...options.limits },
      readerBytes: options.readerBytes ?? usualSettings.readerBytes,
      allowed: { flags: flagsOf(options.permissions ?? {}), folder: process.cwd() },
    };
    this.#times = { ...usualWorkerTimes, ...options.times };
    this.#hear = options.onEvent ?? (() => {});
    this.#threads = new Threads(threads);
    this.#broken.promise.catch(() => {});
  }

  /** Begins to take jobs. Throws MapError where keys, folders or the queue's address are wrong. */
  static async start(options: MapWorkerOptions): Promise<MapWorker> {
    const { threads = availableParallelism() } = options;
    if (!Number.isSafeInteger(threads) || threads < 1) throw new MapError('threads is a whole number from 1 on');
    if (options.trust.length === 0) throw new MapError('a worker trusts at least one key: --trust FILE');
    await checkFlags(options.permissions ?? {});
    const worker = new MapWorker(options, threads);
    try {
      if (options.metrics !== undefined) worker.#metrics = await serveMetrics(options.metrics, () => worker.active);
      worker.#receiver = await JobReceiver.open(options.queue, {
        name: worker.#name,
        slots: threads,
        times: worker.#times,
        isTraced: options.telemetry ?? false,
        work: async (taken) => worker.#take(taken),
        isFinal: (error) =>
          error instanceof Refused ||
          error instanceof TooManyErrors ||
          // What reaches nothing else throws each time.
          (error instanceof ScriptThrew && worker.#bounds.allowed.flags.length === 0),
        onError: ({ message }) => worker.#onEvent({ kind: 'queue', message }),
      });
    } catch (error) {
      await worker.#end();
      throw error;
    }
    return worker;
  }

  /** Jobs that it is at. */
  get active(): number {
    return this.#atWork.size;
  }

  /** Rejects with MapError where a thread says nothing any more: only a new process helps. */
  get broken(): Promise<never> {
    return this.#broken.promise;
  }

  /** Takes no further jobs, and waits for those that it is at; what is not done within the grace is given back. */
  async close(): Promise<void> {
    this.#isEnding = true;
    await this.#receiver!.pause();
    const timer = setTimeout(() => {
      for (const signals of this.#atWork.keys()) signals.stop();
    }, this.#times.graceMs);
    await Promise.all(this.#atWork.values());
    clearTimeout(timer);
    await this.#receiver!.close();
    await this.#end();
  }

  /** The port that metrics are at; null where they are nowhere. */
  get metricsPort(): number | null {
    return this.#metrics?.port ?? null;
  }

  #onEvent(event: WorkerEvent): void {
    this.#metrics?.count(event);
    this.#hear(event);
  }

  async #end(): Promise<void> {
    this.#metrics?.close();
    await this.#threads.end();
    rmSync(this.#temporary, { recursive: true, force: true });
  }

  async #take(taken: Taken): Promise<JobEnd> {
    let task: string | null = null;
    try {
      if (!isJob(taken.data)) throw new Refused('it is no job of sluice map');
      task = taken.data.task;
      return await this.#work(taken.data, taken);
    } catch (error) {
      if (error instanceof NotGranted) return this.#refuse(taken, error.message);
      const kind = error instanceof Refused ? 'refused' : 'failed';
      this.#onEvent({ kind, task, message: (error as Error).message });
      throw error;
    }
  }

  /** Another worker may do it. It comes again and again, and is told once. */
  async #refuse(taken: Taken, message: string): Promise<JobEnd> {
    const { task, spec } = taken.data as Job;
    if (!this.#refused.has(spec)) this.#onEvent({ kind: 'refused', task, message });
    if (this.#refused.size >= mostRefused) this.#refused.clear();
    this.#refused.add(spec);
    await taken.beat({ worker: this.#name, rows: 0, refusal: `${this.#name}: ${message}` });
    return 'refused';
  }

  async #work(job: Job, taken: Taken): Promise<JobEnd> {
    const { task } = job;
    const giveWay = (): JobEnd => {
      this.#onEvent({ kind: 'givenWay', task });
      return 'done';
    };
    const run = await this.#runOf(job);
    if (run === null || (await isSettled(run, task))) return giveWay();
    const begun = performance.now();
    let done: Done | null;
    try {
      done = await this.#commit(run, task, taken);
    } catch (error) {
      // Whoever was faster has taken the folders away.
      if (await isSettled(run, task)) return giveWay();
      throw error;
    }
    if (done !== null) {
      this.#onEvent({ kind: 'done', run: run.spec.run, task, done, ms: performance.now() - begun });
      return 'done';
    }
    if (!this.#isEnding || (await isSettled(run, task))) return giveWay();
    this.#onEvent({ kind: 'givenBack', task });
    return 'givenBack';
  }

  /** Does and commits a task in a thread; null where it was stopped. */
  async #commit(run: TrustedRun, id: string, taken: Taken): Promise<Done | null> {
    const { task, threadRun } = await trustedTask(run, id, this.#bounds);
    const signals = new Signals();
    const watch = this.#watch(run, id, signals, taken);
    const work = Promise.race([this.#threads.work(threadRun, task, signals), watch.silence]);
    this.#atWork.set(
      signals,
      work.catch(() => {}),
    );
    try {
      return await work;
    } finally {
      watch.end();
      this.#atWork.delete(signals);
    }
  }

  /** Tells how far a job is, stops it where another worker has committed it, and hears when its thread is silent. */
  #watch(
    run: TrustedRun,
    id: string,
    signals: Signals,
    taken: Taken,
  ): { readonly silence: Promise<never>; readonly end: () => void } {
    const { beatMs, silenceMs } = this.#times;
    const { promise: silence, reject } = Promise.withResolvers<never>();
    let heard = performance.now();
    let { signs } = signals;
    const timer = setInterval(() => {
      const { rows } = signals;
      if (signals.signs !== signs) [signs, heard] = [signals.signs, performance.now()];
      if (performance.now() - heard > silenceMs + run.spec.settings.limits.timeMs) {
        const fault = new MapError(`${id}: its thread has been silent for too long`);
        reject(fault);
        this.#broken.reject(fault);
      }
      void taken.beat({ worker: this.#name, rows, refusal: null }).catch(() => {});
      void isSettled(run, id).then(
        (settled) => {
          if (settled) signals.stop();
        },
        () => {},
      );
    }, beatMs);
    return { silence, end: () => clearInterval(timer) };
  }

  async #runOf(job: Job): Promise<TrustedRun | null> {
    const key = JSON.stringify([job.output, job.spec, job.signature]);
    const known = this.#runs.get(key) ?? (await trustedRun(job, this.#bounds, this.#temporary));
    this.#runs.delete(key);
    if (known === null) return null;
    this.#runs.set(key, known);
    for (const oldest of this.#runs.keys()) {
      if (this.#runs.size <= mostRuns) break;
      this.#runs.delete(oldest);
    }
    return known;
  }
}

/** Throws MapError for flags that mean nothing. */
async function checkFlags(permissions: Permissions): Promise<void> {
  const flags = flagsOf(permissions);
  if (Object.hasOwn(permissions, 'allow-all'))
    throw new MapError('a worker says what scripts may reach: --allow-all is not for it');
  await exceedingOf({ flags, folder: process.cwd(), bound: null });
}

/** Whether there is nothing to be done for a task any more. */
async function isSettled(run: TrustedRun, id: string): Promise<boolean> {
  return (await run.store.isCommitted(id)) || !(await isUnderWay(run));
}
