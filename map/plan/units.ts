// What a field of CSV is to an int: a whole number, a date in days, or a date with a time in microseconds. Its own text
// says that, whatever stands in other records. An int has one unit: what most fields of a column are is taken, in all
// files, and the others are dead letters.

import { MapError } from '../errors.ts';

interface Unit {
  /** For people. */
  readonly one: string;
  readonly many: string;
  /** SQL that is true of such a field. */
  readonly is: (field: string) => string;
  /** SQL of its number. */
  readonly sql: (field: string) => string;
  /** SQL of a text for that number. */
  readonly text: (value: string) => string;
}

const integer = (field: string): string => `TRY_CAST(${field} AS BIGINT)`;
const day = (field: string): string => `TRY_CAST(${field} AS DATE)`;
const moment = (field: string): string => `TRY_CAST(${field} AS TIMESTAMP)`;
/** The year stands first: other orders are told apart by guessing. */
const date = '\\s*\\d{4,}[-/]\\d{1,2}[-/]\\d{1,2}';
/** No offset, which DuckDB drops, and nothing below a microsecond. */
const time = '[ T]\\d{1,2}:\\d{2}(:\\d{2}([.]\\d{1,6}0*)?)?( ?UTC|Z)?';

export const units: readonly Unit[] = [
  {
    one: 'a whole number',
    many: 'whole numbers',
    is: (field) =>
      [`${integer(field)} IS NOT NULL`, ...['.', 'e', 'E'].map((part) => `NOT contains(${field}, '${part}')`)].join(
        ' AND ',
      ),
    sql: integer,
    text: (value) => `CAST(${value} AS VARCHAR)`,
  },
  {
    one: 'a date',
    many: 'dates',
    is: (field) => `regexp_full_match(${field}, '${date}\\s*') AND ${day(field)} IS NOT NULL`,
    sql: (field) => `${day(field)} - DATE '1970-01-01'`,
    text: (value) => `CAST(DATE '1970-01-01' + CAST(${value} AS INTEGER) AS VARCHAR)`,
  },
  {
    one: 'a date with a time',
    many: 'dates with times',
    is: (field) => `regexp_full_match(${field}, '${date}${time}\\s*') AND ${moment(field)} IS NOT NULL`,
    sql: (field) => `epoch_us(${moment(field)})`,
    text: (value) => `CAST(make_timestamp(${value}) AS VARCHAR)`,
  },
];

function byUnit(conditions: readonly string[], results: readonly string[]): string {
  return `CASE ${conditions.map((condition, at) => `WHEN ${condition} THEN ${results[at]!}`).join(' ')} END`;
}

/** SQL of a field's number; null where it is none of them. */
export function numberSql(field: string): string {
  return byUnit(
    units.map(({ is }) => is(field)),
    units.map(({ sql }) => `CAST(${sql(field)} AS BIGINT)`),
  );
}

/** SQL of a field that is a whole number, and of `otherwise` for what is another text. */
export function wholeSql(field: string, otherwise: string): string {
  const [{ is, sql }] = units as readonly [Unit, ...Unit[]];
  return `CASE WHEN ${is(field)} THEN ${sql(field)} WHEN ${field} IS NOT NULL THEN ${otherwise} END`;
}

/** SQL of its position among the units. */
export function unitSql(field: string): string {
  return byUnit(
    units.map(({ is }) => is(field)),
    units.map((_, at) => `CAST(${at} AS UTINYINT)`),
  );
}

/** SQL of a text for a number, by the position of its unit. */
export function unitText(value: string, unit: string): string {
  return byUnit(
    units.map((_, at) => `${unit} = ${at}`),
    units.map(({ text }) => text(value)),
  );
}

/** The unit of a column, by how many of its fields have each. Throws MapError where as many have another. */
export function unitOf(column: string, counts: readonly number[]): number {
  const most = Math.max(...counts);
  const [unit = 0, other] = counts.flatMap((count, at) => (count === most ? [at] : []));
  if (other === undefined || most === 0) return unit;
  throw new MapError(
    `the column ${column} has as many ${units[unit]!.many} as ${units[other]!.many} (${most}), and an int of them ` +
      'would have two units: take it as string',
  );
}
