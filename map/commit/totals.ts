// How far a run is, as sums over what is committed.

import { tooManyErrors, TooManyErrors } from '../errors.ts';
import { mostErrors } from '../plan/max-errors.ts';
import type { MapPlan, Partition } from '../plan/plan.ts';
import { summaryId } from './store.ts';
import type { Commit, Counts, NodeCommit } from './store.ts';

/** How far a run is. */
export interface MapProgress {
  /** What is being done: files are taken apart, records mapped, or states of partitions merged. */
  readonly phase: 'staging' | 'mapping' | 'merging' | 'done';
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
  /** Rows of the summary, once there is one. */
  readonly groups: number;
  /** Jobs have lain in the queue for some seconds, and no worker is at any. */
  readonly isWaiting?: boolean;
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
  groups: 0,
};

/** Sums over what is committed. */
export class Totals {
  readonly #committed = new Set<string>();
  readonly #partitions: readonly Partition[];
  readonly #rows: number;
  #done = 0;
  #earlier = 0;
  #read = 0;
  #written = 0;
  #failed = 0;
  #skipped = 0;
  #groups = 0;

  constructor(partitions: readonly Partition[], commits: readonly Commit[], nodes: readonly NodeCommit[] = []) {
    this.#partitions = partitions;
    this.#rows = partitions.reduce((sum, { from, to }) => sum + to - from, 0);
    for (const commit of commits) {
      this.add(partitions[commit.partition]!, commit);
      this.#earlier += commit.read;
    }
    for (const { id, groups } of nodes) this.addNode(id, groups);
  }

  /** Ids of the tasks that are committed: partitions, merges, and the summary. */
  get committed(): ReadonlySet<string> {
    return this.#committed;
  }

  add({ at }: Partition, { read, written, failed, skipped }: Counts): void {
    this.#committed.add(String(at));
    this.#done += 1;
    this.#read += read;
    this.#written += written;
    this.#failed += failed;
    this.#skipped += skipped;
  }

  addNode(id: string, groups: number): void {
    this.#committed.add(id);
    if (id === summaryId) this.#groups = groups;
  }

  /** Throws TooManyErrors where more records failed, in all partitions, than may. */
  check({ settings, output }: MapPlan): void {
    const { maxErrors } = settings;
    if (this.#failed > mostErrors(maxErrors, this.#rows))
      throw new TooManyErrors(tooManyErrors(maxErrors, `${this.#failed} records failed, which ${output}/_data lists`));
  }

  get phase(): 'mapping' | 'merging' {
    return this.#done < this.#partitions.length ? 'mapping' : 'merging';
  }

  progress(phase: MapProgress['phase'], rows: number): MapProgress {
    return {
      phase,
      partitions: this.#partitions.length,
      done: this.#done,
      rows: this.#rows,
      read: phase === 'done' ? this.#read : this.#earlier + rows,
      written: this.#written,
      failed: this.#failed,
      skipped: this.#skipped,
      groups: this.#groups,
    };
  }

  summary(): object {
    const counts = { read: this.#read, written: this.#written, failed: this.#failed, skipped: this.#skipped };
    return this.#committed.has(summaryId) ? { ...counts, groups: this.#groups } : counts;
  }
}
