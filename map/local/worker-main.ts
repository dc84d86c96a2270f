// Runs in each thread: tasks one after the other. Each commits what it has done.

import { workerData } from 'node:worker_threads';
import { FileStore, folderFault } from '../commit/file-store.ts';
import type { CommitOutcome, Counts, Store } from '../commit/store.ts';
import { DatabaseError, faultOf } from '../duckdb/database.ts';
import type { Database } from '../duckdb/database.ts';
import { MapError, ScriptThrew, TooManyErrors } from '../errors.ts';
import type { Fold, InputFile, Work } from '../plan/plan.ts';
import { decodeValues } from '../plan/value-text.ts';
import { checkUnchanged } from '../read/inputs.ts';
import { placeOfFault } from '../read/partitions.ts';
import type { RunStage, RunWork } from './attempts.ts';
import { KeptDatabase } from './kept-database.ts';
import { signal } from './signal.ts';
import type { Task } from './tasks.ts';
import { finishInto, mergeInto, partitionInto } from './task-files.ts';

/** A stage as it goes to a thread. */
export interface ThreadStage<Kind> extends Omit<RunStage<Kind>, 'values'> {
  /** As `encodeValues` has them: between threads, values would lose their classes. */
  readonly values: string;
}

/** What a thread has to know of a run. */
export interface ThreadRun extends Omit<RunWork, 'map' | 'fold'> {
  readonly map: ThreadStage<Work> | null;
  readonly fold: ThreadStage<Fold> | null;
  /** How many there are. */
  readonly partitions: number;
  /** The folder of the output. */
  readonly output: string;
  /** As they were when the plan was made. */
  readonly files: readonly InputFile[];
  /** A folder for what does not fit into memory; null for the store's own. */
  readonly temporary: string | null;
}

export interface ThreadTask {
  readonly run: ThreadRun;
  readonly task: Task;
  /** Of `Signals`. */
  readonly shared: BigInt64Array;
}

/** What a thread is told when it begins. */
export interface ThreadData {
  /** A variable of the environment that is for the engine alone. */
  readonly hiddenVariable: string;
}

/** How a task ended; faults are told, since errors lose their classes between threads. */
export type TaskReport =
  | (Counts & { readonly kind: 'done'; readonly groups: number; readonly outcome: CommitOutcome })
  | { readonly kind: 'stopped' }
  | { readonly kind: 'fault'; readonly message: string; readonly of: FaultKind };

export type FaultKind = 'tooMany' | 'script' | 'other';

class Stopped extends Error {}

const { hiddenVariable } = (workerData ?? {}) as Partial<ThreadData>;
if (hiddenVariable !== undefined) delete process.env[hiddenVariable];

const kept = new KeptDatabase();

/** The task of the pool. */
export async function work({ run, task, shared }: ThreadTask): Promise<TaskReport> {
  const store = new FileStore(run.output, run.outputFormat);
  try {
    const database = await kept.take({
      threads: 1,
      memoryBytes: run.settings.readerBytes,
      folder: run.temporary ?? store.staging,
      reach: { files: task.kind === 'partition' ? [task.partition.file] : [], folders: [store.data] },
    });
    try {
      return await runTask(store, run, task, database, (rows) => {
        Atomics.add(shared, signal.rows, BigInt(rows));
        Atomics.add(shared, signal.signs, 1n);
        if (Atomics.load(shared, signal.stop) !== 0n) throw new Stopped();
      });
    } catch (error) {
      const told = await inPlace(run, task, database, error);
      kept.drop();
      throw told;
    }
  } catch (error) {
    if (error instanceof Stopped) return { kind: 'stopped' };
    const fault = folderFault(run.output, error);
    if (!(fault instanceof MapError)) throw error;
    return { kind: 'fault', message: fault.message, of: kindOfFault(fault) };
  }
}

function kindOfFault(fault: MapError): FaultKind {
  if (fault instanceof TooManyErrors) return 'tooMany';
  return fault instanceof ScriptThrew ? 'script' : 'other';
}

async function runTask(
  store: Store,
  run: ThreadRun,
  task: Task,
  database: Database,
  onRows: (rows: number) => void,
): Promise<TaskReport> {
  const own: RunWork = { ...run, map: stageOf(run.map), fold: stageOf(run.fold) };
  switch (task.kind) {
    case 'partition': {
      const file = run.files.find((input) => input.path === task.partition.file);
      try {
        const check = (): void => {
          // What was staged stays as it is.
          if (file !== undefined) checkUnchanged(file);
        };
        return {
          kind: 'done',
          groups: 0,
          ...(await partitionInto(store, own, run.partitions, task.partition, database, onRows, check)),
        };
      } catch (error) {
        if (file !== undefined && error instanceof DatabaseError) checkUnchanged(file);
        throw error;
      }
    }
    case 'merge':
      return { kind: 'done', ...nothing, groups: 0, outcome: await mergeInto(store, own, task.node, () => onRows(0)) };
    case 'finish':
      return { kind: 'done', ...nothing, ...(await finishInto(store, own, task.root, database, () => onRows(0))) };
  }
}

const nothing: Counts = { read: 0, written: 0, skipped: 0, failed: 0 };

function stageOf<Kind>(stage: ThreadStage<Kind> | null): RunStage<Kind> | null {
  return stage === null ? null : { ...stage, values: decodeValues(stage.values) };
}

/** Names the file and the row group of what DuckDB cannot read. */
async function inPlace(run: ThreadRun, task: Task, database: Database, error: unknown): Promise<unknown> {
  if (!(error instanceof DatabaseError)) return error;
  if (task.kind !== 'partition') return faultOf(run.output, error, run.output);
  const { partition } = task;
  const where = await placeOfFault(database, partition).catch(() => '');
  return faultOf(where === '' ? partition.source : `${partition.source}, ${where}`, error, run.output);
}
