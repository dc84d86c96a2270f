// A run by workers elsewhere: the queue only says what may be done next, and what is committed is what is done. Jobs
// that are lost with a queue are added again, and jobs that come twice do no harm.

import { setTimeout as sleep } from 'node:timers/promises';
import { resolve } from 'node:path';
import { FileStore } from '../commit/file-store.ts';
import { fingerprintOf } from '../commit/fingerprint.ts';
import type { Store } from '../commit/store.ts';
import { noProgress, Totals } from '../commit/totals.ts';
import type { MapProgress } from '../commit/totals.ts';
import { MapError, TasksFailed, TooManyErrors } from '../errors.ts';
import type { MapPlan, Partition } from '../plan/plan.ts';
import { describeTask, tasksLeft, tasksOf } from '../local/tasks.ts';
import type { PlannedTask } from '../local/tasks.ts';
import { stagePlan } from '../read/stage.ts';
import { serveDashboard } from './dashboard.ts';
import { isDoneWithin, JobQueue, usualTimes } from './engine.ts';
import type { ListedJob, QueueTimes } from './engine.ts';
import type { Address, Served } from './http.ts';
import { readPrivateKey, signatureOf } from './keys.ts';
import { specOf } from './spec.ts';
import type { Job } from './spec.ts';

/** How a plan is run by workers elsewhere. */
export interface QueueRunOptions {
  /** `redis://…`, `rediss://…` or `postgres://…`. */
  readonly queue: string;
  /** The file of the private key that signs jobs. */
  readonly key: string;
  /** Stops the run, which can be resumed. */
  readonly signal?: AbortSignal;
  /** Goes on with a run that was stopped. */
  readonly resume?: boolean;
  readonly times?: Partial<CoordinatorTimes>;
  /** Spans of OpenTelemetry for jobs. */
  readonly telemetry?: boolean;
  /** Where a page shows the jobs, and `/metrics` their counts for Prometheus. */
  readonly dashboard?: Address;
}

/** Times of a coordinator, in milliseconds, beside those of the queue. */
export interface CoordinatorTimes extends QueueTimes {
  /** How often it looks for commits, and adds jobs. */
  readonly pollMs: number;
  /** How often it compares what is committed with what is in the queue. */
  readonly reconcileMs: number;
  /** How long nobody may be at work, while workers leave its jobs to others, until it ends. */
  readonly refusedMs: number;
  /** How long no worker may be at a job until it is told that one is waited for. */
  readonly waitingMs: number;
}

export const usualCoordinatorTimes: CoordinatorTimes = {
  ...usualTimes,
  pollMs: 250,
  reconcileMs: 30_000,
  refusedMs: 60_000,
  waitingMs: 5_000,
};

/** Jobs that wait for each slot of the workers. */
const waitingPerSlot = 4;
/** As long as no worker has been seen. */
const fewestSlots = 4;
const mostListed = 10_000;

/**
 * Runs the plan with what workers there are, and tells from time to time how far it is, as `runMap` does. Throws
 * TasksFailed where some failed for good, when all that does not need them is done; otherwise what `runMap` throws.
 */
export async function* runQueuedMap(
  plan: MapPlan,
  options: QueueRunOptions,
): AsyncGenerator<MapProgress, void, undefined> {
  const { signal, resume = false } = options;
  const times = { ...usualCoordinatorTimes, ...options.times };
  signal?.throwIfAborted();
  if (plan.allowed.plugins.length > 0)
    throw new MapError(`${plan.script} needs plugins, which workers of a queue give to no script`);
  if (plan.asks.length > 0 && plan.allowed.flags.some(([name]) => name === 'allow-all'))
    throw new MapError('--allow-all is not for workers of a queue: say what the script may reach');
  const key = readPrivateKey(options.key);
  const queue = await JobQueue.open(options.queue, times, options.telemetry);
  let dashboard: Served | null = null;
  try {
    if (options.dashboard !== undefined) dashboard = await serveDashboard(options.dashboard, queue);
    const store = new FileStore(plan.output, plan.outputFormat);
    const record = await store.begin(fingerprintOf(plan), { isResumed: resume, isShared: true });
    if (plan.partitions === null) yield noProgress;
    const staged = await stagePlan(plan, store.staging, signal);
    const { partitions } = staged;
    const spec = await specOf(staged.plan, partitions, record, store);
    const signed = { output: resolve(plan.output), spec: await store.keep(Buffer.from(JSON.stringify(spec))) };
    const job = { ...signed, signature: signatureOf(key, signed) };
    const run = new QueuedRun(plan, partitions, store, queue, { run: spec.run, job });
    yield* run.work(times, signal);
  } finally {
    dashboard?.close();
    await queue.close();
  }
}

class QueuedRun {
  readonly #plan: MapPlan;
  readonly #partitions: readonly Partition[];
  readonly #store: Store;
  readonly #queue: JobQueue;
  readonly #run: string;
  readonly #job: Omit<Job, 'task'>;
  readonly #tasks: readonly PlannedTask[];
  #totals: Totals;
  /** Tasks whose jobs are in the queue, as far as is known. */
  readonly #added = new Set<string>();
  /** Tasks that failed for good, and why. */
  readonly #failed = new Map<string, string>();
  #slots = fewestSlots;
  #rows = 0;
  /** When it was last seen that somebody works, and that anybody is at a job or has done one. */
  #workedAt = performance.now();
  #busyAt = performance.now();

  constructor(
    plan: MapPlan,
    partitions: readonly Partition[],
    store: Store,
    queue: JobQueue,
    { run, job }: { readonly run: string; readonly job: Omit<Job, 'task'> },
  ) {
    this.#plan = plan;
    this.#partitions = partitions;
    this.#store = store;
    this.#queue = queue;
    this.#run = run;
    this.#job = job;
    this.#tasks = tasksOf(partitions, plan.fold !== null);
    this.#totals = new Totals(partitions, []);
  }

  async *work(
    { pollMs, reconcileMs, refusedMs, waitingMs }: CoordinatorTimes,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<MapProgress, void, undefined> {
    const aborted = rejectionOf(signal);
    let reconciled = performance.now();
    try {
      this.#totals = new Totals(this.#partitions, await this.#store.commits(), await this.#store.nodes());
      this.#totals.check(this.#plan);
      await within(aborted, this.#forgetFailures());
      for (;;) {
        if (!(await this.#readCommits()) || this.#left().length === 0) break;
        const isDue = performance.now() - reconciled >= reconcileMs;
        await within(aborted, this.#lookAtQueue(isDue));
        if (isDue) reconciled = performance.now();
        const left = this.#left();
        if (left.length === 0) break;
        await within(aborted, this.#fill(left));
        await within(aborted, this.#checkRefusals(refusedMs));
        yield this.#progress(waitingMs);
        await within(aborted, sleep(pollMs));
      }
    } finally {
      // What nobody is at need not wait; that a queue is gone is no matter then.
      await isDoneWithin(1_000, this.#queue.remove(this.#run, this.#added));
    }
    const failure = this.#failure();
    if (failure !== null) throw failure;
    await this.#store.finish(this.#totals.summary(), this.#partitions.length);
    yield this.#end(await this.#store.totals());
  }

  /** False where the run is complete: another coordinator was faster. */
  async #readCommits(): Promise<boolean> {
    try {
      const known = this.#totals.committed;
      const commits = await this.#store.commits(known);
      const nodes = this.#plan.fold === null ? [] : await this.#store.nodes(known);
      for (const commit of commits) this.#totals.add(this.#partitions[commit.partition]!, commit);
      for (const { id, groups } of nodes) this.#totals.addNode(id, groups);
      if (commits.length + nodes.length > 0) this.#workedAt = this.#busyAt = performance.now();
      for (const id of [...commits.map(({ partition }) => String(partition)), ...nodes.map((node) => node.id)]) {
        this.#added.delete(id);
        this.#failed.delete(id);
      }
    } catch (error) {
      if ((await this.#store.totals()) === null) throw error;
      return false;
    }
    this.#totals.check(this.#plan);
    return true;
  }

  /** What failed when the run was stopped gets another chance. */
  async #forgetFailures(): Promise<void> {
    const failed = await this.#queue.list(this.#run, ['failed'], mostListed);
    await this.#queue.remove(
      this.#run,
      failed.map(({ task }) => task),
    );
  }

  async #lookAtQueue(isThorough: boolean): Promise<void> {
    const active = await this.#queue.list(this.#run, ['active'], mostListed);
    this.#rows = active.reduce((sum, { beat }) => sum + (beat?.rows ?? 0), 0);
    const busy = await this.#queue.activeCount();
    if (busy > 0) this.#busyAt = performance.now();
    this.#slots = Math.max(this.#slots, busy);
    const failed = await this.#queue.list(this.#run, ['failed'], mostListed);
    this.#noteFailures(failed);
    if (!isThorough) return;
    const listed = await this.#queue.list(this.#run, ['waiting', 'delayed', 'active', 'failed'], mostListed);
    const present = new Set(listed.map(({ task }) => task));
    // One that is neither there nor committed is lost; if it has only just moved, its name keeps it from coming twice.
    await this.#readCommits();
    for (const id of this.#added) if (!present.has(id)) this.#added.delete(id);
  }

  #noteFailures(failed: readonly ListedJob[]): void {
    for (const { task, reason } of failed) {
      if (this.#totals.committed.has(task) || this.#failed.has(task)) continue;
      const tooMany = /^TooManyErrors: ([^]*)/.exec(reason)?.[1];
      if (tooMany !== undefined) throw new TooManyErrors(tooMany);
      this.#failed.set(task, reason.replace(/^(?:Refused|MapError): /, ''));
      this.#added.delete(task);
    }
  }

  /** Throws MapError where jobs were left to others for a while, and nobody was busy, here or with another run. */
  async #checkRefusals(refusedMs: number): Promise<void> {
    if (this.#plan.asks.length === 0) return;
    const waiting = await this.#queue.list(this.#run, ['waiting', 'delayed'], mostListed);
    const refusals = waiting.flatMap(({ beat }) => beat?.refusal ?? []);
    if (refusals.length === 0 || (await this.#queue.isAtWork())) this.#workedAt = performance.now();
    if (performance.now() - this.#workedAt < refusedMs) return;
    throw new MapError(
      `no worker may do what is left of it; ${refusals[0]!}. What is committed stays: --resume goes on behind it`,
    );
  }

  #left(): readonly PlannedTask[] {
    return tasksLeft(this.#tasks, this.#totals.committed, this.#failed);
  }

  /** Adds what can be done by now, in order. */
  async #fill(left: readonly PlannedTask[]): Promise<void> {
    const room = this.#slots * (waitingPerSlot + 1) - this.#added.size;
    if (room <= 0) return;
    const { committed } = this.#totals;
    const next = left
      .filter(({ id, after }) => !this.#added.has(id) && after.every((input) => committed.has(input)))
      .slice(0, room)
      .map(({ id }) => id);
    if (next.length === 0) return;
    await this.#queue.add(
      this.#run,
      next.map((task) => ({ ...this.#job, task })),
    );
    for (const id of next) this.#added.add(id);
  }

  /** Null where nothing has failed. */
  #failure(): TasksFailed | null {
    const failed = this.#tasks.flatMap(({ id, task }) => {
      const reason = this.#failed.get(id);
      return reason === undefined ? [] : [{ id, what: describeTask(task), reason }];
    });
    return failed.length === 0 ? null : new TasksFailed(failed);
  }

  /** Of what is not committed, workers tell now and then how far they are. */
  #progress(waitingMs: number): MapProgress {
    const progress = this.#totals.progress('done', 0);
    return {
      ...progress,
      phase: this.#totals.phase,
      read: Math.min(progress.rows, progress.read + this.#rows),
      isWaiting: performance.now() - this.#busyAt >= waitingMs,
    };
  }

  /** What another coordinator has summed up counts as much. */
  #end(totals: object | null): MapProgress {
    const progress = this.#totals.progress('done', 0);
    return totals === null
      ? progress
      : { ...progress, ...(totals as Partial<MapProgress>), done: this.#partitions.length };
  }
}

function rejectionOf(signal: AbortSignal | undefined): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {});
  const stop = (): void => reject(signal!.reason);
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted === true) stop();
  return promise;
}

/** A queue that is gone may keep its work waiting: the signal does not wait with it. */
async function within<Value>(aborted: Promise<never>, work: Promise<Value>): Promise<Value> {
  return Promise.race([aborted, work]);
}
