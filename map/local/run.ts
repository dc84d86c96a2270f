// A run on this machine: a pool of threads takes partitions in order, each commits by itself, and the end gives the
// files their names.

import { availableParallelism } from 'node:os';
import { FileStore } from '../commit/file-store.ts';
import { fingerprintOf } from '../commit/fingerprint.ts';
import type { Store } from '../commit/store.ts';
import { noProgress, Totals } from '../commit/totals.ts';
import type { MapProgress } from '../commit/totals.ts';
import { MapError } from '../errors.ts';
import type { MapPlan } from '../plan/plan.ts';
import { stagePlan } from '../read/stage.ts';
import { Crew } from './crew.ts';
import { tasksOf } from './tasks.ts';
import { threadRunOf } from './threads.ts';

/** How a plan is run. */
export interface RunOptions {
  /** One for each core if left out. */
  readonly threads?: number;
  /** Stops the run, which can be resumed. */
  readonly signal?: AbortSignal;
  /** Goes on with a run that was stopped. */
  readonly resume?: boolean;
}

const progressMs = 250;

/**
 * Runs the plan, and tells from time to time how far it is; the last value has the phase `done`. Throws MapError where
 * it cannot go on, TooManyErrors beyond `maxErrors`, and the reason of the signal. A consumer that leaves stops it.
 */
export async function* runMap(plan: MapPlan, options: RunOptions = {}): AsyncGenerator<MapProgress, void, undefined> {
  const { signal, resume = false, threads = availableParallelism() } = options;
  if (!Number.isSafeInteger(threads) || threads < 1) throw new MapError('threads is a whole number from 1 on');
  signal?.throwIfAborted();
  const store = new FileStore(plan.output, plan.outputFormat);
  const { startedAt } = await store.begin(fingerprintOf(plan), { isResumed: resume });
  try {
    yield* runPartitions(plan, store, startedAt, threads, signal);
  } finally {
    await store.release();
  }
}

async function* runPartitions(
  planned: MapPlan,
  store: Store,
  startedAt: number,
  threads: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<MapProgress, void, undefined> {
  if (planned.partitions === null) yield noProgress;
  const { plan, partitions } = await stagePlan(planned, store.staging, signal);
  const totals = new Totals(partitions, await store.commits(), await store.nodes());
  totals.check(plan);
  const left = tasksOf(partitions, plan.fold !== null).filter(({ id }) => !totals.committed.has(id));
  if (left.length > 0) {
    const run = threadRunOf(plan, startedAt, partitions);
    const crew = new Crew(run, Math.min(threads, left.length), left, totals.committed, ({ id, task }, report) => {
      if (task.kind === 'partition') totals.add(task.partition, report);
      else totals.addNode(id, report.groups);
      totals.check(plan);
    });
    const stop = (): void => crew.stop(signal!.reason);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      // From here on records are counted, and the time that they take.
      yield totals.progress(totals.phase, 0);
      while (!(await crew.isDone(progressMs))) yield totals.progress(totals.phase, crew.rows);
    } finally {
      signal?.removeEventListener('abort', stop);
      await crew.end();
    }
  }
  await store.finish(totals.summary(), partitions.length);
  yield totals.progress('done', 0);
}
