// Dead letters: records that failed, each with its values, its place and its error, a line of JSON for each.

import { closeSync, openSync, writeSync } from 'node:fs';
import { identifier, literal } from '../duckdb/database.ts';
import type { Database } from '../duckdb/database.ts';
import type { Partition } from '../plan/plan.ts';
import { ownPrefix } from '../plan/staged.ts';
import { rowsOf } from '../read/batches.ts';
import type { RecordValues } from '../read/record-values.ts';

/** A record that failed. */
export interface Failure {
  /** In its file, from 0. */
  readonly row: number;
  readonly type: string;
  readonly message: string;
  /** The input whose value fits no parameter: `message` says what that is once it has been read. */
  readonly misfit?: number;
  /** Places in the script, innermost first; only where it is known. */
  readonly stack?: readonly string[];
  /** What the script got, of the first records that failed; null for one that did not get there. */
  readonly values?: RecordValues;
  /** Where the script was at a limit: chance has a part in that, so it is told and not written. */
  readonly limitStack?: readonly string[];
}

// Names that no column has.
const place = identifier(`${ownPrefix}place`);
const record = identifier(`${ownPrefix}record`);
const isOfRecord = `name -> name <> 'file_row_number' AND NOT starts_with(name, ${literal(ownPrefix)})`;

/** Reads the records again, and adds them to the file with what went wrong. */
export async function writeFailures(
  database: Database,
  partition: Partition,
  failures: readonly Failure[],
  path: string,
): Promise<void> {
  await database.run('CREATE OR REPLACE TEMP TABLE failed (place BIGINT)');
  const appender = database.appender('failed', ['BIGINT']);
  appender.append(failures.length, [
    { values: BigInt64Array.from(failures, ({ row }) => BigInt(row)), nulls: new BigInt64Array(0) },
  ]);
  appender.close();
  const rows = database.stream(
    `SELECT CAST(to_json(${record}) AS VARCHAR) FROM (SELECT file_row_number AS ${place}, ` +
      `COLUMNS(${isOfRecord}) FROM ${rowsOf(partition)}) AS ${record} ` +
      `WHERE ${place} IN (SELECT place FROM failed) ORDER BY ${place}`,
  );
  const file = openSync(path, 'a');
  let next = 0;
  try {
    for await (const chunk of rows) {
      let text = '';
      for (let row = 0; row < chunk.rows; row++) {
        const failure = failures[next++]!;
        const value = chunk.text(0, row)!;
        text += `${lineOf(partition.source, failure, withoutPlace(value))}\n`;
      }
      writeSync(file, text);
    }
  } finally {
    closeSync(file);
  }
  await database.run('DROP TABLE failed');
}

export function lineOf(source: string, { row, type, message, stack }: Failure, values: string): string {
  const head = JSON.stringify({ file: source, row: row + 1, type, message, stack });
  return `${head.slice(0, -1)},"record":${asJson(values)}}`;
}

/** Values as DuckDB writes them, as JSON. */
export function asJson(values: string): string {
  return values.replace(textOrNoNumber, (found) => (found.startsWith('"') ? found : `"${found}"`));
}

/** Texts, and what JSON has no number for: DuckDB writes it bare. */
const textOrNoNumber = /"(?:[^"\\]|\\.)*"|-?(?:NaN|Infinity)\b/g;

/** The row number stands in front of the columns. */
function withoutPlace(text: string): string {
  return `{${text.replace(/^\{"[^"]+":\d+,?/, '')}`;
}
