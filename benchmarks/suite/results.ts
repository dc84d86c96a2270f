// What the suite measured, as it is kept in a JSON file: every single time, so that the figures can be made anew.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Results {
  readonly date: string;
  readonly machine: Machine;
  readonly settings: Settings;
  readonly competitors: readonly ResultCompetitor[];
  readonly kernels: readonly KernelResult[];
}

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memory: string;
  readonly system: string;
}

export interface Settings {
  /** Fresh processes of each competitor. */
  readonly processes: number;
  /** Runs after the first that are not counted. */
  readonly warmUp: number;
  /** Runs of each process that are counted. */
  readonly repetitions: number;
}

export interface ResultCompetitor {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  readonly flags: string;
}

export interface KernelResult {
  readonly name: string;
  readonly about: string;
  readonly n: number;
  /** What all of them computed. */
  readonly result: number;
  /** By the competitor's id; those without a source for the kernel are missing. */
  readonly times: Readonly<Record<string, Times>>;
  /** Why there are no times, by the competitor's id. */
  readonly failures: Readonly<Record<string, string>>;
}

/** Milliseconds. */
export interface Times {
  /** The first run of each process. */
  readonly first: readonly number[];
  /** Later runs of all processes. */
  readonly steady: readonly number[];
}

/** Where a whole run is kept, and the report is made of it. */
export const resultsFile = fileURLToPath(new URL('../report/results.json', import.meta.url));

export function readResults(file = resultsFile): Results {
  return JSON.parse(readFileSync(file, 'utf8')) as Results;
}

/** One line for each list of times, so that a diff can be read. */
export function writeResults(results: Results, file = resultsFile): void {
  const text = JSON.stringify(results, null, 1).replace(/\[[\d.,\s]*\]/g, (list) => list.replace(/\s+/g, ''));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${text}\n`);
}
