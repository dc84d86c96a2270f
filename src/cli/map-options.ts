// The options of `sluice map`, as data: help and completions read them without what maps.

import type { Option } from './command.ts';

export const mapOptions: readonly Option[] = [
  {
    name: 'input',
    short: 'i',
    value: 'FILES',
    repeated: true,
    summary: 'Files, or a pattern in quotes: Parquet, CSV, NDJSON; the last two also as .gz and .zst.',
  },
  { name: 'output', short: 'o', value: 'FOLDER', summary: 'Where the output goes: a folder that is new or empty.' },
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
    name: 'format',
    value: 'FORMAT',
    choices: ['parquet', 'csv', 'ndjson'],
    summary: 'The format of the output.',
  },
  { name: 'plan', value: null, summary: 'Say what would be done, without reading a record.' },
  { name: 'resume', value: null, summary: 'Go on with a run that was stopped.' },
  { name: 'threads', value: 'N', summary: 'How many threads; one for each core if left out.' },
  { name: 'max-errors', value: 'N', summary: 'How many records may fail; 0 if left out.' },
  { name: 'max-time', value: 'SECONDS', summary: 'How long a batch of up to 8,192 records may take; 60 if left out.' },
  { name: 'max-memory', value: 'SIZE', summary: 'How much memory such a batch may use; 1GiB if left out.' },
  { name: 'partition-rows', value: 'N', summary: 'Records of a partition, at most; 1,000,000 if left out.' },
  { name: 'seed', value: 'N', summary: 'For Math.random, which gives the same numbers in each run; 0 if left out.' },
];
