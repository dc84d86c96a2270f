// Small data, scripts, and runs of them in a folder that is gone after the tests.

import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database, literal } from '../../map/duckdb/database.ts';
import { planMap, runMap } from 'sluice-map';
import type { MapOptions, MapProgress, RunOptions } from 'sluice-map';
import { vi } from 'vitest';

// Each run starts threads; a busy machine may take its time over them.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

export class MapFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'sluice-map-'));
  #runs = 0;

  file(name: string): string {
    return join(this.path, name);
  }

  write(name: string, content: string | Uint8Array): string {
    writeFileSync(this.file(name), content);
    return this.file(name);
  }

  /** A script, whose name follows from its text. */
  script(text: string): string {
    return this.write(`script-${createHash('sha256').update(text).digest('hex').slice(0, 8)}.slu`, text);
  }

  /** A Parquet file with the rows of a query. */
  async parquet(name: string, sql: string, options = ''): Promise<string> {
    const database = await Database.open({ threads: 1, memoryBytes: 2 ** 28, temporary: '', reach: 'everything' });
    try {
      await database.run(`COPY (${sql}) TO ${literal(this.file(name))} (FORMAT parquet${options})`);
    } finally {
      database.close();
    }
    return this.file(name);
  }

  /** Maps into a new folder, and answers with that and with the end. */
  async map(
    script: string,
    input: string | readonly string[],
    options: Partial<MapOptions> & RunOptions = {},
  ): Promise<{ readonly output: string; readonly end: MapProgress }> {
    const { threads = 1, signal, resume = false, ...rest } = options;
    const output = options.output ?? this.file(`out-${this.#runs++}`);
    const plan = await planMap({ script: this.script(script), input, output, ...rest });
    let end: MapProgress | null = null;
    for await (const progress of runMap(plan, { threads, resume, ...(signal === undefined ? {} : { signal }) }))
      end = progress;
    return { output, end: end! };
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Rows of a query, as texts. */
export async function query(sql: string): Promise<(string | null)[][]> {
  const database = await Database.open({ threads: 1, memoryBytes: 2 ** 28, temporary: '', reach: 'everything' });
  try {
    return await database.texts(sql);
  } finally {
    database.close();
  }
}

/** The rows of all parts, in order: each as text. */
export async function rowsOf(output: string): Promise<string[]> {
  const files = readdirSync(output)
    .filter((name) => name.startsWith('part-'))
    .sort();
  const rows: string[] = [];
  for (const file of files)
    rows.push(
      ...(await query(`SELECT CAST(to_json(whole) AS VARCHAR) FROM ${literal(join(output, file))} AS whole`)).map(
        ([row]) => row!,
      ),
    );
  return rows;
}

/** The records that failed. */
export function failuresOf(output: string): {
  readonly row: number;
  readonly type: string;
  readonly message: string;
  readonly stack?: readonly string[];
  readonly record: unknown;
}[] {
  return readdirSync(join(output, '_errors'))
    .sort()
    .flatMap((name) =>
      readFileSync(join(output, '_errors', name), 'utf8')
        .trim()
        .split('\n'),
    )
    .map((line) => JSON.parse(line) as never);
}

/** Names and hashes of all files in a folder. */
export function hashesOf(output: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(output, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(output.length), createHash('sha256').update(readFileSync(path)).digest('hex')]),
  );
}
