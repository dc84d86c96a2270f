// Runs a contender as a process, and says what it took; and whether all wrote the same.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Database, literal } from '../../map/duckdb/database.ts';

export interface Measured {
  /** User and system time of the process with all its threads. */
  readonly cpuMs: number;
  readonly wallMs: number;
  /** Memory at most. */
  readonly bytes: number;
}

/** Runs a command, which has to end well. */
export async function runMeasured([file, ...words]: readonly string[], output: string): Promise<Measured> {
  rmSync(output, { recursive: true, force: true });
  const begun = performance.now();
  const child = spawn(file!, words, { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
  const collect = async (stream: AsyncIterable<unknown>): Promise<string> => {
    let text = '';
    for await (const piece of stream) text += String(piece);
    return text;
  };
  const [said, usage, [code]] = await Promise.all([
    collect(child.stderr!),
    collect(child.stdio[3] as NodeJS.ReadableStream as AsyncIterable<unknown>),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  const wallMs = performance.now() - begun;
  if (code !== 0) throw new Error(`${file} ${words.join(' ')} ended with ${code}: ${said}`);
  return { ...(JSON.parse(usage) as Omit<Measured, 'wallMs'>), wallMs };
}

/** Rows, and what their values come to, whatever their order and width: the same text for the same records. */
export async function checksumOf(written: string): Promise<string> {
  const database = await Database.open({ threads: 1, memoryBytes: 2 ** 29, temporary: '', reach: 'everything' });
  try {
    const source = written.endsWith('.csv') ? `read_csv(${literal(written)})` : `read_parquet(${literal(written)})`;
    const columns = await database.texts(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${source})`);
    const values = columns.map(([name, type]) => {
      const wide = /INT$|^INTEGER$/.test(type!) ? 'BIGINT' : type!;
      return `CAST("${name}" AS ${wide})`;
    });
    const [[rows, sum]] = (await database.texts(
      `SELECT CAST(count(*) AS VARCHAR), CAST(sum(hash(${values.join(', ')})) AS VARCHAR) FROM ${source}`,
    )) as [[string, string]];
    return `${rows} rows, ${sum}`;
  } finally {
    database.close();
  }
}
