// What was measured, as it is kept beside the report.

import type { Machine } from '../suite/results.ts';

export interface Row {
  readonly job: string;
  readonly contender: string;
  readonly rows: number;
  readonly format: 'parquet' | 'csv';
  readonly threads: number;
  readonly cpuMs: readonly number[];
  readonly wallMs: readonly number[];
  readonly bytes: readonly number[];
}

export interface Results {
  readonly date: string;
  readonly machine: Machine;
  /** By contender. */
  readonly versions: Readonly<Record<string, string>>;
  /** Who is missing, and how to have it. */
  readonly missing: readonly string[];
  /** Work of two spinning processes, one being 1. */
  readonly spinning: number;
  readonly rows: readonly Row[];
}
