// How far a run is, as sums over what is committed.

import { tooManyErrors, TooManyErrors } from '../errors.ts';
import type { MapPlan, Partition } from '../plan/plan.ts';
import type { Commit, Counts } from './store.ts';

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

/** Before partitions are known. */
export const noProgress: MapProgress = {
  phase: 'staging',
  partitions: 0,
  done: 0,
  rows: 0,
  read: 0,
  written: 0,
  failed: 0,
  skipped: 0,
};

/** Sums over what is committed. */
export class Totals {
  readonly committed = new Set<number>();
  readonly #partitions: readonly Partition[];
  readonly #rows: number;
  #earlier = 0;
  #read = 0;
  #written = 0;
  #failed = 0;
  #skipped = 0;

  constructor(partitions: readonly Partition[], commits: readonly Commit[]) {
    this.#partitions = partitions;
    this.#rows = partitions.reduce((sum, { from, to }) => sum + to - from, 0);
    for (const commit of commits) {
      this.add(partitions[commit.partition]!, commit);
      this.#earlier += commit.read;
    }
  }

  add({ at }: Partition, { read, written, failed, skipped }: Counts): void {
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

  progress(phase: MapProgress['phase'], rows: number): MapProgress {
    return {
      phase,
      partitions: this.#partitions.length,
      done: this.committed.size,
      rows: this.#rows,
      read: phase === 'done' ? this.#read : this.#earlier + rows,
      written: this.#written,
      failed: this.#failed,
      skipped: this.#skipped,
    };
  }

  summary(): object {
    return { read: this.#read, written: this.#written, failed: this.#failed, skipped: this.#skipped };
  }
}
