// What the columns of the files are, without reading their records, and what is said where a file is broken.

import { statSync } from 'node:fs';
import { DatabaseError, faultOf, fileToRead, literal, unclearLines } from '../duckdb/database.ts';
import { MapError } from '../errors.ts';
import { checkCompressed, compressionOf } from './compressed.ts';
import { csvNames, csvOptions } from './csv.ts';
import { findCsvFault } from './csv-lines.ts';
import { findBrokenQuote } from './csv-quotes.ts';
import { findFaultyLine } from './json-lines.ts';
import type { Database } from '../duckdb/database.ts';
import type { Format, InputFile, InputFormat } from '../plan/plan.ts';
import type { FileColumn } from '../plan/parameters.ts';
import { isRaggedFault } from './ragged.ts';

/** Of Parquet alone, folders named `country=DE` are columns too. */
const noHive = 'hive_partitioning = false';

/** How DuckDB reads a file as it is. */
export function sourceSql(format: Format, path: string, columns: readonly FileColumn[] | null): string {
  const file = fileToRead(path);
  const packed = compressionSql(path);
  switch (format) {
    case 'parquet':
      return `read_parquet(${file})`;
    case 'csv':
      return columns === null
        ? `read_csv(${file}${packed}, ${csvOptions(path)}, ${noHive}, ignore_errors = true)`
        : `read_csv(${file}${packed}, ${csvOptions(path)}, ${noHive}, auto_detect = false, ` +
            `columns = {${columns.map(({ name, type }) => `${literal(name)}: ${csvType(type)}`).join(', ')}})`;
    case 'ndjson': {
      const types = columns?.map(({ name }) => `${literal(name)}: 'JSON'`).join(', ');
      const given = types === undefined ? '' : `, columns = {${types}}`;
      return `read_json(${file}${packed}, ${noHive}, format = 'newline_delimited'${given})`;
    }
  }
}

/** DuckDB goes by the endings of names, and knows those in small letters. */
function compressionSql(path: string): string {
  const name = compressionOf(path);
  return name === null ? '' : `, compression = ${literal(name)}`;
}

/** What is no text is read as it is: DuckDB ends with the first field that is none of its kind. */
function csvType(type: string): string {
  return type === 'TEXT' ? `'VARCHAR'` : literal(type);
}

/**
 * The columns of the files: those of the first have to be in all others; of NDJSON, a file may leave some out, and is
 * read through where one that is wanted is not among the keys of its first records.
 */
export async function readColumns(
  database: Database,
  format: Format,
  files: readonly Pick<InputFile, 'path'>[],
  wanted: readonly string[],
): Promise<readonly FileColumn[]> {
  let all: readonly FileColumn[] = [];
  for (const [at, { path }] of files.entries()) {
    const columns = await columnsOf(database, format, path);
    if (at === 0) all = columns;
    else if (format === 'ndjson')
      all = [...all, ...columns.filter(({ name }) => !all.some((column) => column.name === name))];
    else compareColumns(format, all, columns, [files[0]!.path, path]);
  }
  if (format !== 'ndjson' || wanted.every((name) => has(all, name))) return all;
  for (const { path } of files)
    for (const name of await keysOf(database, path)) {
      checkName(path, name);
      if (!has(all, name)) all = [...all, { name, type: 'JSON' }];
    }
  return all;
}

/** To DuckDB, names are the same whatever their case. */
function has(columns: readonly FileColumn[], wanted: string): boolean {
  return columns.some(({ name }) => name.toLowerCase() === wanted.toLowerCase());
}

/** All keys of an NDJSON file, of which DuckDB guesses columns from the first 20,480 records. */
async function keysOf(database: Database, path: string): Promise<readonly string[]> {
  try {
    const rows = await database.texts(
      `SELECT DISTINCT key FROM (SELECT unnest(json_keys(json)) AS key ` +
        `FROM read_ndjson_objects(${fileToRead(path)}${compressionSql(path)})) ORDER BY key`,
    );
    return rows.map(([key]) => key!);
  } catch (error) {
    throw await inputFault('ndjson', path, error);
  }
}

/** Throws MapError where a file has other columns than the first. */
export function compareColumns(
  format: InputFormat,
  columns: readonly FileColumn[],
  others: readonly FileColumn[],
  [first, path]: readonly [string, string],
): void {
  for (const { name, type } of columns) {
    const other = others.find((column) => column.name === name);
    if (other === undefined) throw new MapError(`${path} has no column ${name}, which ${first} has`);
    if (other.type !== type && (format === 'parquet' || format === 'arrow'))
      throw new MapError(`${path}: the column ${name} is ${other.type}, and in ${first} it is ${type}`);
  }
}

/** The columns of one file. */
export async function columnsOf(database: Database, format: Format, path: string): Promise<readonly FileColumn[]> {
  const names = format === 'csv' ? csvNames(path) : [];
  // Nothing could be read of what is compressed.
  if (names.length === 1 && names[0] === '') await checkCompressed(path);
  const repeated = repeatedIn(names);
  let columns: readonly FileColumn[];
  try {
    const rows = await database.texts(
      `SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${sourceSql(format, path, null)})`,
    );
    columns = rows.map(([name, type]) => ({
      name: name!,
      type: typeIn(format, type!),
      isAmbiguous: repeated.has(name!),
    }));
  } catch (error) {
    if (format === 'csv') await readThrough(database, path);
    throw await inputFault(format, path, error);
  }
  if (format === 'csv') columns = ofFirstLine(columns, names);
  // What DuckDB makes of a file without objects.
  if (format === 'ndjson' && columns.length === 1 && columns[0]!.name === 'json') {
    const fault = await findFaultyLine(path);
    if (fault !== null) throw new MapError(`${path}: ${fault}`);
  }
  for (const { name } of columns) checkName(path, name);
  return columns;
}

function checkName(path: string, name: string): void {
  if (name.toLowerCase() === 'file_row_number')
    throw new MapError(`${path} has a column ${name}, which is what the rows of a file are numbered by: rename it`);
  if (name.includes('\0')) throw new MapError(`${path}: the name of a column has a NUL character`);
}

/**
 * Where lines have other numbers of fields than the first, DuckDB takes a later one for the names: the first has them,
 * and it is read with those.
 */
function ofFirstLine(columns: readonly FileColumn[], names: readonly string[]): readonly FileColumn[] {
  if (columns.length === names.length) return columns;
  const repeated = repeatedIn(names);
  const taken = new Set<string>();
  return names.map((given, at) => {
    const name = given.trim() === '' ? `column${at}` : given.trim();
    let other = name;
    for (let number = 1; taken.has(other.toLowerCase()); number++) other = `${name}_${number}`;
    taken.add(other.toLowerCase());
    return { name: other, type: 'TEXT', isAmbiguous: repeated.has(other) };
  });
}

function repeatedIn(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.filter((name, at) => names.indexOf(name) !== at));
}

/** Throws MapError with the line in which a CSV is broken: looking at its beginning does not tell that. */
async function readThrough(database: Database, path: string): Promise<void> {
  const columns = csvNames(path).map((name) => ({ name, type: 'TEXT' }));
  try {
    // Takes a look at each field.
    await database.texts(
      `SELECT CAST(bit_xor(hash(whole)) AS VARCHAR) FROM ${sourceSql('csv', path, columns)} AS whole`,
    );
  } catch (error) {
    // A ragged line alone would not have kept DuckDB from looking at the beginning.
    const broken = isRaggedFault(error)
      ? ((await findBrokenQuote(path)) ?? (await findCsvFault(path, columns.length, null))?.sentence ?? null)
      : null;
    throw broken === null ? await inputFault('csv', path, error) : new MapError(`${path}: ${broken}`, { cause: error });
  }
}

/** The fault of a file that is no UTF-8, which DuckDB does not see in columns that it does not read. */
export async function noUtf8Fault(database: Database, format: Format, path: string): Promise<unknown> {
  if (format === 'csv') await readThrough(database, path);
  return inputFault(format, path, new DatabaseError('it is no UTF-8'));
}

/** The fault of a file, with the line where that is known. */
export async function inputFault(format: Format, path: string, error: unknown, output?: string): Promise<unknown> {
  const fault = faultOf(path, error, output);
  if (!(error instanceof DatabaseError) || !(fault as MapError).message.startsWith(`${path}: `)) return fault;
  try {
    await checkCompressed(path);
  } catch (damage) {
    return damage;
  }
  const line = format === 'ndjson' ? await findFaultyLine(path) : null;
  if (line !== null) return new MapError(`${path}: ${line}`, { cause: error });
  return format === 'csv' ? csvFault(path, fault as MapError) : fault;
}

/** What DuckDB says where a quote is broken. */
const ofQuotes = /: line \d+: Value with unterminated quote|: Error when sniffing file /;

/** With the line of the file, where DuckDB tells of a record or of none. */
async function csvFault(path: string, fault: MapError): Promise<MapError> {
  const broken = ofQuotes.test(fault.message) ? await findBrokenQuote(path) : null;
  if (broken !== null) return new MapError(`${path}: ${broken}`, { cause: fault.cause });
  const [, record = null, what = ''] = /: line (\d+): (.*)$/s.exec(fault.message.slice(path.length)) ?? [];
  if (record === null && !fault.message.includes(unclearLines)) return fault;
  const found = await findCsvFault(path, csvNames(path).length, record === null ? null : Number(record));
  if (found === null) {
    const quote = record === null ? await findBrokenQuote(path) : null;
    return quote === null ? fault : new MapError(`${path}: ${quote}`, { cause: fault.cause });
  }
  const { line, sentence } = found;
  return new MapError(`${path}: ${sentence ?? `line ${line}: ${what}`}`, { cause: fault.cause });
}

/** Throws MapError for a file that is not what it was when the plan was made. */
export function checkUnchanged({ path, bytes, modifiedMs }: InputFile): void {
  const now = statSync(path, { throwIfNoEntry: false });
  if (now?.size === bytes && now.mtimeMs === modifiedMs) return;
  throw new MapError(
    `${path} ${now === undefined ? 'has gone' : 'has changed'} since the run was planned: ` +
      'what is done was made of what it was, so begin again in another folder',
  );
}

/** Fields of CSV are texts, and the parameter says what they become, not what DuckDB guesses from some of them. */
function typeIn(format: Format, type: string): string {
  if (format === 'parquet') return type;
  return format === 'ndjson' ? 'JSON' : 'TEXT';
}
