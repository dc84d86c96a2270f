// CSV and NDJSON become Parquet before records are mapped, so that partitions have rows that can be found again. Their
// fields stay texts: what one means, the parameter says, and one that does not fit is the fault of its record alone.

import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Database, fileToRead, fileToWrite, identifier } from '../duckdb/database.ts';
import { linkOnce, syncFile } from '../files.ts';
import type { InputFile, MapPlan, MapSettings, Partition } from '../plan/plan.ts';
import { checkCompressed } from './compressed.ts';
import { checkUnchanged, columnsOf, inputFault, sourceSql } from './inputs.ts';

/** A file that was staged; `source` is the one that people know. */
export interface StagedFile extends InputFile {
  readonly source: string;
  readonly rows: number;
}

/** Stages all files in the folder; those that are there already stay. */
export async function stageFiles(
  { files, columns, format, settings, output }: MapPlan,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<readonly StagedFile[]> {
  const database = await Database.open({
    threads: availableParallelism(),
    memoryBytes: settings.readerBytes * 2,
    temporary: join(folder, `duckdb-${randomUUID()}`),
    reach: { files: files.map(({ path }) => path), folders: [folder] },
  });
  const stop = (): void => database.interrupt();
  signal?.addEventListener('abort', stop);
  try {
    const names = columns.map(identifier).join(', ');
    const staged: StagedFile[] = [];
    for (const [at, file] of files.entries()) {
      const path = join(folder, `${at}.parquet`);
      try {
        if (!existsSync(path)) {
          // Each file has its own order.
          const own =
            format === 'csv'
              ? await columnsOf(database, format, file.path)
              : columns.map((name) => ({ name, type: 'JSON' }));
          // Two coordinators of a run may be at it at once.
          const temporary = `${path}.${randomUUID()}.tmp`;
          await both(
            database.run(
              `COPY (SELECT ${names} FROM ${sourceSql(format, file.path, own)}) ` +
                `TO ${fileToWrite(temporary)} (FORMAT parquet)`,
            ),
            checkCompressed(file.path, signal),
          );
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

/** Waits for both, whichever fails. */
async function both(...works: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(works)) if (result.status === 'rejected') throw result.reason;
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
