// A run on this machine: a pool of threads takes partitions in order, each commits by itself, and the end gives the
// files their names.

import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { compileOptions } from '../../runtime-host/engine/compile-options.ts';
import { Store } from '../commit/store.ts';
import type { Fingerprint } from '../commit/store.ts';
import { MapError, TooManyErrors } from '../errors.ts';
import type { MapPlan, Partition } from '../plan/plan.ts';
import { stagedPartitions, stageFiles } from '../read/stage.ts';
import { tooManyErrors } from './partition.ts';
import { Crew } from './crew.ts';
import type { Done, ThreadData } from './crew.ts';

/** How a plan is run. */
export interface RunOptions {
  /** One for each core if left out. */
  readonly threads?: number;
  /** Stops the run, which can be resumed. */
  readonly signal?: AbortSignal;
  /** Goes on with a run that was stopped. */
  readonly resume?: boolean;
}

/** How far a run is. */
export interface MapProgress {
  /** What is being done: files are taken apart, or records mapped. */
  readonly phase: 'staging' | 'mapping' | 'done';
  readonly partitions: number;
  /** Partitions that are committed. */
  readonly done: number;
  /** Records in all of them. */
  readonly rows: number;
  /** Records that were read; those of stopped attempts do not count. */
  readonly read: number;
  readonly written: number;
  readonly failed: number;
  /** Records that a rule for nulls left out. */
  readonly skipped: number;
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
  const store = new Store(plan.output, plan.outputFormat);
  const { startedAt } = store.begin(fingerprintOf(plan), resume);
  let partitions = plan.partitions;
  if (partitions === null) {
    yield { phase: 'staging', partitions: 0, done: 0, rows: 0, read: 0, written: 0, failed: 0, skipped: 0 };
    partitions = stagedPartitions(await stageFiles(plan, store.staging, signal), plan.settings);
  }
  const totals = new Totals(partitions, store);
  totals.check(plan);
  const left = partitions.filter(({ at }) => !totals.committed.has(at));
  if (left.length > 0) {
    const data: Omit<ThreadData, 'shared'> = {
      module: new WebAssembly.Module(plan.module, compileOptions),
      work: plan.work,
      values: plan.values,
      settings: plan.settings,
      outputFormat: plan.outputFormat,
      startedAt,
      folder: plan.output,
      extension: plan.outputFormat,
    };
    const crew = new Crew(data, Math.min(threads, left.length), left, (partition, report) => {
      totals.add(partition, report);
      totals.check(plan);
    });
    const stop = (): void => crew.stop(signal!.reason);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      while (!(await crew.isDone(progressMs))) yield totals.progress('mapping', crew.rows);
    } finally {
      signal?.removeEventListener('abort', stop);
      await crew.end();
    }
  }
  store.finish(totals.summary());
  yield totals.progress('done', 0n);
}

/** Sums over what is committed. */
class Totals {
  readonly committed = new Set<number>();
  readonly #partitions: readonly Partition[];
  readonly #rows: number;
  #earlier = 0;
  #read = 0;
  #written = 0;
  #failed = 0;
  #skipped = 0;

  constructor(partitions: readonly Partition[], store: Store) {
    this.#partitions = partitions;
    this.#rows = partitions.reduce((sum, { from, to }) => sum + to - from, 0);
    for (const commit of store.commits()) {
      this.add(partitions[commit.partition]!, commit);
      this.#earlier += commit.read;
    }
  }

  add({ at }: Partition, { read, written, failed, skipped }: Done): void {
    this.committed.add(at);
    this.#read += read;
    this.#written += written;
    this.#failed += failed;
    this.#skipped += skipped;
  }

  /** Throws TooManyErrors where more records failed, in all partitions, than may. */
  check({ settings, output }: MapPlan): void {
    const { maxErrors } = settings;
    if (this.#failed > maxErrors)
      throw new TooManyErrors(tooManyErrors(maxErrors, `${this.#failed} records failed, which ${output}/_data lists`));
  }

  progress(phase: MapProgress['phase'], rows: bigint): MapProgress {
    return {
      phase,
      partitions: this.#partitions.length,
      done: this.committed.size,
      rows: this.#rows,
      read: phase === 'done' ? this.#read : this.#earlier + Number(rows),
      written: this.#written,
      failed: this.#failed,
      skipped: this.#skipped,
    };
  }

  summary(): object {
    return { read: this.#read, written: this.#written, failed: this.#failed, skipped: this.#skipped };
  }
}

/** Threads, limits and how many errors may be do not change what is written. */
function fingerprintOf({ module, values, files, work, outputFormat, settings }: MapPlan): Fingerprint {
  const hash = (value: unknown): string =>
    createHash('sha256')
      .update(JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part)))
      .digest('hex');
  const { seed, partitionRows, partitionBytes } = settings;
  return {
    script: createHash('sha256').update(module).digest('hex'),
    input: hash(files.map(({ path, bytes, modifiedMs }) => [path, bytes, modifiedMs])),
    options: hash([values, work, outputFormat, seed, partitionRows, partitionBytes]),
  };
}
