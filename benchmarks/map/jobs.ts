// What `npm run bench:map` has done to the records: a folder for each job, with a source in each language that can
// say it.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Job {
  readonly name: string;
  readonly about: string;
}

export const jobs: readonly Job[] = [
  { name: 'filter', about: 'three doubles and an int in, one record of 10,000 out: reading alone' },
  { name: 'numbers', about: 'three doubles and an int in, two doubles and an int out' },
  { name: 'batch', about: 'the same with `mapBatch`, whose loop is in the script' },
  {
    name: 'texts',
    about: 'a text that differs everywhere, one of 200, a double and an int in; two texts and a double out',
  },
  { name: 'rows', about: '`void map`: none, one or two records for each' },
  { name: 'arithmetic', about: '60 steps of bisection for each record' },
];

/** For a queue, whose jobs take seconds each. */
export const longJobs: readonly Job[] = [
  { name: 'daily', about: '5,000 days of interest for each record, in 8 partitions of some 8 seconds' },
];

/** The path of a job's source, such as `main.sql`; null where there is none. */
export function sourceOf(job: string, file: string): string | null {
  const path = fileURLToPath(new URL(`jobs/${job}/${file}`, import.meta.url));
  return existsSync(path) ? path : null;
}
