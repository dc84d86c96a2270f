// Checks `merge` by a sample of the records: the states of its pieces, merged in several orders, should give what one
// state of all its records gives.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database, fileToRead, identifier } from '../duckdb/database.ts';
import { MapError } from '../errors.ts';
import { compareRows } from '../plan/merge-check.ts';
import type { MergeCheck, MergeDifference, SummaryRows } from '../plan/merge-check.ts';
import { mergeOrders } from '../plan/merge-orders.ts';
import type { Merged } from '../plan/merge-orders.ts';
import type { Fold, MapPlan, Partition } from '../plan/plan.ts';
import type { GroupKey } from '../read/groups.ts';
import { stageSample } from '../read/stage.ts';
import { stageOf } from './attempts.ts';
import type { RunStage, RunWork } from './attempts.ts';
import {
  finishStates,
  foldRows,
  mergeStates,
  partitionPiece,
  stateCodec,
  summaryColumns,
  writeStates,
} from './fold.ts';
import { describeGroup } from './groups.ts';
import { mapPartition } from './partition.ts';

const sampleRecords = 10_000;
const mostPieces = 16;

/**
 * Sums up the first records of the files in one state for each group, and in pieces that are merged. Nothing is written
 * to the output. Throws MapError for a script without `merge`, and where it cannot go on.
 */
export async function checkMerge(plan: MapPlan): Promise<MergeCheck> {
  if (plan.fold === null) throw new MapError(`${plan.script} only maps: there is no merge to check`);
  const folder = mkdtempSync(join(tmpdir(), 'sluice-map-'));
  let database: Database | null = null;
  try {
    database = await Database.open({
      threads: 1,
      memoryBytes: plan.settings.readerBytes,
      temporary: join(folder, 'duckdb'),
      reach: { files: plan.files.map(({ path }) => path), folders: [folder] },
    });
    const sample = await sampleOf(plan, database, join(folder, 'sample.parquet'));
    return await new Check(sample.plan, database, folder).run(sample.rows, sample.ragged);
  } finally {
    database?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The first records: of Arrow, of the first file that has some. */
async function sampleOf(
  plan: MapPlan,
  database: Database,
  path: string,
): Promise<{ readonly plan: MapPlan; readonly rows: Partition; readonly ragged: number }> {
  if (plan.format !== 'arrow') {
    const { plan: staged, records, ragged } = await stageSample(database, plan, path, sampleRecords);
    return { plan: staged, rows: { at: 0, file: path, source: 'the sample', from: 0, to: records }, ragged };
  }
  const first = plan.partitions!.find(({ from, to }) => to > from) ?? plan.partitions![0]!;
  return { plan, rows: { ...first, at: 0, to: Math.min(first.to, first.from + sampleRecords) }, ragged: 0 };
}

class Check {
  readonly #database: Database;
  readonly #folder: string;
  readonly #run: RunWork;
  #files = 0;

  constructor(plan: MapPlan, database: Database, folder: string) {
    const { map, fold, ...staged } = plan;
    // What fails in one piece fails in all records too, and is left out of both.
    const settings = { ...plan.settings, maxErrors: Number.MAX_SAFE_INTEGER };
    const both = { map: map === null ? null : stageOf(map), fold: stageOf(fold!) };
    this.#run = { ...staged, ...both, settings, records: sampleRecords, startedAt: Date.now() };
    this.#database = database;
    this.#folder = folder;
  }

  /** `ragged`: lines beside those of the sample that are no records, which failed. */
  async run(sample: Partition, ragged: number): Promise<MergeCheck> {
    const { map } = this.#run;
    let rows = sample;
    const records = sample.to - sample.from + ragged;
    let failed = ragged;
    if (map !== null) {
      const file = join(this.#folder, 'mapped.parquet');
      const targets = [{ path: file, format: 'parquet' as const }];
      const mapped = await mapPartition(this.#run, map, rows, [], this.#database, targets, () => {});
      rows = { ...rows, file, source: 'the sample', from: 0, to: mapped.written };
      failed += mapped.failures.length;
    }
    const found = rows.to - rows.from;
    if (found < 2)
      throw new MapError(
        `merge is checked by two records or more, and ${map === null ? 'there is' : 'map gives'} ${found}`,
      );
    const fold = this.#run.fold!;
    const grouped = await this.#check(fold, rows);
    // Where no group lies in two pieces nothing was merged: then all records are one.
    const check = grouped ?? (await this.#check({ ...fold, work: { ...fold.work, by: [] } }, rows))!;
    return { ...check, records, failed: failed + check.failed };
  }

  /** Null where each group lies in one piece. */
  async #check(stage: RunStage<Fold>, rows: Partition): Promise<MergeCheck | null> {
    const whole = await this.#fold(stage, rows);
    const records = rows.to - rows.from;
    const pieces = Math.min(mostPieces, records);
    const bound = (at: number): number => rows.from + Math.floor((records * at) / pieces);
    const parts = [];
    for (let at = 0; at < pieces; at++)
      parts.push(await this.#fold(stage, { ...rows, at, from: bound(at), to: bound(at + 1) }));
    const { groups, failed } = whole;
    if (groups === parts.reduce((sum, part) => sum + part.groups, 0)) return null;
    const expected = await this.#rows(stage, whole.path);
    const paths = parts.map(({ path }) => path);
    const orders = mergeOrders(pieces);
    const differences: MergeDifference[] = [];
    let isRounded = false;
    for (const { what, merged, isInOrder } of orders) {
      const { isRounded: isOff, ...difference } = compareRows(
        stage.work.outputs,
        expected,
        await this.#rows(stage, await this.#merge(stage, merged, paths)),
      );
      isRounded ||= isOff;
      if (difference.groups === 0) continue;
      const group = describeGroup(stage.work.by, JSON.parse(difference.group) as GroupKey);
      differences.push({ order: what, isInOrder, ...difference, group });
    }
    const inOrder = orders.filter((order) => order.isInOrder).length;
    return { records, failed, groups, pieces, orders: inOrder, isRounded, differences };
  }

  /** States of the rows, in a file. */
  async #fold(
    stage: RunStage<Fold>,
    rows: Partition,
  ): Promise<{ readonly path: string; readonly groups: number; readonly failed: number }> {
    const { states, failures } = await foldRows(
      this.#run,
      stage,
      partitionPiece(this.#database, stage, rows),
      0,
      () => {},
    );
    try {
      const path = this.#file();
      return { path, groups: writeStates(states, stateCodec(this.#run, stage), path), failed: failures.length };
    } finally {
      states.close();
    }
  }

  /** The file of what is merged. */
  async #merge(stage: RunStage<Fold>, merged: Merged, paths: readonly string[]): Promise<string> {
    if (typeof merged === 'number') return paths[merged]!;
    const inputs: string[] = [];
    for (const input of merged) inputs.push(await this.#merge(stage, input, paths));
    const path = this.#file();
    await mergeStates(this.#run, stage, 'check', inputs, path, () => {});
    return path;
  }

  /** What `finish` gives of the states in a file. */
  async #rows(stage: RunStage<Fold>, states: string): Promise<SummaryRows> {
    const path = this.#file();
    await finishStates(this.#run, stage, states, this.#database, { path, format: 'parquet' }, () => {});
    const { by } = stage.work;
    const columns = summaryColumns(stage.work).map(({ name }) => `CAST(${identifier(name)} AS VARCHAR)`);
    const rows = await this.#database.texts(`SELECT ${columns.join(', ')} FROM read_parquet(${fileToRead(path)})`);
    return new Map(rows.map((row) => [JSON.stringify(row.slice(0, by.length)), row.slice(by.length)]));
  }

  #file(): string {
    return join(this.#folder, String(this.#files++));
  }
}
