// A query of DuckDB from file to file, in one thread.
//
//   node duckdb.ts QUERY INPUT OUTPUT

import { readFileSync } from 'node:fs';
import { Database, literal } from '../../../map/duckdb/database.ts';

const [query, input, output] = process.argv.slice(2) as [string, string, string];
const database = await Database.open({ threads: 1, memoryBytes: 2 ** 29, temporary: '', reach: 'everything' });
const reader = input.endsWith('.csv') ? 'read_csv' : 'read_parquet';
await database.run(`CREATE VIEW input AS SELECT * FROM ${reader}(${literal(input)})`);
await database.run(`COPY (${readFileSync(query, 'utf8')}) TO ${literal(output)} (FORMAT parquet)`);
database.close();
