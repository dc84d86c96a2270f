// The files of a map and what their columns are, without reading their records.

import { globSync, statSync } from 'node:fs';
import { faultOf, literal } from '../duckdb/database.ts';
import { MapError } from '../errors.ts';
import { csvNames, csvOptions } from './csv.ts';
import { findFaultyLine } from './json-lines.ts';
import type { Database } from '../duckdb/database.ts';
import type { Format, InputFile } from '../plan/plan.ts';
import type { FileColumn } from '../plan/signature.ts';

const endings: readonly (readonly [RegExp, Format])[] = [
  [/\.(parquet|pq)$/i, 'parquet'],
  [/\.(csv|tsv)(\.gz|\.zst)?$/i, 'csv'],
  [/\.(ndjson|jsonl)(\.gz|\.zst)?$/i, 'ndjson'],
];

/** The files of patterns such as `in/*.parquet`, in the order of their names. Throws MapError. */
export function findFiles(patterns: readonly string[]): {
  readonly format: Format;
  readonly files: readonly InputFile[];
} {
  const paths = [
    ...new Set(
      patterns.flatMap((pattern) => {
        const found = isFile(pattern) ? [pattern] : globSync(pattern).filter(isFile).sort();
        if (found.length === 0) throw new MapError(`there is no file ${pattern}`);
        return found;
      }),
    ),
  ];
  const formats = new Set(paths.map(formatOf));
  if (formats.size > 1) throw new MapError(`the input has files of several formats: ${[...formats].join(', ')}`);
  const files = paths.map((path): InputFile => {
    const { size, mtimeMs } = statSync(path);
    return { path, bytes: size, modifiedMs: mtimeMs, rows: null };
  });
  return { format: [...formats][0]!, files };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function formatOf(path: string): Format {
  const found = endings.find(([ending]) => ending.test(path));
  if (found !== undefined) return found[1];
  throw new MapError(
    `${path}: files for sluice map end in .parquet, .csv, .tsv, .ndjson or .jsonl, ` +
      'the last four also with .gz or .zst behind that',
  );
}

/** How DuckDB reads a file as it is. */
export function sourceSql(format: Format, path: string, columns: readonly FileColumn[] | null): string {
  const file = literal(path);
  switch (format) {
    case 'parquet':
      return `read_parquet(${file})`;
    case 'csv':
      return columns === null
        ? `read_csv(${file}, ${csvOptions(path)}, ignore_errors = true)`
        : `read_csv(${file}, ${csvOptions(path)}, auto_detect = false, ` +
            `columns = {${columns.map(({ name }) => `${literal(name)}: 'VARCHAR'`).join(', ')}})`;
    case 'ndjson': {
      const types = columns?.map(({ name }) => `${literal(name)}: 'JSON'`).join(', ');
      return `read_json(${file}, format = 'newline_delimited'${types === undefined ? '' : `, columns = {${types}}`})`;
    }
  }
}

/** The columns of the files, which have to be the same in all of them. */
export async function readColumns(
  database: Database,
  format: Format,
  files: readonly InputFile[],
): Promise<readonly FileColumn[]> {
  let first: readonly FileColumn[] | null = null;
  for (const { path } of files) {
    const columns = await columnsOf(database, format, path);
    first ??= columns;
    for (const { name, type } of first) {
      const other = columns.find((column) => column.name === name);
      if (other?.type !== type && format === 'parquet')
        throw new MapError(
          other === undefined
            ? `${path} has no column ${name}, which ${files[0]!.path} has`
            : `${path}: the column ${name} is ${other.type}, and in ${files[0]!.path} it is ${type}`,
        );
      if (other === undefined && format === 'csv')
        throw new MapError(`${path} has no column ${name}, which ${files[0]!.path} has`);
    }
  }
  return first!;
}

async function columnsOf(database: Database, format: Format, path: string): Promise<readonly FileColumn[]> {
  try {
    const rows = await database.texts(
      `SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${sourceSql(format, path, null)})`,
    );
    return rows.map(([name, type]) => ({ name: name!, type: typeIn(format, type!) }));
  } catch (error) {
    if (format === 'csv') await readThrough(database, path);
    throw await inputFault(format, path, error);
  }
}

/** Throws MapError with the line in which a CSV is broken: looking at its beginning does not tell that. */
async function readThrough(database: Database, path: string): Promise<void> {
  const columns = csvNames(path).map((name) => ({ name, type: 'TEXT' }));
  try {
    await database.texts(`SELECT CAST(count(*) AS VARCHAR) FROM ${sourceSql('csv', path, columns)}`);
  } catch (error) {
    throw faultOf(path, error);
  }
}

/** The fault of a file, with the line where that is known. */
export async function inputFault(format: Format, path: string, error: unknown): Promise<MapError> {
  const line = format === 'ndjson' ? await findFaultyLine(path) : null;
  return line === null ? faultOf(path, error) : new MapError(`${path}: ${line}`, { cause: error });
}

/** Of a CSV only what looks like a date counts: other fields are texts, and the parameter says what they become. */
function typeIn(format: Format, type: string): string {
  if (format === 'parquet') return type;
  if (format === 'ndjson') return 'JSON';
  return type === 'DATE' || type === 'TIMESTAMP' ? type : 'TEXT';
}
