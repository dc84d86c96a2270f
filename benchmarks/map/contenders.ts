// Who does the jobs: each as a process of its own, which takes a file and leaves one.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

export interface Contender {
  readonly id: string;
  readonly title: string;
  /** The job's source. */
  readonly source: string;
  readonly reads: readonly ('parquet' | 'csv')[];
  /** Null where it is not installed. */
  readonly version: () => string | null;
  readonly command: (source: string, input: string, output: string, options: readonly string[]) => readonly string[];
  /** The name of what it writes, and how DuckDB finds the records there. */
  readonly output: string;
  readonly written: (output: string) => string;
}

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Node, and in front what writes down the use of the process. */
const node = [process.execPath, '--import', path('usage.js')];

const packageVersion = (name: string, from: string): string | null => {
  const file = path(`${from}/node_modules/${name}/package.json`);
  return existsSync(file)
    ? `${name} ${(createRequire(import.meta.url)(file) as { readonly version: string }).version}`
    : null;
};

/** Debian's pandas is of Debian's Python, which need not be the first one. */
const pythons = ['python3', '/usr/bin/python3'];

function findPandas(): { readonly python: string; readonly version: string } | null {
  for (const python of pythons) {
    const { status, stdout } = spawnSync(python, ['-c', 'import pandas; print(pandas.__version__)'], {
      encoding: 'utf8',
    });
    if (status === 0) return { python, version: stdout.trim() };
  }
  return null;
}

export const contenders: readonly Contender[] = [
  {
    id: 'sluice',
    title: 'sluice map',
    source: 'main.slu',
    reads: ['parquet', 'csv'],
    version: () => `Node ${process.version}`,
    command: (source, input, output, options) => [
      ...node,
      path('../../packages/sluice/bin/sluice.mjs'),
      'map',
      source,
      '--input',
      input,
      '--output',
      output,
      ...options,
    ],
    output: 'out',
    written: (output) => `${output}/part-*.parquet`,
  },
  {
    id: 'queue',
    title: 'sluice map with a queue, one worker',
    source: 'main.slu',
    reads: ['parquet', 'csv'],
    version: () => {
      const found = packageVersion('bullmq', '../..');
      const { status, stdout } = spawnSync('redis-server', ['--version'], { encoding: 'utf8' });
      return status === 0 && found !== null ? `Redis ${/v=(\S+)/.exec(stdout)![1]!}, ${found}` : null;
    },
    command: (source, input, output, options) => [
      process.execPath,
      path('contenders/queue.ts'),
      source,
      input,
      output,
      ...options,
    ],
    output: 'out-queue',
    written: (output) => `${output}/part-*.parquet`,
  },
  {
    id: 'duckdb',
    title: 'SQL of DuckDB, one thread',
    source: 'main.sql',
    reads: ['parquet', 'csv'],
    version: () => packageVersion('@duckdb/node-bindings', '../..'),
    command: (source, input, output) => [...node, path('contenders/duckdb.js'), source, input, output],
    output: 'out.parquet',
    written: (output) => output,
  },
  {
    id: 'node',
    title: 'JavaScript in Node with hyparquet',
    source: 'main.js',
    reads: ['parquet'],
    version: () => {
      const found = ['hyparquet', 'hyparquet-writer'].map((name) => packageVersion(name, '.'));
      return found.includes(null) ? null : found.join(', ');
    },
    command: (source, input, output) => [...node, path('contenders/node.js'), source, input, output],
    output: 'out.parquet',
    written: (output) => output,
  },
  {
    id: 'pandas',
    title: 'pandas, `apply(axis=1)`',
    source: 'main.py',
    reads: ['csv'],
    version: () => {
      const found = findPandas();
      return found === null ? null : `pandas ${found.version}`;
    },
    command: (source, input, output) => [
      findPandas()!.python,
      path('contenders/pandas_rows.py'),
      source,
      input,
      output,
    ],
    output: 'out.csv',
    written: (output) => output,
  },
];

/** How to have the one that is missing. */
export const howToInstall: Readonly<Record<string, string>> = {
  queue: 'apt-get install redis-server',
  duckdb: 'npm ci',
  node: 'npm ci --prefix benchmarks/map --ignore-scripts',
  pandas: 'apt-get install python3-pandas',
};
