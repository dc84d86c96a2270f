// A partition within one query: DuckDB reads a chunk, the script maps it, and DuckDB writes what that gives. Records
// lie in no table meanwhile, and chunks in no memory of their own. For numbers alone, and scripts that never wait.

import type { Script } from '../../runtime-host/api/node.ts';
import { isOfArrow } from '../arrow/files.ts';
import { identifier } from '../duckdb/database.ts';
import type { Database } from '../duckdb/database.ts';
import { isWrittenAsText } from '../driver/slots.ts';
import type { Partition, Work } from '../plan/plan.ts';
import { rowsOf } from '../read/batches.ts';
import type { Batch } from '../read/batch.ts';
import type { Reading } from '../read/batches.ts';
import { copySql, numbersOf, typeOf, writtenSql } from '../write/writer.ts';
import type { FileTarget } from '../write/writer.ts';
import type { BatchResult } from './batch-call.ts';

/** Whether a script is of this kind; texts of a partition that are too different to be positions are not. */
export function canBeInQuery(
  { manifest: { waits = [] } }: Script,
  { shape, inputs, outputs }: Work,
  partition: Partition,
  targets: readonly FileTarget[],
): boolean {
  return (
    // Each record gives one, or none; functions over columns may look at how many there are.
    shape === 'record' &&
    waits.length === 0 &&
    targets.length === 1 &&
    !isOfArrow(partition) &&
    inputs.every(({ carrier }) => carrier !== 'json') &&
    outputs.every(({ carrier }) => !isWrittenAsText(carrier))
  );
}

/** Rejects with what `call` throws, and writes what it gives. */
export async function mapInQuery(
  database: Database,
  { outputs }: Work,
  partition: Partition,
  { numbers, dictionaries }: Reading,
  target: FileTarget,
  call: (batch: Batch) => BatchResult,
): Promise<void> {
  let from = partition.from;
  await database.runWith(
    { takes: numbers.types, gives: outputs.map(typeOf) },
    (chunk) => {
      const isFirst = from === partition.from;
      const batch = { from, ...numbers.ofChunk(chunk), dictionaries: isFirst ? dictionaries : noDictionaries };
      const { rows, columns } = call(batch);
      from += chunk.rows;
      return { rows, columns: outputs.map(({ carrier }, at) => numbersOf(carrier, columns[at]!, rows)) };
    },
    (name) => {
      const fields = outputs
        .map((output, at) => `${writtenSql(output, `r.c${at}`)} AS ${identifier(output.name)}`)
        .join(', ');
      const given = `SELECT ${name}(${numbers.sql}) AS r FROM ${rowsOf(partition)}`;
      return copySql(`SELECT ${fields} FROM (${given}) WHERE r.has`, target);
    },
  );
  if (from !== partition.to) throw new Error(`${partition.to - from} records were not read`);
}

const noDictionaries: Batch['dictionaries'] = new Map();
