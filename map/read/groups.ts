// Numbers the groups of a partition in the order in which they appear, and gives each row the number of its group.
// DuckDB does both: a key that is compared in the script would cost more than the step.

import type { Database } from '../duckdb/database.ts';
import type { Chunk } from '../duckdb/vectors.ts';
import { MapError } from '../errors.ts';
import { mostGroups } from '../plan/plan.ts';
import type { GroupColumn, Partition } from '../plan/plan.ts';
import { rowsOf } from './batches.ts';

/** The values of a group's columns, as texts. */
export type GroupKey = readonly (string | null)[];

const keysOfText = 4096;

/** Groups of the rows of one partition. Its connection has to be its own. */
export class PartitionGroups {
  readonly keys: readonly GroupKey[];
  readonly #chunks: AsyncGenerator<Chunk>;
  #chunk: BigInt64Array = new BigInt64Array(0);
  #at = 0;

  private constructor(keys: readonly GroupKey[], chunks: AsyncGenerator<Chunk>) {
    this.keys = keys;
    this.#chunks = chunks;
  }

  static async read(database: Database, by: readonly GroupColumn[], partition: Partition): Promise<PartitionGroups> {
    const rows = rowsOf(partition);
    const columns = by.map(({ sql }, at) => `${sql} AS k${at}`).join(', ');
    await database.run(
      `CREATE OR REPLACE TEMP TABLE groups AS SELECT *, row_number() OVER (ORDER BY first) - 1 AS id FROM ` +
        `(SELECT ${columns}, min(file_row_number) AS first FROM ${rows} GROUP BY ALL LIMIT ${mostGroups + 1})`,
    );
    // Many keys as one text: a text by itself costs ten times as much.
    const key = by.map((_, at) => `CAST(k${at} AS VARCHAR)`).join(', ');
    const texts = await database.texts(
      `SELECT '[' || string_agg(CAST(to_json([${key}]) AS VARCHAR), ',' ORDER BY id) || ']' ` +
        `FROM groups GROUP BY id // ${keysOfText} ORDER BY id // ${keysOfText}`,
    );
    const keys = texts.flatMap(([text]) => JSON.parse(text!) as GroupKey[]);
    if (keys.length > mostGroups) throw tooManyGroups(by);
    const isSame = by.map((_, at) => `r.k${at} IS NOT DISTINCT FROM g.k${at}`).join(' AND ');
    const numbers = database.stream(
      `SELECT g.id FROM (SELECT file_row_number AS place, ${columns} FROM ${rows}) AS r ` +
        `JOIN groups AS g ON ${isSame} ORDER BY r.place`,
    );
    return new PartitionGroups(keys, numbers);
  }

  /** The groups of the next rows. */
  async next(rows: number): Promise<BigInt64Array> {
    const groups = new BigInt64Array(rows);
    for (let filled = 0; filled < rows;) {
      if (this.#at === this.#chunk.length) {
        const next = await this.#chunks.next();
        if (next.done === true) throw new Error('groups ended before their rows');
        // As a copy, which `slice` of Node's buffers is not.
        this.#chunk = new BigInt64Array(new Uint8Array(next.value.bytes(0, 8)).buffer);
        this.#at = 0;
      }
      const part = this.#chunk.subarray(this.#at, this.#at + rows - filled);
      groups.set(part, filled);
      filled += part.length;
      this.#at += part.length;
    }
    return groups;
  }
}

export function tooManyGroups(by: readonly Pick<GroupColumn, 'column'>[]): MapError {
  const columns = by.map(({ column }) => column).join(', ');
  return new MapError(
    `more than ${mostGroups.toLocaleString('en-US')} groups by ${columns}: write the values with map, and let a ` +
      `database sum them up, such as DuckDB with GROUP BY ${columns}`,
  );
}
