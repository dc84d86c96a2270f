// Lines of a CSV with more or fewer fields than there are columns. DuckDB ends with the first of them, or drops all,
// and does not say where they stood among the others. Where they may be dead letters, the file is written once more,
// with a column in which each of them says what it is.

import { closeSync, openSync, writeSync } from 'node:fs';
import { DatabaseError } from '../duckdb/database.ts';
import { MapError } from '../errors.ts';
import { shown } from '../plan/misfits.ts';
import { raggedName } from '../plan/staged.ts';
import { csvDelimiter } from './csv.ts';
import { isEven, LineEnds, readCsvLines } from './csv-lines.ts';
import type { CsvLine } from './csv-lines.ts';

/** Whether such a line is what DuckDB ended with. */
export function isRaggedFault(error: unknown): boolean {
  return error instanceof DatabaseError && /^Expected Number of Columns/m.test(error.message);
}

/**
 * Writes the file, or its first records, with as many fields in each line as there are columns, and one more. Gives how
 * many are ragged. Throws MapError where lines end in several ways, which nobody would see in what is written.
 */
export async function writeEven(
  path: string,
  columns: number,
  target: string,
  most: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const delimiter = Buffer.from(csvDelimiter(path));
  const ends = new LineEnds();
  const file = openSync(target, 'wx');
  try {
    let [records, ragged, isFirst] = [0, 0, true];
    for await (const lines of readCsvLines(path, columns, signal)) {
      const parts: Uint8Array[] = [];
      for (const line of lines) {
        if (records === most) break;
        const fault = ends.faultOf(line);
        if (fault !== null) throw new MapError(`${path}: ${fault}`);
        if (isFirst) parts.push(line.bytes, delimiter, Buffer.from(raggedName), newLine);
        // An empty line is no record where there are several columns.
        else if (line.bytes.length > 0 || columns === 1) {
          addLine(parts, line, columns, delimiter);
          records++;
          if (!isEven(line, columns)) ragged++;
        }
        isFirst = false;
      }
      writeAll(file, Buffer.concat(parts));
      if (records === most) break;
    }
    return ragged;
  } finally {
    closeSync(file);
  }
}

/** What fails here fails for DuckDB too, such as a full disk. */
function writeAll(file: number, bytes: Uint8Array): void {
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
  } catch (error) {
    throw new DatabaseError(error);
  }
}

const newLine = Buffer.from('\n');

function addLine(parts: Uint8Array[], line: CsvLine, columns: number, delimiter: Uint8Array): void {
  const { bytes, fields, fitting } = line;
  if (fields < columns) {
    parts.push(bytes);
    for (let missing = fields; missing < columns; missing++) parts.push(delimiter);
  } else parts.push(bytes.subarray(0, fitting));
  parts.push(delimiter);
  if (!isEven(line, columns)) parts.push(Buffer.from(`"${messageOf(line, columns).replaceAll('"', '""')}"`));
  parts.push(newLine);
}

/** More than are shown. */
const mostTold = 400;

function messageOf({ number, bytes, fields }: CsvLine, columns: number): string {
  const text = shown(new TextDecoder().decode(bytes.subarray(0, mostTold)), true);
  return `line ${number} has ${fields} field${fields === 1 ? '' : 's'}, and the first line ${columns}: ${text}`;
}
