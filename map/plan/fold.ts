// What a script that sums up does with the records: what `step` takes, the groups, and what `finish` gives.

import type { Manifest, ManifestExport } from '../../src/abi/manifest.ts';
import { MapError } from '../errors.ts';
import type { FoldFunctions } from './functions.ts';
import { intTypeOf } from './int-types.ts';
import { readGiven, readParameters } from './parameters.ts';
import type { Called, FileColumn, Naming, Source } from './parameters.ts';
import type { Fold, GroupColumn, InputFormat, OutputColumn } from './plan.ts';
import { outputsOf } from './signature.ts';
import { meant } from './types.ts';

/** Throws MapError where functions, columns and groups do not fit each other. */
export function readFold(
  manifest: Manifest,
  { init, step, finish, state, result }: FoldFunctions,
  source: Source,
  naming: Naming,
  by: readonly string[],
): Fold {
  const { inputs, call } = readParameters(manifest, behindState(step), false, source, naming);
  const outputs = outputsOf(manifest, result, false);
  return {
    inputs,
    call,
    by: groupsOf(by, source, outputs),
    init: readGiven(manifest, init, naming),
    finish: readGiven(manifest, behindState(finish), naming),
    state,
    outputs,
    result,
  };
}

/** All parameters that a column or an argument may fill. */
export function calledOf({ init, step, finish }: FoldFunctions): readonly Called[] {
  return [init, behindState(step), behindState(finish)];
}

function behindState({ name, parameters }: ManifestExport): Called {
  return { name, parameters: parameters.slice(1) };
}

/** Names of columns are the same to DuckDB whatever their case. */
function groupsOf(
  by: readonly string[],
  { format, columns, what }: Source,
  outputs: readonly OutputColumn[],
): readonly GroupColumn[] {
  const names = columns.map(({ name }) => name);
  const groups = by.map((wanted) => {
    const column = columns.find(({ name }) => name === wanted);
    if (column === undefined)
      throw new MapError(
        `--by ${wanted}: ${what} has no such column${meant(wanted, names)}; it has ${names.join(', ')}`,
      );
    if (column.isAmbiguous === true) throw new MapError(`--by ${wanted}: ${what} has several columns of that name`);
    return groupOf(format, column);
  });
  const fields = new Map(outputs.map(({ name }) => [name.toLowerCase(), name]));
  const seen = new Set<string>();
  for (const { column } of groups) {
    const name = column.toLowerCase();
    if (seen.has(name)) throw new MapError(`--by has ${column} twice`);
    seen.add(name);
    const field = fields.get(name);
    if (field !== undefined)
      throw new MapError(
        `--by ${column} is a column of the summary, and so is the field ${field} of what finish gives: ` +
          'one of them needs another name',
      );
  }
  return groups;
}

const nested = /^(?:STRUCT|MAP|UNION|VARIANT|GEOMETRY)\b|\[\d*\]$/;

function groupOf(format: InputFormat, { name, type }: FileColumn): GroupColumn {
  const quoted = `"${name.replaceAll('"', '""')}"`;
  // Fields of CSV and NDJSON are staged as texts.
  if (format === 'csv') return { column: name, sql: quoted, written: 'VARCHAR' };
  if (format === 'ndjson') return { column: name, sql: `json_extract_string(${quoted}, '$')`, written: 'VARCHAR' };
  if (nested.test(type) || type === 'JSON')
    throw new MapError(`--by ${name}: it is ${type}, and groups are made by ${groupedBy}`);
  if (type === 'DOUBLE' || type === 'FLOAT')
    return { column: name, sql: `(${quoted} + CAST(0 AS ${type}))`, written: type };
  if (format === 'arrow') return { column: name, sql: quoted, written: writtenOf(name, type) };
  if (type.startsWith('ENUM')) return { column: name, sql: `CAST(${quoted} AS VARCHAR)`, written: 'VARCHAR' };
  return { column: name, sql: quoted, written: type };
}

/** DuckDB has no times of nanoseconds with a zone, and no columns of nulls. */
function writtenOf(name: string, type: string): string {
  if (type === 'BLOB') throw new MapError(`--by ${name}: it is ${type}, and groups are made by ${groupedBy}`);
  if (type === 'NULL') return 'VARCHAR';
  return type === 'TIMESTAMP_NS WITH TIME ZONE' ? 'TIMESTAMP WITH TIME ZONE' : type;
}

const groupedBy = 'numbers, texts, times and booleans';

const columnTypes: Readonly<Record<OutputColumn['carrier'], string>> = {
  double: 'DOUBLE',
  int: 'BIGINT',
  boolean: 'BOOLEAN',
  string: 'VARCHAR',
  json: 'JSON',
};

/** What was mapped, as columns that can be summed up. */
export function mappedSource(outputs: readonly OutputColumn[]): Source {
  return {
    format: 'parquet',
    columns: outputs.map((output) => ({
      name: output.name,
      type: intTypeOf(output)?.column ?? columnTypes[output.carrier],
    })),
    what: 'what map gives',
  };
}
