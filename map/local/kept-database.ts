// The DuckDB of a thread: tasks that read and write the same share one, since to open it takes as long as to read half
// a million records.

import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../duckdb/database.ts';
import type { DatabaseOptions } from '../duckdb/database.ts';

/** `folder` is where its temporary folder lies. */
export interface KeptOptions extends Omit<DatabaseOptions, 'temporary'> {
  readonly folder: string;
}

export class KeptDatabase {
  #key = '';
  #kept: { readonly database: Database; readonly temporary: string } | null = null;

  async take({ folder, ...options }: KeptOptions): Promise<Database> {
    const key = JSON.stringify([folder, options]);
    if (this.#kept !== null && this.#key === key) return this.#kept.database;
    this.drop();
    const temporary = join(folder, `duckdb-${randomUUID()}`);
    const database = await Database.open({ ...options, temporary });
    this.#kept = { database, temporary };
    this.#key = key;
    return database;
  }

  /** Comes behind a task that failed: nobody knows what it has left. */
  drop(): void {
    if (this.#kept === null) return;
    const { database, temporary } = this.#kept;
    this.#kept = null;
    database.close();
    rmSync(temporary, { recursive: true, force: true });
  }
}
