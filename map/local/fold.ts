// Summing up: records of a partition become states, states of several are merged, and what is left is finished.

import type { Script } from '../../runtime-host/api/node.ts';
import type { Database } from '../duckdb/database.ts';
import type { Fold, OutputColumn, Partition } from '../plan/plan.ts';
import type { Failure } from '../write/failures.ts';
import { codecOf, readStates, StateWriter } from '../write/states.ts';
import type { StateCodec } from '../write/states.ts';
import { PartitionWriter } from '../write/writer.ts';
import type { FileTarget } from '../write/writer.ts';
import { Failures, scriptOf, untilThrough } from './attempts.ts';
import type { RunStage, RunWork } from './attempts.ts';
import { BatchCall } from './batch-call.ts';
import { GroupStates, onlyGroup } from './groups.ts';
import { partitionTexts } from './misfits.ts';
import type { TextReader } from './misfits.ts';
import { recordsOf } from './records.ts';
import type { GroupedBatch } from './records.ts';
import { StackFinder } from './stacks.ts';

export interface FoldedRows {
  readonly read: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
  /** Whoever has them closes them. */
  readonly states: GroupStates;
}

/** What summing up needs of a run. */
export type FoldRun = Pick<RunWork, 'scriptModule' | 'settings' | 'allowed' | 'startedAt' | 'records'>;

/** Records that are summed up together: a partition, or a piece of a stream. */
export interface FoldedPiece extends Pick<Partition, 'source' | 'at'> {
  /** For people, if not a partition. */
  readonly what?: string;
  /** The records from the first on, as often as they are asked for. */
  readonly records: () => AsyncIterable<GroupedBatch>;
  /** Reads values that fit no parameter. */
  readonly texts: TextReader;
  /** Lines that are no records. */
  readonly ragged?: readonly Failure[];
}

/** The rows of a partition, by the columns that a stage reads. */
export function partitionPiece(database: Database, { work }: RunStage<Fold>, partition: Partition): FoldedPiece {
  return {
    ...partition,
    records: () => recordsOf(database, work, partition, work.by),
    texts: partitionTexts(database, partition),
  };
}

/** Sums records up. `earlier`: how many failed before, elsewhere. */
export async function foldRows(
  run: FoldRun,
  stage: RunStage<Fold>,
  piece: FoldedPiece,
  earlier: number,
  onRows: (rows: number) => void,
): Promise<FoldedRows> {
  const script = await scriptOf(run, stage, piece.at);
  const stacks = new StackFinder(run, stage, piece.at, piece.texts);
  const result = await stacks.during(async () =>
    untilThrough(
      piece,
      onRows,
      async (left, tell) => attempt(run, stage, piece, script, left, earlier, tell),
      piece.ragged,
    ),
  );
  return { ...result, failures: await stacks.find(result.failures) };
}

/**
 * Null where a record hit a limit, and where one threw in `step`: what that had done to its state by then cannot be
 * undone, so that the piece begins again without it.
 */
async function attempt(
  run: FoldRun,
  stage: RunStage<Fold>,
  { source, records }: FoldedPiece,
  script: Script,
  left: Map<number, Failure>,
  earlier: number,
  onRows: (rows: number) => void,
): Promise<FoldedRows | null> {
  const { work } = stage;
  const failures = new Failures(source, run, left, earlier);
  const instance = script.instance();
  let [read, skipped, isSpoilt, isThrough] = [0, 0, false, false];
  try {
    const looped = { inputs: work.inputs, outputs: [] };
    const driver = new BatchCall(instance, looped, source);
    await driver.begin(stage.values);
    const states = new GroupStates(instance, stage);
    if (work.by.length === 0) states.reserve([onlyGroup]);
    for await (const { batch, groups, newGroups } of records()) {
      states.reserve(newGroups);
      const given = await driver.call(batch, left.keys(), [groups]);
      if (given.kind === 'limit') {
        failures.add([given.failure]);
        left.set(given.failure.row, given.failure);
        return null;
      }
      failures.add(given.failures);
      isSpoilt ||= given.isSpoilt;
      skipped += given.skipped;
      read += batch.rows;
      onRows(batch.rows);
    }
    if (isSpoilt) {
      failures.leaveOut();
      return null;
    }
    isThrough = true;
    return { read, skipped, failures: failures.sorted, states };
  } finally {
    if (!isThrough) instance.close();
  }
}

export function stateCodec({ structs }: RunWork, { work }: RunStage<Fold>): StateCodec {
  return codecOf({ struct: work.state }, structs);
}

/** Writes the states, and says of how many groups. */
export function writeStates(states: GroupStates, codec: StateCodec, path: string): number {
  const writer = new StateWriter(path, codec);
  let groups = 0;
  try {
    for (const some of states.give()) {
      writer.append(some);
      groups += some.length;
    }
  } finally {
    writer.close();
  }
  return groups;
}

/** Merges the states of files in their order, and says of how many groups those are. */
export async function mergeStates(
  run: RunWork,
  stage: RunStage<Fold>,
  id: string,
  inputs: readonly string[],
  path: string,
  onSome: () => void,
): Promise<number> {
  const states = await statesOf(run, stage, id, inputs, onSome);
  try {
    return writeStates(states, stateCodec(run, stage), path);
  } finally {
    states.close();
  }
}

/** Finishes the states of a file, and says how many rows that gave. */
export async function finishStates(
  run: RunWork,
  stage: RunStage<Fold>,
  input: string,
  database: Database,
  target: FileTarget,
  onSome: () => void,
): Promise<number> {
  const states = await statesOf(run, stage, 'finish', [input], onSome);
  const writer = await PartitionWriter.open(database, summaryColumns(stage.work));
  let written = 0;
  try {
    for await (const { rows, columns, rejoin } of states.finish()) {
      writer.append(rows, columns, rejoin);
      written += rows;
      onSome();
    }
    await writer.write([target]);
  } finally {
    writer.discard();
    states.close();
  }
  return written;
}

async function statesOf(
  run: RunWork,
  stage: RunStage<Fold>,
  id: string,
  inputs: readonly string[],
  onSome: () => void,
): Promise<GroupStates> {
  const codec = stateCodec(run, stage);
  const states = await GroupStates.begin(await scriptOf(run, stage, id), stage);
  try {
    for (const input of inputs)
      for await (const groups of readStates(input, codec)) {
        await states.take(groups);
        onSome();
      }
  } catch (error) {
    states.close();
    throw error;
  }
  return states;
}

/** The columns of groups, and behind them what `finish` gives. */
export function summaryColumns({ by, outputs }: Fold): readonly OutputColumn[] {
  return [
    ...by.map(({ column, written }): OutputColumn => ({
      name: column,
      carrier: 'string',
      type: 'string',
      valid: null,
      written,
    })),
    ...outputs,
  ];
}
