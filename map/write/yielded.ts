// Columns of what a script yields record by record. The driver yields a number when a record begins: what belongs to
// one that failed is dropped.

import { formatJson } from '../../runtime-host/api/node.ts';
import type { ScriptValue } from '../../runtime-host/api/node.ts';
import { isWrittenAsText, separator } from '../driver/slots.ts';
import type { OutputColumn } from '../plan/plan.ts';
import type { WrittenColumn } from './writer.ts';

type Record_ = Readonly<Record<string, ScriptValue>>;

export function writtenColumns(
  outputs: readonly OutputColumn[],
  yields: readonly ScriptValue[],
  failed: ReadonlySet<number>,
): { readonly rows: number; readonly columns: readonly WrittenColumn[] } {
  const records: Record_[] = [];
  let isKept = true;
  for (const value of yields) {
    if (typeof value === 'bigint') isKept = !failed.has(Number(value));
    else if (isKept && value !== null) records.push(value as unknown as Record_);
  }
  return { rows: records.length, columns: outputs.map((output) => columnOf(output, records)) };
}

function columnOf({ name, carrier, valid }: OutputColumn, records: readonly Record_[]): WrittenColumn {
  const values = records.map((record) => record[name]!);
  const isNull = records.map((record, at) => (valid !== null && record[valid] === false) || values[at] === null);
  const nulls = isNull.includes(true) ? BigInt64Array.from(isNull, (flag) => (flag ? 1n : 0n)) : none;
  if (isWrittenAsText(carrier)) {
    const texts = values.map((value) =>
      value === null ? '' : carrier === 'json' ? formatJson(value) : (value as string),
    );
    const rejoin = (between: string): string => texts.join(between);
    return { numbers: none, text: rejoin(separator), nulls, rejoin };
  }
  const numbers =
    carrier === 'double'
      ? Float64Array.from(values as unknown as number[])
      : BigInt64Array.from(values, (value) => (typeof value === 'boolean' ? BigInt(value) : (value as bigint)));
  return { numbers, text: '', nulls };
}

const none = new BigInt64Array(0);
