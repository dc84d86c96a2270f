// Types that a column of ints can be written as: what an int of each is, and which of them there is one for.

import { MapError } from '../errors.ts';
import type { Fold, OutputColumn, Work } from './plan.ts';
import { meant } from './types.ts';

/** How a column of ints is written where it is no BIGINT. */
export type IntType = 'DATE' | 'TIMESTAMP' | 'TIMESTAMPTZ';

/** An int of such a type. */
export interface IntTypeRow {
  readonly name: IntType;
  /** What it counts. */
  readonly unit: string;
  /** The first and the last that DuckDB has; those around them are its infinities, or nothing. */
  readonly least: bigint;
  readonly most: bigint;
  readonly sql: (int: string) => string;
  /** What the type is in SQL. */
  readonly column: string;
}

const unitOfMoments = 'microseconds since 1970-01-01, UTC';
const momentOf = (int: string): string => `make_timestamp(${int})`;

const rows: Readonly<Record<IntType, IntTypeRow>> = {
  DATE: {
    name: 'DATE',
    unit: 'days since 1970-01-01',
    least: -2_147_483_646n,
    most: 2_147_483_646n,
    sql: (int) => `make_date(CAST(${int} AS INTEGER))`,
    column: 'DATE',
  },
  TIMESTAMP: {
    name: 'TIMESTAMP',
    unit: unitOfMoments,
    least: -9_223_372_022_400_000_000n,
    most: 9_223_372_036_854_775_806n,
    sql: momentOf,
    column: 'TIMESTAMP',
  },
  // All times are those of UTC here (duckdb/database.ts). DuckDB counts them in doubles of milliseconds on the way.
  TIMESTAMPTZ: {
    name: 'TIMESTAMPTZ',
    unit: unitOfMoments,
    least: -9_007_199_254_740_992_000n,
    most: 9_007_199_254_740_991_999n,
    sql: (int) => `CAST(${momentOf(int)} AS TIMESTAMPTZ)`,
    column: 'TIMESTAMP WITH TIME ZONE',
  },
};

/** Null for a column that is written as what it is. */
export function intTypeOf({ carrier, written }: OutputColumn): IntTypeRow | null {
  return carrier === 'int' && written !== undefined ? rows[written as IntType] : null;
}

export function hasIntTypes(outputs: readonly OutputColumn[]): boolean {
  return outputs.some((output) => intTypeOf(output) !== null);
}

/** What is said of an int that its column cannot have. */
export function unwritableMessage({ name, written }: OutputColumn, value: string): string {
  const { unit, least, most } = rows[written as IntType];
  return `${name}: expected ${written}, which is ${unit}, from ${least} to ${most}, got ${value}`;
}

/** Types by column, as they are given: in any case, as SQL has them. Throws MapError for one that there is not. */
export function readIntTypes(given: Readonly<Record<string, string>>): ReadonlyMap<string, IntType> {
  const names = Object.keys(rows) as IntType[];
  return new Map(
    Object.entries(given).map(([column, text]) => {
      const type = names.find((name) => name === text.toUpperCase());
      if (type !== undefined) return [column, type];
      throw new MapError(
        `--type ${column}=${text}: a column of ints is written as ${names.slice(0, -1).join(', ')} or ${names.at(-1)}` +
          meant(text.toUpperCase(), names),
      );
    }),
  );
}

/** The same work, whose columns of ints have the types that they are to have. */
export function withIntTypes<Kind extends Work | Fold>(work: Kind, types: ReadonlyMap<string, IntType>): Kind {
  if (types.size === 0) return work;
  const outputs = work.outputs.map((output) => {
    const written = output.carrier === 'int' ? types.get(output.name) : undefined;
    return written === undefined ? output : { ...output, written };
  });
  return { ...work, outputs };
}

/** Throws MapError for a type of a column that is not written, or is none of ints. */
export function checkIntTypes(types: ReadonlyMap<string, IntType>, map: Work | null, fold: Fold | null): void {
  const outputs = [...(map?.outputs ?? []), ...(fold?.outputs ?? [])];
  for (const [column, type] of types) {
    const found = outputs.filter(({ name }) => name === column);
    if (found.some(({ carrier }) => carrier === 'int')) continue;
    const option = `--type ${column}=${type}`;
    if (found.length > 0)
      throw new MapError(`${option}: ${column} is ${found[0]!.carrier}, and columns of ints have such types`);
    if (fold?.by.some((group) => group.column === column) === true)
      throw new MapError(`${option}: ${column} is a column of --by, and keeps the type that it has`);
    const names = [...new Set(outputs.map(({ name }) => name))];
    throw new MapError(
      `${option}: the script gives no such column${meant(column, names)}; it gives ${names.join(', ')}`,
    );
  }
}
