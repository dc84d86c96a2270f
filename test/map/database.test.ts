// Chunks of DuckDB: their memory is not the engine's, and must not be freed while somebody still reads them.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { setFlagsFromString } from 'node:v8';
import { expect, it } from 'vitest';
import { Database, fileToWrite } from '../../map/duckdb/database.ts';
import type { Chunk } from '../../map/duckdb/vectors.ts';

it('keeps the memory of a chunk as long as the chunk', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const database = await Database.open({ threads: 1, memoryBytes: 2 ** 28, temporary: '', reach: 'everything' });
  try {
    const stream = database.stream(
      `SELECT 'a text that is too long to lie in its row: ' || i FROM range(2000) AS t(i)`,
    );
    const chunk = (await stream.next()).value as Chunk;
    await stream.return(undefined);
    for (let round = 0; round < 20; round++) {
      collectGarbage();
      // What is freed is used again by others.
      await database.another().then(async (other) => {
        await other.texts(`SELECT repeat(CAST(i AS VARCHAR), 100) FROM range(2000) AS t(i)`);
        other.disconnect();
      });
    }
    const texts = Array.from({ length: chunk.rows }, (_, row) => chunk.text(0, row));
    expect(texts).toEqual(
      Array.from({ length: 2000 }, (_, row) => `a text that is too long to lie in its row: ${row}`),
    );
  } finally {
    database.close();
  }
});

it('takes back what a chunk has handed out once the next one is asked for', async () => {
  const database = await Database.open({ threads: 1, memoryBytes: 2 ** 28, temporary: '', reach: 'everything' });
  try {
    const handedOut: Uint8Array[] = [];
    let rows = 0;
    const query = 'SELECT CASE WHEN i % 2 = 0 THEN i END FROM range(5000) AS t(i)';
    for await (const chunk of database.stream(query)) {
      for (const bytes of handedOut) expect(bytes.length).toBe(0);
      const numbers = chunk.bytes(0, 8);
      const valid = chunk.valid(0)!;
      expect(numbers.length).toBe(chunk.rows * 8);
      expect(valid[0]).toBe(0b0101_0101);
      expect(new DataView(numbers.buffer, numbers.byteOffset).getBigInt64(16, true)).toBe(BigInt(rows + 2));
      handedOut.push(numbers, valid);
      rows += chunk.rows;
    }
    expect(rows).toBe(5000);
    for (const bytes of handedOut) expect(bytes.length).toBe(0);
  } finally {
    database.close();
  }
});

it('takes it back behind a function of SQL, whose rows it gives', async () => {
  const database = await Database.open({ threads: 1, memoryBytes: 2 ** 28, temporary: '', reach: 'everything' });
  const [numbers, nulls] = [Float64Array.from({ length: 2048 }, (_, at) => at), new BigInt64Array(0)];
  const path = join(mkdtempSync(join(tmpdir(), 'sluice-database-')), 'rows.csv');
  try {
    const handedOut: Uint8Array[] = [];
    // As many rows as chunks came before.
    await database.runWith(
      { takes: ['BIGINT'], gives: ['DOUBLE'] },
      (chunk) => {
        const rows = handedOut.length;
        handedOut.push(chunk.bytes(0, 8));
        return { rows, columns: [{ values: numbers, nulls }] };
      },
      (name) =>
        `COPY (SELECT r.c0 AS x FROM (SELECT ${name}(i) AS r FROM range(8192) AS t(i)) WHERE r.has) ` +
        `TO ${fileToWrite(path)} (FORMAT csv)`,
    );
    expect(handedOut.map(({ length }) => length)).toEqual([0, 0, 0, 0]);
    expect(readFileSync(path, 'utf8')).toBe('x\n0.0\n0.0\n1.0\n0.0\n1.0\n2.0\n');
  } finally {
    database.close();
    rmSync(dirname(path), { recursive: true, force: true });
  }
});
