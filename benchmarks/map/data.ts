// The records that all contenders read: nine columns, made by DuckDB from a seed, as Parquet or CSV.

import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { Database, literal } from '../../map/duckdb/database.ts';

const seed = 19;

/** A number from 0 to below 1 for each row and column. */
function draw(column: number): string {
  return `(hash(i * 16 + ${column} + ${seed * 1_000_000_007}) >> 11) / 9007199254740992.0::DOUBLE`;
}

function recordsSql(rows: number): string {
  return (
    `SELECT i AS id, 1 + ${draw(0)} * 999 AS price, 1 + ${draw(1)} * 499 AS cost, ` +
    `CAST(1 + floor(${draw(2)} * 20) AS INTEGER) AS quantity, ${draw(3)} * 0.3 AS discount, ` +
    `'country ' || CAST(floor(${draw(4)} * 200) AS INTEGER) AS country, ` +
    `'customer ' || i || '/' || CAST(floor(${draw(5)} * 100000) AS INTEGER) AS customer, ` +
    `DATE '2026-01-01' + CAST(floor(${draw(6)} * 365) AS INTEGER) AS day, ${draw(7)} < 0.9 AS paid ` +
    `FROM range(${rows}) AS numbers(i)`
  );
}

/** The path of a file with so many records, which is made where it is missing. */
export async function makeData(folder: string, format: 'parquet' | 'csv', rows: number): Promise<string> {
  const path = join(folder, `orders-${rows}.${format}`);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const database = await Database.open({ threads: 1, memoryBytes: 2 ** 31, temporary: '', reach: 'everything' });
  try {
    const options = format === 'parquet' ? 'FORMAT parquet' : 'FORMAT csv, HEADER true';
    await database.run(`COPY (${recordsSql(rows)}) TO ${literal(`${path}.tmp`)} (${options})`);
  } finally {
    database.close();
  }
  renameSync(`${path}.tmp`, path);
  return path;
}
