// CSV and NDJSON become Parquet before records are mapped, so that partitions have rows that can be found again. Their
// fields stay texts: what one means, the parameter says, and one that does not fit is the fault of its record alone.

import { existsSync, renameSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Database, literal } from '../duckdb/database.ts';
import type { InputFile, MapPlan, MapSettings, Partition } from '../plan/plan.ts';
import { inputFault, readColumns, sourceSql } from './inputs.ts';

/** A file that was staged; `source` is the one that people know. */
export interface StagedFile extends InputFile {
  readonly source: string;
  readonly rows: number;
}

/** Stages all files in the folder; those that are there already stay. */
export async function stageFiles(
  { files, format, settings }: MapPlan,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<readonly StagedFile[]> {
  const database = await Database.open({
    threads: availableParallelism(),
    memoryBytes: settings.readerBytes * 2,
    temporary: join(folder, 'duckdb'),
  });
  const stop = (): void => database.interrupt();
  signal?.addEventListener('abort', stop);
  try {
    const columns = await readColumns(database, format, files);
    const staged: StagedFile[] = [];
    for (const [at, file] of files.entries()) {
      const path = join(folder, `${at}.parquet`);
      try {
        if (!existsSync(path)) {
          await database.run(
            `COPY (SELECT * FROM ${sourceSql(format, file.path, columns)}) TO ${literal(`${path}.tmp`)} (FORMAT parquet)`,
          );
          renameSync(`${path}.tmp`, path);
        }
        const [[rows]] = (await database.texts(
          `SELECT CAST(num_rows AS VARCHAR) FROM parquet_file_metadata(${literal(path)})`,
        )) as [[string]];
        staged.push({ ...file, path, source: file.path, rows: Number(rows) });
      } catch (error) {
        signal?.throwIfAborted();
        throw await inputFault(format, file.path, error);
      }
    }
    return staged;
  } finally {
    signal?.removeEventListener('abort', stop);
    database.close();
  }
}

/** By rows alone: where row groups end may differ from one staging to the next. */
export function stagedPartitions(
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
