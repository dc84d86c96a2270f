// Tasks as files: what each reads is committed, and what it writes it commits. Whoever runs them, a thread here or a
// worker elsewhere, gives the same.

import { rmSync } from 'node:fs';
import { partName, summaryId } from '../commit/store.ts';
import type { CommitOutcome, Counts, Store } from '../commit/store.ts';
import type { Database } from '../duckdb/database.ts';
import type { MergeNode } from '../plan/merge-tree.ts';
import type { Partition } from '../plan/plan.ts';
import type { RunWork } from './attempts.ts';
import { finishStates, foldRows, mergeStates, partitionPiece, stateCodec, writeStates } from './fold.ts';
import { mapPartition } from './partition.ts';
import { raggedLines } from './ragged.ts';
import { writeFailed } from './records.ts';

const stateEnding = 'states.ndjson';

/** Maps a partition, sums it up, or sums up what was mapped. `check` may refuse what was read, before the commit. */
export async function partitionInto(
  store: Store,
  run: RunWork,
  partitions: number,
  partition: Partition,
  database: Database,
  onRows: (rows: number) => void,
  check: () => void,
): Promise<Counts & { readonly outcome: CommitOutcome }> {
  const { map, fold, outputFormat } = run;
  const { at } = partition;
  const data = map === null ? null : store.attempt(at);
  const state = fold === null ? null : store.attempt(at, stateEnding);
  const errors = store.attempt(at, 'errors');
  // What is summed up is read as Parquet, whatever the output is.
  const mapped = data === null || outputFormat === 'parquet' ? data : store.attempt(at, 'mapped.parquet');
  const isExtra = mapped !== data && fold !== null;
  try {
    let counts: Counts = { read: 0, written: 0, skipped: 0, failed: 0 };
    let rows = partition;
    const ragged = await raggedLines(database, partition, run.settings);
    if (map !== null) {
      const targets = [
        { path: data!, format: outputFormat },
        ...(isExtra ? [{ path: mapped!, format: 'parquet' as const }] : []),
      ];
      const { failures, ...found } = await mapPartition(run, map, partition, ragged, database, targets, onRows);
      if (failures.length > 0) await writeFailed(database, partition, failures, errors);
      counts = { ...found, failed: failures.length };
      rows = { at, file: mapped!, source: partName(at, partitions), from: 0, to: found.written };
    }
    if (fold !== null) {
      const tell = map === null ? onRows : () => onRows(0);
      const { states, failures, read, skipped } = await foldRows(
        run,
        fold,
        { ...partitionPiece(database, fold, rows), ragged: map === null ? ragged : [] },
        counts.failed,
        tell,
      );
      try {
        writeStates(states, stateCodec(run, fold), state!);
      } finally {
        states.close();
      }
      if (failures.length > 0) await writeFailed(database, rows, failures, errors);
      counts = {
        ...counts,
        read: map === null ? read : counts.read,
        skipped: counts.skipped + skipped,
        failed: counts.failed + failures.length,
      };
    }
    check();
    const files = { data, state, errors: counts.failed === 0 ? null : errors };
    return { ...counts, outcome: await store.commit({ partition: at, ...counts }, files) };
  } catch (error) {
    // A full disk gets its room back.
    for (const left of [data, state, errors]) if (left !== null) rmSync(left, { force: true });
    throw error;
  } finally {
    if (isExtra) rmSync(mapped!, { force: true });
  }
}

/** Merges committed states. */
export async function mergeInto(
  store: Store,
  run: RunWork,
  { id, inputs }: MergeNode,
  onSome: () => void,
): Promise<CommitOutcome> {
  const path = store.attempt(id, stateEnding);
  try {
    const files = await Promise.all(inputs.map((input) => store.states(input)));
    const groups = await mergeStates(run, run.fold!, id, files, path, onSome);
    return await store.commitNode(id, groups, path);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

/** Finishes the committed states of `root`, which are those of all records. */
export async function finishInto(
  store: Store,
  run: RunWork,
  root: string,
  database: Database,
  onSome: () => void,
): Promise<{ readonly groups: number; readonly outcome: CommitOutcome }> {
  const path = store.attempt(summaryId);
  try {
    const target = { path, format: run.outputFormat };
    const groups = await finishStates(run, run.fold!, await store.states(root), database, target, onSome);
    return { groups, outcome: await store.commitNode(summaryId, groups, path) };
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}
