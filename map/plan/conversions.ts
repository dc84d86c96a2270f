// How a column of a file becomes a parameter of the script: a table by the types of both. What is not in it is refused.

import type { TypeDescriptor } from '../../src/abi/values.ts';
import type { Carrier, InputFormat } from './plan.ts';
import { numberSql, unitSql } from './units.ts';

export interface Conversion {
  readonly carrier: Carrier;
  readonly sql: (column: string) => string;
  readonly misfitSql: ((column: string) => string) | null;
  readonly unitSql: ((column: string) => string) | null;
  readonly note: string;
}

interface Row {
  /** Kinds of the file's types, without what stands in brackets. */
  readonly from: readonly string[];
  readonly to: Carrier;
  readonly sql: (column: string, columnType: string) => string;
  readonly misfit?: (column: string) => string;
  readonly unit?: (column: string) => string;
  readonly note?: string;
}

const as = (type: string) => (column: string) => `CAST(${column} AS ${type})`;
const smallInts = ['TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'UTINYINT', 'USMALLINT', 'UINTEGER'];
const largeInts = ['UBIGINT', 'HUGEINT', 'UHUGEINT'];
const times = ['TIMESTAMP', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP WITH TIME ZONE'];
/** Where all digits stand behind the point, DuckDB writes none in front of it. */
const decimalText = (column: string, columnType: string): string => {
  const text = as('VARCHAR')(column);
  const [, precision, scale] = /\((\d+),\s*(\d+)\)/.exec(columnType) ?? [];
  return precision === scale ? `regexp_replace(${text}, '^(-?)[.]', '\\10.')` : text;
};
const isEndless = (column: string): string => `NOT isfinite(${column})`;
const finite = (column: string, sql: string): string => `CASE WHEN isfinite(${column}) THEN ${sql} END`;

const rows: readonly Row[] = [
  { from: ['DOUBLE', 'FLOAT', ...smallInts], to: 'double', sql: as('DOUBLE') },
  { from: [...largeInts, 'DECIMAL'], to: 'double', sql: as('DOUBLE'), note: 'the nearest double' },
  { from: smallInts, to: 'int', sql: as('BIGINT') },
  {
    from: largeInts,
    to: 'int',
    sql: (column) => `TRY_CAST(${column} AS BIGINT)`,
    misfit: (column) => `TRY_CAST(${column} AS BIGINT) IS NULL`,
    note: 'beyond 64 bits a dead letter',
  },
  {
    from: ['DATE'],
    to: 'int',
    sql: (column) => finite(column, `${column} - DATE '1970-01-01'`),
    misfit: isEndless,
    note: 'days since 1970-01-01',
  },
  {
    from: times,
    to: 'int',
    sql: (column) => finite(column, `epoch_us(${column})`),
    misfit: isEndless,
    note: 'microseconds since 1970-01-01, UTC',
  },
  {
    from: ['TIMESTAMP_NS'],
    to: 'int',
    sql: (column) => finite(column, `epoch_ns(${column}) // 1000`),
    misfit: (column) => `NOT isfinite(${column}) OR epoch_ns(${column}) % 1000 <> 0`,
    note: 'microseconds since 1970-01-01, UTC; finer ones are dead letters',
  },
  { from: ['BOOLEAN'], to: 'boolean', sql: (column) => column },
  { from: ['VARCHAR', 'ENUM', 'UUID'], to: 'string', sql: as('VARCHAR') },
  { from: ['DECIMAL'], to: 'string', sql: decimalText, note: 'its exact digits' },
  { from: ['DATE', 'TIME', ...times, 'TIMESTAMP_NS'], to: 'string', sql: as('VARCHAR'), note: 'its text, as ISO 8601' },
  { from: ['JSON', 'VARCHAR'], to: 'json', sql: as('VARCHAR'), note: 'parsed as JSON' },
  {
    from: ['LIST', 'STRUCT', 'MAP'],
    to: 'json',
    sql: (column) => `CAST(to_json(${column}) AS VARCHAR)`,
    note: 'through JSON',
  },
];

const ofNoInt = ['.', 'e', 'E'];
const isNoInt = (text: string): string =>
  [`TRY_CAST(${text} AS BIGINT) IS NULL`, ...ofNoInt.map((part) => `contains(${text}, '${part}')`)].join(' OR ');

/** Fields of CSV are texts; an empty one is null. */
const ofCsv: readonly Row[] = [
  {
    from: ['TEXT'],
    to: 'double',
    sql: (column) => `TRY_CAST(${column} AS DOUBLE)`,
    misfit: (column) => `TRY_CAST(${column} AS DOUBLE) IS NULL`,
  },
  {
    from: ['TEXT'],
    to: 'int',
    sql: numberSql,
    misfit: (column) => `(${numberSql(column)}) IS NULL`,
    unit: unitSql,
    note: 'dates are days, with a time microseconds since 1970-01-01',
  },
  {
    from: ['TEXT'],
    to: 'boolean',
    sql: (column) => `TRY_CAST(${column} AS BOOLEAN)`,
    misfit: (column) => `TRY_CAST(${column} AS BOOLEAN) IS NULL`,
  },
  { from: ['TEXT'], to: 'string', sql: (column) => column },
  { from: ['TEXT'], to: 'json', sql: (column) => column, note: 'parsed as JSON' },
];

const jsonText = (column: string): string => `CAST(${column} AS VARCHAR)`;
const unlessNull = (column: string, sql: string): string => `CASE WHEN ${jsonText(column)} <> 'null' THEN ${sql} END`;
const misfitUnlessNull = (column: string, sql: string): string => `${jsonText(column)} <> 'null' AND (${sql})`;

/** Values of NDJSON are their JSON texts. */
const ofJson: readonly Row[] = [
  {
    from: ['JSON'],
    to: 'double',
    sql: (column) => unlessNull(column, `TRY_CAST(${jsonText(column)} AS DOUBLE)`),
    misfit: (column) => misfitUnlessNull(column, `TRY_CAST(${jsonText(column)} AS DOUBLE) IS NULL`),
  },
  {
    from: ['JSON'],
    to: 'int',
    sql: (column) => unlessNull(column, `TRY_CAST(${jsonText(column)} AS BIGINT)`),
    misfit: (column) => misfitUnlessNull(column, isNoInt(jsonText(column))),
  },
  {
    from: ['JSON'],
    to: 'boolean',
    sql: (column) => unlessNull(column, `${jsonText(column)} = 'true'`),
    misfit: (column) => misfitUnlessNull(column, `${jsonText(column)} NOT IN ('true', 'false')`),
  },
  {
    from: ['JSON'],
    to: 'string',
    sql: (column) => unlessNull(column, `json_extract_string(${column}, '$')`),
    misfit: (column) => misfitUnlessNull(column, `NOT starts_with(${jsonText(column)}, '"')`),
  },
  { from: ['JSON'], to: 'json', sql: (column) => unlessNull(column, jsonText(column)) },
];

const asItIs = (column: string): string => column;

/** What columns of a stream have beside those of files; no SQL runs over them. */
const ofArrow: readonly Row[] = [
  ...(['double', 'int', 'boolean', 'string', 'json'] as const).map((to) => ({
    from: ['NULL'],
    to,
    sql: asItIs,
    note: 'always null',
  })),
  {
    from: ['TIMESTAMP_NS WITH TIME ZONE'],
    to: 'int',
    sql: asItIs,
    misfit: asItIs,
    note: 'microseconds since 1970-01-01, UTC; finer ones are dead letters',
  },
  { from: ['TIMESTAMP_NS WITH TIME ZONE'], to: 'string', sql: asItIs, note: 'its text, as ISO 8601' },
];

const tables: Readonly<Record<InputFormat, readonly Row[]>> = {
  parquet: rows,
  csv: ofCsv,
  ndjson: ofJson,
  arrow: [...rows, ...ofArrow],
};

/** Null where such a column cannot be such a parameter. */
export function conversionOf(format: InputFormat, columnType: string, type: TypeDescriptor): Conversion | null {
  const carrier: Carrier = typeof type === 'string' ? type : 'json';
  const kind = kindOf(columnType);
  const row = tables[format].find(({ from, to }) => to === carrier && from.includes(kind));
  if (row === undefined) return null;
  return {
    carrier,
    sql: (column) => row.sql(column, columnType),
    misfitSql: row.misfit ?? null,
    unitSql: row.unit ?? null,
    note: row.note ?? '',
  };
}

/** What a column of this type can be, for a message. */
export function carriersOf(format: InputFormat, columnType: string): readonly Carrier[] {
  const kind = kindOf(columnType);
  return tables[format].filter(({ from }) => from.includes(kind)).map(({ to }) => to);
}

/** `DECIMAL(18,2)` is a DECIMAL, `INTEGER[]` a LIST. */
function kindOf(columnType: string): string {
  if (/\[\d*\]$/.test(columnType)) return 'LIST';
  return columnType.replace(/\(.*$/s, '');
}
