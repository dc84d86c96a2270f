// Tells of values that fit no parameter what they are: the driver knows which column it was, and the value has to be
// read again, as its column has none for the script.

import { readArrowRecords } from '../arrow/partition.ts';
import { isOfArrow } from '../arrow/files.ts';
import type { Database } from '../duckdb/database.ts';
import { misfitMessage, mostRead } from '../plan/misfits.ts';
import type { InputColumn, Partition } from '../plan/plan.ts';
import { rowsOf } from '../read/batches.ts';
import { asJson } from '../write/failures.ts';
import type { Failure } from '../write/failures.ts';

/** Texts of a column in rows that are in order. */
export type TextReader = (input: InputColumn, rows: readonly number[]) => Promise<readonly string[]>;

/** The failures, of which those with a misfit say the value. */
export async function withMisfits(
  failures: readonly Failure[],
  inputs: readonly InputColumn[],
  read: TextReader,
): Promise<readonly Failure[]> {
  const messages = new Map<Failure, string>();
  for (const [at, input] of inputs.entries()) {
    const unfit = failures.filter(({ misfit }) => misfit === at).sort((a, b) => a.row - b.row);
    if (unfit.length === 0) continue;
    const texts = await read(
      input,
      unfit.map(({ row }) => row),
    );
    for (const [index, failure] of unfit.entries()) messages.set(failure, misfitMessage(input, texts[index]!));
  }
  if (messages.size === 0) return failures;
  return failures.map((failure) => ({ ...failure, message: messages.get(failure) ?? failure.message }));
}

/** Reads them from the file of a partition. */
export function partitionTexts(database: Database, partition: Partition): TextReader {
  return async ({ column, textSql }, rows) => {
    if (isOfArrow(partition)) {
      const texts: string[] = [];
      for await (const record of readArrowRecords(partition, rows)) texts.push(textInRecord(record, column));
      return texts;
    }
    await database.run('CREATE OR REPLACE TEMP TABLE unfit (place BIGINT)');
    const appender = database.appender('unfit', ['BIGINT']);
    appender.append(rows.length, [
      { values: BigInt64Array.from(rows, (row) => BigInt(row)), nulls: new BigInt64Array(0) },
    ]);
    appender.close();
    const found = await database.texts(
      `SELECT left(${textSql}, ${mostRead}) FROM ${rowsOf(partition)} ` +
        'WHERE file_row_number IN (SELECT place FROM unfit) ORDER BY file_row_number',
    );
    await database.run('DROP TABLE unfit');
    return found.map(([text]) => text ?? '');
  };
}

/** A value of a record that is JSON; numbers keep all their digits. */
export function textInRecord(record: string, column: string): string {
  const kept = JSON.parse(asJson(record), (_, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value,
  ) as Record<string, unknown>;
  const value = kept[column];
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
