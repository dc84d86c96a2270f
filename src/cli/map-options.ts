// The options of `sluice map`, as data: help and completions read them without what maps.

import type { Option, OptionGroup } from './command.ts';
import { permissionOptions } from './permissions/options.ts';
import { pluginOption } from './plugins.ts';

const mapPermissions: OptionGroup = {
  title: 'Permissions',
  summary: 'a script reaches nothing but its records unless a flag allows it.',
};

const workerPermissions: OptionGroup = {
  title: 'Permissions',
  summary: 'what scripts of jobs may reach; jobs that ask for more are left to other workers.',
};

/** Nobody is asked in the middle of a run, and each thread decides for itself. */
const mapPermissionFlags: readonly Option[] = permissionOptions
  .filter(({ name }) => name !== 'audit' && name !== 'no-prompt')
  .map((option) => ({ ...option, group: mapPermissions }));

/** What of the command line says what the script may reach. */
export const mapPermissionNames: readonly string[] = mapPermissionFlags.map(({ name }) => name);

const telemetry: Option = {
  name: 'telemetry',
  value: null,
  summary: 'Spans of OpenTelemetry for jobs, by what the process has set up for them.',
};

export const mapOptions: readonly Option[] = [
  {
    name: 'input',
    short: 'i',
    value: 'FILES',
    repeated: true,
    summary:
      'Files, or a pattern in quotes: Parquet, Arrow, CSV, NDJSON, the last two also .gz, .zst; - is an Arrow stream.',
  },
  {
    name: 'output',
    short: 'o',
    value: 'FOLDER',
    summary: 'Where the output goes: a folder that is new or empty, or - for standard output.',
  },
  {
    name: 'arg',
    short: 'a',
    value: 'NAME=VALUE',
    repeated: true,
    summary:
      'An argument that is no column: text for a string, otherwise JSON. NAME=@PATH reads the value from a file.',
  },
  {
    name: 'column',
    value: 'NAME=COLUMN',
    repeated: true,
    summary: 'The column of a parameter whose name is another.',
  },
  {
    name: 'null',
    value: 'NAME=RULE',
    repeated: true,
    summary:
      'What null is in a parameter: skip leaves the record out, error counts it as failed, others are its value.',
  },
  {
    name: 'type',
    value: 'COLUMN=TYPE',
    repeated: true,
    summary:
      'What a column of ints is written as: days since 1970 as DATE, microseconds, UTC, as TIMESTAMP or TIMESTAMPTZ.',
  },
  {
    name: 'by',
    value: 'COLUMNS',
    repeated: true,
    summary: 'Columns that make groups, with commas between them, for init, step, merge and finish.',
  },
  {
    name: 'format',
    value: 'FORMAT',
    choices: ['parquet', 'csv', 'ndjson', 'arrow'],
    summary: 'The format of the output; arrow from standard input to standard output alone.',
  },
  { name: 'plan', value: null, summary: 'Say what would be done, without reading a record.' },
  {
    name: 'check-merge',
    value: null,
    summary:
      'Check merge by a sample: pieces of it, merged in several orders, should give the same. Nothing is written.',
  },
  { name: 'resume', value: null, summary: 'Go on with a run that was stopped.' },
  { name: 'threads', value: 'N', summary: 'How many threads; one for each core if left out.' },
  {
    name: 'max-errors',
    value: 'N',
    summary: 'How many records may fail: a number, or a share of them such as 1%; 0 if left out.',
  },
  {
    name: 'errors',
    value: 'FILE',
    summary: 'Where records of a stream that failed are appended to; standard error if left out.',
  },
  { name: 'max-time', value: 'SECONDS', summary: 'How long a batch of up to 8,192 records may take; 60 if left out.' },
  { name: 'max-memory', value: 'SIZE', summary: 'How much memory such a batch may use; 1GiB if left out.' },
  { name: 'partition-rows', value: 'N', summary: 'Records of a partition, at most; 1,000,000 if left out.' },
  {
    name: 'queue',
    value: 'URL',
    summary: 'Have workers elsewhere do it: redis://…, rediss://…, postgres://…, or @PATH of a file with that.',
  },
  { name: 'key', value: 'FILE', summary: 'The private key that signs jobs for workers: see sluice map-keys.' },
  {
    name: 'dashboard-port',
    value: '[HOST:]PORT',
    summary: 'A page with the jobs of the queue while the run lasts, and their counts at /metrics.',
  },
  telemetry,
  { name: 'seed', value: 'N', summary: 'For Math.random, which gives the same numbers in each run; 0 if left out.' },
  pluginOption,
  {
    name: 'allow-repeats',
    value: null,
    summary: 'Allow what changes something elsewhere, though a partition that is done again does it again.',
    group: mapPermissions,
  },
  ...mapPermissionFlags,
];

export const mapWorkerOptions: readonly Option[] = [
  {
    name: 'queue',
    value: 'URL',
    summary: 'Where jobs come from: redis://…, rediss://…, postgres://…, or @PATH of a file with that.',
  },
  {
    name: 'trust',
    value: 'FILE',
    repeated: true,
    summary: 'A public key: jobs that none of them signed are refused. See sluice map-keys.',
  },
  { name: 'allow-input', value: 'DIR', repeated: true, summary: 'A folder that files of the input may lie in.' },
  { name: 'allow-output', value: 'DIR', repeated: true, summary: 'A folder that the output may lie in.' },
  { name: 'threads', value: 'N', summary: 'How many partitions at a time; one for each core if left out.' },
  { name: 'max-time', value: 'SECONDS', summary: 'The most that jobs may ask for with --max-time; 60 if left out.' },
  { name: 'max-memory', value: 'SIZE', summary: 'The most that jobs may ask for with --max-memory; 1GiB if left out.' },
  {
    name: 'grace',
    value: 'SECONDS',
    summary: 'How long to go on with what is begun when it is told to end; 20 if left out.',
  },
  {
    name: 'lock-time',
    value: 'SECONDS',
    summary: 'After how long without a sign of life the jobs of a worker go to others; 30 if left out.',
  },
  { name: 'metrics-port', value: '[HOST:]PORT', summary: 'Answer GET /metrics there, for Prometheus.' },
  telemetry,
  ...mapPermissionFlags
    .filter(({ name }) => name !== 'allow-all')
    .map((option) => ({ ...option, group: workerPermissions })),
];
