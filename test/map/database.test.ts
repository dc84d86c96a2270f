// Chunks of DuckDB: their memory is not the engine's, and must not be freed while somebody still reads them.

import { runInNewContext } from 'node:vm';
import { setFlagsFromString } from 'node:v8';
import { expect, it } from 'vitest';
import { Database } from '../../map/duckdb/database.ts';
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
