// A plugin by defineModule: SQLite behind permissions of its own, db:query and db:change. What a grant says, the plugin
// keeps to: `maxRows` bounds an answer, `tables` names the tables that may be used.

import { constants, DatabaseSync } from 'node:sqlite';
import { defineModule } from 'sluice/host';

/** A plugin for one database, of which the owner keeps hold. */
export function databasePlugin(database) {
  /** Runs a statement that may use these tables alone, and change nothing if `readOnly`. */
  const run = (sql, values, { tables, maxRows = 10_000 }, readOnly) => {
    const allowed = new Set([
      constants.SQLITE_SELECT,
      constants.SQLITE_READ,
      constants.SQLITE_FUNCTION,
      ...(readOnly ? [] : [constants.SQLITE_INSERT, constants.SQLITE_UPDATE, constants.SQLITE_DELETE]),
    ]);
    database.setAuthorizer((action, table) => {
      const touches =
        action === constants.SQLITE_READ ||
        action === constants.SQLITE_INSERT ||
        action === constants.SQLITE_UPDATE ||
        action === constants.SQLITE_DELETE;
      return allowed.has(action) && (!touches || tables === undefined || tables.includes(table))
        ? constants.SQLITE_OK
        : constants.SQLITE_DENY;
    });
    try {
      const statement = database.prepare(sql);
      if (!readOnly) return statement.run(...values).changes;
      const rows = [];
      for (const row of statement.iterate(...values)) {
        if (rows.length === maxRows) throw new Error(`more than ${maxRows} rows`);
        rows.push({ ...row });
      }
      return rows;
    } finally {
      database.setAuthorizer(null);
    }
  };
  return defineModule({
    name: 'Database',
    documentation: 'One SQLite database.',
    functions: {
      'json query(string sql, string[] values)': {
        documentation: 'The rows that a SELECT gives, as objects; each ? stands for one of the values.',
        permission: 'db:query',
        details: (sql, values) => ({ sql, values }),
        call: (sql, values, { constraints }) => run(sql, values, constraints, true),
      },
      'int change(string sql, string[] values)': {
        documentation: 'Does an INSERT, UPDATE or DELETE, and tells how many rows it changed.',
        permission: 'db:change',
        details: (sql, values) => ({ sql, values }),
        call: (sql, values, { constraints }) => run(sql, values, constraints, false),
      },
    },
  });
}

/** What `sluice --plugin` takes: a database in memory with a few rows. */
const database = new DatabaseSync(':memory:');
database.exec(
  "CREATE TABLE birds (name TEXT, grams INTEGER); INSERT INTO birds VALUES ('Adelie', 3700), ('Gentoo', 5076); " +
    'CREATE TABLE secrets (text TEXT);',
);

export const plugin = databasePlugin(database);
