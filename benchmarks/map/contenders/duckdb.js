// A query of DuckDB from file to file, in one thread. Plain JavaScript, as the start of a job counts.
//
//   node duckdb.js QUERY INPUT OUTPUT

import { readFileSync } from 'node:fs';
import duckdb from '@duckdb/node-bindings';

const [query, input, output] = process.argv.slice(2);
const literal = (text) => `'${text.replaceAll("'", "''")}'`;
const config = duckdb.create_config();
duckdb.set_config(config, 'threads', '1');
duckdb.set_config(config, 'memory_limit', '512MiB');
const connection = await duckdb.connect(await duckdb.open(':memory:', config));
const reader = input.endsWith('.csv') ? 'read_csv' : 'read_parquet';
await duckdb.query(connection, `CREATE VIEW input AS SELECT * FROM ${reader}(${literal(input)})`);
await duckdb.query(connection, `COPY (${readFileSync(query, 'utf8')}) TO ${literal(output)} (FORMAT parquet)`);
duckdb.disconnect_sync(connection);
