// CSV and NDJSON become Parquet before records are mapped, so that partitions have rows that can be found again: the
// values that the script takes, and the fields of whole records where they may be wanted for dead letters.

import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Database, fileToRead, fileToWrite, identifier } from '../duckdb/database.ts';
import { linkOnce, syncFile } from '../files.ts';
import type { InputFile, MapPlan, MapSettings, Partition } from '../plan/plan.ts';
import { ofStaged, stagedColumns } from '../plan/staged.ts';
import { checkCompressed } from './compressed.ts';
import { isUtf8File } from './encoding.ts';
import { checkUnchanged, columnsOf, inputFault, noUtf8Fault, sourceSql } from './inputs.ts';

/** A file that was staged; `source` is the one that people know. */
interface StagedFile extends InputFile {
  readonly source: string;
  readonly rows: number;
}

/** Few values are kept as a dictionary; what it does not shrink, a fast compression shrinks a little. */
const copyOptions = 'FORMAT parquet, DICTIONARY_SIZE_LIMIT 4096, COMPRESSION lz4_raw';

/** The plan over its files as they are staged in the folder, and its partitions. Parquet is read as it is. */
export async function stagePlan(
  plan: MapPlan,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly plan: MapPlan; readonly partitions: readonly Partition[] }> {
  if (plan.partitions !== null) return { plan, partitions: plan.partitions };
  const files = await stageFiles(plan, folder, signal);
  return { plan: ofStaged(plan), partitions: stagedPartitions(files, plan.settings) };
}

/** Stages all files in the folder; those that are there already stay. */
async function stageFiles(
  plan: MapPlan,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<readonly StagedFile[]> {
  const { files, columns, format, settings, output } = plan;
  const database = await Database.open({
    threads: availableParallelism(),
    memoryBytes: settings.readerBytes * 2,
    temporary: join(folder, `duckdb-${randomUUID()}`),
    reach: { files: files.map(({ path }) => path), folders: [folder] },
  });
  const stop = (): void => database.interrupt();
  signal?.addEventListener('abort', stop);
  try {
    // Where no record may fail, none is written down.
    const isWhole = settings.maxErrors !== 0;
    const names = [
      ...stagedColumns(plan).map(({ name, sql }) => `${sql} AS ${identifier(name)}`),
      ...(isWhole ? columns.map(identifier) : []),
    ];
    // A script may take no columns.
    const selected = names.length === 0 ? 'true' : names.join(', ');
    const staged: StagedFile[] = [];
    for (const [at, file] of files.entries()) {
      const path = join(folder, `${at}.${isWhole ? 'records' : 'values'}.parquet`);
      try {
        if (!existsSync(path)) {
          // Each file has its own order.
          const own =
            format === 'csv'
              ? await columnsOf(database, format, file.path)
              : columns.map((name) => ({ name, type: 'JSON' }));
          // Two coordinators of a run may be at it at once.
          const temporary = `${path}.${randomUUID()}.tmp`;
          const [, , isUtf8] = await all(
            database.run(
              `COPY (SELECT ${selected} FROM ${sourceSql(format, file.path, own)}) ` +
                `TO ${fileToWrite(temporary)} (${copyOptions})`,
            ),
            checkCompressed(file.path, signal),
            isWhole || isUtf8File(file.path, signal),
          );
          if (!isUtf8) throw await noUtf8Fault(database, format, file.path);
          checkUnchanged(file);
          syncFile(temporary);
          linkOnce(temporary, path);
          rmSync(temporary);
        }
        const [[rows]] = (await database.texts(
          `SELECT CAST(num_rows AS VARCHAR) FROM parquet_file_metadata(${fileToRead(path)})`,
        )) as [[string]];
        staged.push({ ...file, path, source: file.path, rows: Number(rows) });
      } catch (error) {
        signal?.throwIfAborted();
        throw await inputFault(format, file.path, error, output);
      }
    }
    return staged;
  } finally {
    signal?.removeEventListener('abort', stop);
    database.close();
  }
}

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
