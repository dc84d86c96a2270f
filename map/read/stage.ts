// CSV and NDJSON become Parquet before records are mapped, so that partitions have rows that can be found again: the
// values that the script takes, and the fields of whole records where they may be wanted for dead letters.

import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Database, DatabaseError, fileToRead, fileToWrite, identifier } from '../duckdb/database.ts';
import { MapError } from '../errors.ts';
import { linkOnce, syncFile } from '../files.ts';
import type { Format, InputFile, MapPlan, MapSettings, Partition } from '../plan/plan.ts';
import {
  columnsOfDoubles,
  fittingColumns,
  misfitWords,
  ofStaged,
  raggedName,
  stagedColumns,
  unitCounts,
} from '../plan/staged.ts';
import type { StagedColumn } from '../plan/staged.ts';
import { checkCompressed } from './compressed.ts';
import { isUtf8File } from './encoding.ts';
import { checkUnchanged, columnsOf, inputFault, noUtf8Fault, sourceSql } from './inputs.ts';
import { isRaggedFault, writeEven } from './ragged.ts';

/** A file that was staged; `source` is the one that people know. */
interface StagedFile extends InputFile {
  readonly source: string;
  readonly rows: number;
}

/**
 * What a file is staged as: whole records beside their values, where dead letters may want them; values, with the texts
 * of those that do not fit; values that all fit, which is known once they are staged.
 */
type Form = 'records' | 'values' | 'fitting';

/** Few values are kept as a dictionary; what it does not shrink, a fast compression shrinks a little. */
const copyOptions = 'FORMAT parquet, DICTIONARY_SIZE_LIMIT 4096, COMPRESSION lz4_raw';

/** The plan over its files as they are staged in the folder, and its partitions. Parquet is read as it is. */
export async function stagePlan(
  plan: MapPlan,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly plan: MapPlan; readonly partitions: readonly Partition[] }> {
  if (plan.partitions !== null) return { plan, partitions: plan.partitions };
  const { files, counts } = await stageFiles(plan, folder, signal);
  return { plan: ofStaged(plan, counts), partitions: stagedPartitions(files, plan.settings) };
}

/** The partitions of a plan, where they are known without staging anything; null where they are not. */
export async function knownPartitions(plan: MapPlan, folder: string): Promise<readonly Partition[] | null> {
  if (plan.partitions === null && !plan.files.every((_, at) => stagedForm(plan, folder, at) !== null)) return null;
  return (await stagePlan(plan, folder, undefined)).partitions;
}

/** Where no record may fail, none is written down. */
function isWhole({ settings }: MapPlan): boolean {
  return settings.maxErrors !== 0;
}

function stagedPath(folder: string, at: number, form: Form): string {
  return join(folder, `${at}.${form}.parquet`);
}

/** What a file is staged as already; null where it is not. */
function stagedForm(plan: MapPlan, folder: string, at: number): Form | null {
  const forms: readonly Form[] = isWhole(plan) ? ['records'] : ['values', 'fitting'];
  return forms.find((form) => existsSync(stagedPath(folder, at, form))) ?? null;
}

/**
 * Stages all files in the folder; those that are there already stay. `counts` are those of units, and null where all
 * values fit.
 */
async function stageFiles(
  plan: MapPlan,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly files: readonly StagedFile[]; readonly counts: readonly (readonly number[])[] | null }> {
  const { files, columns, settings, output } = plan;
  const format = stagedFormat(plan);
  const database = await Database.open({
    threads: availableParallelism(),
    memoryBytes: settings.readerBytes * 2,
    temporary: join(folder, `duckdb-${randomUUID()}`),
    reach: { files: files.map(({ path }) => path), folders: [folder] },
  });
  const stop = (): void => database.interrupt();
  signal?.addEventListener('abort', stop);
  try {
    const hasRecords = isWhole(plan);
    const selected = selectedSql(plan, hasRecords ? columns : []);
    const copy = (source: string, target: string, ragged = 'CAST(NULL AS VARCHAR)'): Promise<void> => {
      const all = hasRecords ? `${selected}, ${ragged} AS ${identifier(raggedName)}` : selected;
      return database.run(`COPY (SELECT ${all} FROM ${source}) TO ${fileToWrite(target)} (${copyOptions})`);
    };
    // DuckDB reads doubles as it casts texts, in less time; where the first that is none ends the run, only the text
    // of that is wanted. Dead letters want the texts of all.
    const doubles = format === 'csv' && !hasRecords ? columnsOfDoubles(plan) : new Set<string>();
    const copyAs = async (path: string, target: string, typed: ReadonlySet<string>, list: string): Promise<void> => {
      const source = await stagedSql(database, plan, path, typed);
      await database.run(`COPY (SELECT ${list} FROM ${source}) TO ${fileToWrite(target)} (${copyOptions})`);
    };
    const copyFile = async (path: string, target: string): Promise<void> => {
      if (doubles.size > 0)
        try {
          return await copyAs(path, target, doubles, selectedSql(plan, [], doubles));
        } catch (error) {
          if (!isConversionFault(error)) throw error;
        }
      try {
        await copy(await stagedSql(database, plan, path), target);
      } catch (error) {
        if (format !== 'csv' || !hasRecords || !isRaggedFault(error)) throw error;
        const even = (source: string): Promise<void> => copy(source, target, identifier(raggedName));
        await throughEven(database, path, `${target}.csv`, even, signal);
      }
    };
    /** False where a value does not fit. */
    const copyFitting = async (path: string, target: string): Promise<boolean> => {
      try {
        await copyAs(path, target, doubles, listSql(fittingColumns(plan, doubles)));
        return true;
      } catch (error) {
        if (!isConversionFault(error) && !isMisfitFault(error)) throw error;
        return false;
      }
    };
    /** The form that it is staged as: `wanted`, or values where they do not all fit. */
    const stage = async (file: InputFile, at: number, wanted: Form): Promise<Form> => {
      // Two coordinators of a run may be at it at once.
      const temporary = `${stagedPath(folder, at, wanted)}.${randomUUID()}.tmp`;
      const write = async (): Promise<Form> => {
        if (wanted === 'fitting' && (await copyFitting(file.path, temporary))) return wanted;
        await copyFile(file.path, temporary);
        return wanted === 'fitting' ? 'values' : wanted;
      };
      const [form, , isUtf8] = await all(
        write(),
        checkCompressed(file.path, signal),
        hasRecords || isUtf8File(file.path, signal),
      );
      if (!isUtf8) throw await noUtf8Fault(database, format, file.path);
      checkUnchanged(file);
      syncFile(temporary);
      linkOnce(temporary, stagedPath(folder, at, form));
      rmSync(temporary);
      return form;
    };
    const forms: Form[] = [];
    const inOrder = async (work: (file: InputFile, at: number) => Promise<void>): Promise<void> => {
      for (const [at, file] of files.entries())
        try {
          await work(file, at);
        } catch (error) {
          signal?.throwIfAborted();
          const fault = await inputFault(format, file.path, error, output);
          if (hasRecords || !isRaggedFault(error)) throw fault;
          throw new MapError(`${(fault as Error).message}; with --max-errors such a line is a dead letter`, {
            cause: error,
          });
        }
    };
    const unfit = (): boolean => forms.includes('values');
    await inOrder(async (file, at) => {
      const wanted = hasRecords ? 'records' : unfit() ? 'values' : 'fitting';
      forms.push(stagedForm(plan, folder, at) ?? (await stage(file, at, wanted)));
    });
    const staged: StagedFile[] = [];
    await inOrder(async (file, at) => {
      // One plan is over all of them.
      if (forms[at] === 'fitting' && unfit()) forms[at] = await stage(file, at, 'values');
      const path = stagedPath(folder, at, forms[at]!);
      const [[rows]] = (await database.texts(
        `SELECT CAST(num_rows AS VARCHAR) FROM parquet_file_metadata(${fileToRead(path)})`,
      )) as [[string]];
      staged.push({ ...file, path, source: file.path, rows: Number(rows) });
    });
    if (forms.includes('fitting')) return { files: staged, counts: null };
    const records = hasRecords ? `WHERE ${identifier(raggedName)} IS NULL` : '';
    return { files: staged, counts: await readUnitCounts(database, plan, staged, records) };
  } finally {
    signal?.removeEventListener('abort', stop);
    database.close();
  }
}

/**
 * Reads a CSV by a copy in which each line has as many fields as the first, and what is wrong with it in one more. Of
 * `most` records; gives how many of them are ragged.
 */
async function throughEven(
  database: Database,
  path: string,
  copy: string,
  use: (source: string) => Promise<void>,
  signal?: AbortSignal,
  most = Infinity,
): Promise<number> {
  const own = await columnsOf(database, 'csv', path);
  try {
    const ragged = await writeEven(path, own.length, copy, most, signal).catch(async (error: unknown) => {
      // What is damaged has other lines too.
      await checkCompressed(path, signal);
      throw error;
    });
    await use(sourceSql('csv', copy, [...own, { name: raggedName, type: 'TEXT' }]));
    return ragged;
  } finally {
    rmSync(copy, { force: true });
  }
}

/** How many fields of all the files have each unit: of those that are `records`, a condition of SQL. */
async function readUnitCounts(
  database: Database,
  plan: MapPlan,
  files: readonly { readonly path: string }[],
  records = '',
): Promise<readonly (readonly number[])[]> {
  const wanted = unitCounts(plan);
  const sums = wanted.map((sqls) => sqls.map(() => 0));
  if (wanted.length === 0) return sums;
  const selected = wanted.flat().map((sql) => `CAST(${sql} AS VARCHAR)`);
  for (const { path } of files) {
    const [found] = await database.texts(
      `SELECT ${selected.join(', ')} FROM read_parquet(${fileToRead(path)}) ${records}`,
    );
    let at = 0;
    for (const counts of sums) for (const unit of counts.keys()) counts[unit]! += Number(found![at++]);
  }
  return sums;
}

/** What is staged: the values that the script takes, of which those in `fitting` fit, and fields as they are. */
function selectedSql(plan: MapPlan, fields: readonly string[], fitting?: ReadonlySet<string>): string {
  return listSql(stagedColumns(plan, fitting), fields);
}

function listSql(columns: readonly StagedColumn[], fields: readonly string[] = []): string {
  const names = [...columns.map(({ name, sql }) => `${sql} AS ${identifier(name)}`), ...fields.map(identifier)];
  // A script may take no columns.
  return names.length === 0 ? 'true' : names.join(', ');
}

/** Whether a field is none of its column's type. */
function isConversionFault(error: unknown): boolean {
  return error instanceof DatabaseError && /^Error when converting column/m.test(error.message);
}

/** Whether a value is none of its parameter. */
function isMisfitFault(error: unknown): boolean {
  return error instanceof DatabaseError && error.message.includes(misfitWords);
}

/** DuckDB reads no Arrow, whose files are read as they are. */
function stagedFormat({ format }: MapPlan): Format {
  if (format === 'arrow') throw new Error('files of Arrow are not staged');
  return format;
}

/** A file of the plan, as DuckDB reads it: of CSV some columns may be doubles, and others are texts. */
async function stagedSql(
  database: Database,
  plan: MapPlan,
  path: string,
  doubles: ReadonlySet<string> = new Set(),
): Promise<string> {
  const { columns } = plan;
  const format = stagedFormat(plan);
  if (format === 'parquet') return sourceSql(format, path, null);
  // Each file has its own order.
  const own =
    format === 'csv'
      ? (await columnsOf(database, format, path)).map((column) =>
          doubles.has(column.name) ? { ...column, type: 'DOUBLE' } : column,
        )
      : columns.map((name) => ({ name, type: 'JSON' }));
  return sourceSql(format, path, own);
}

/**
 * Stages the first records of each file, or of some of many, in one file: so many records at most. Gives the plan over
 * them, how many they are, and how many lines among them are none.
 */
export async function stageSample(
  database: Database,
  plan: MapPlan,
  path: string,
  records: number,
): Promise<{ readonly plan: MapPlan; readonly records: number; readonly ragged: number }> {
  const { files, output } = plan;
  const format = stagedFormat(plan);
  const every = Math.ceil(files.length / mostSampled);
  const sampled = files.filter((_, at) => at % every === 0);
  const each = Math.ceil(records / sampled.length);
  let ragged = 0;
  for (const [at, file] of sampled.entries())
    try {
      const into = at === 0 ? 'CREATE TEMP TABLE sample AS' : 'INSERT INTO sample';
      const add = (from: string): Promise<void> => database.run(`${into} SELECT ${selectedSql(plan, [])} FROM ${from}`);
      try {
        await add(`${await stagedSql(database, plan, file.path)} LIMIT ${each}`);
      } catch (error) {
        if (!isRaggedFault(error)) throw error;
        const even = (source: string): Promise<void> => add(`${source} WHERE ${identifier(raggedName)} IS NULL`);
        ragged += await throughEven(database, file.path, `${path}.csv`, even, undefined, each);
      }
      checkUnchanged(file);
    } catch (error) {
      throw await inputFault(format, file.path, error, output);
    }
  await database.run(`COPY sample TO ${fileToWrite(path)} (${copyOptions})`);
  const [[rows]] = (await database.texts('SELECT CAST(count(*) AS VARCHAR) FROM sample')) as [[string]];
  await database.run('DROP TABLE sample');
  return { plan: ofStaged(plan, await readUnitCounts(database, plan, [{ path }])), records: Number(rows), ragged };
}

/** Files that a sample is taken from, at most. */
const mostSampled = 16;

/** Waits for all, whichever fails. */
async function all<Works extends readonly unknown[]>(
  ...works: Works
): Promise<{ -readonly [At in keyof Works]: Awaited<Works[At]> }> {
  await Promise.allSettled(works);
  return Promise.all(works);
}

/** By rows alone: where row groups end may differ from one staging to the next. */
function stagedPartitions(
  files: readonly StagedFile[],
  { partitionRows, partitionBytes }: Pick<MapSettings, 'partitionRows' | 'partitionBytes'>,
): readonly Partition[] {
  const partitions: Partition[] = [];
  for (const { path, source, rows, bytes } of files) {
    const most = Math.max(1, Math.min(partitionRows, Math.floor((partitionBytes * rows) / Math.max(1, bytes))));
    for (let from = 0; from < Math.max(1, rows); from += most)
      partitions.push({ at: partitions.length, file: path, source, from, to: Math.min(rows, from + most) });
  }
  return partitions;
}
