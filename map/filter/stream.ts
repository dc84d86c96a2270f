// What a filter reads, and what is told of it.

import type { Records } from '../arrow/records.ts';
import { MapError, TooManyErrors } from '../errors.ts';
import { lineOf } from '../write/failures.ts';
import type { Failure } from '../write/failures.ts';

/** Records that have gone through a filter. */
export interface ArrowCounts {
  readonly read: number;
  /** Records that came out, or rows of a summary. */
  readonly written: number;
  readonly failed: number;
  /** Records that a rule for nulls left out. */
  readonly skipped: number;
}

/** A stream, of which the schema has been read. */
export class Stream {
  /** What messages and dead letters call it. */
  readonly name: string;
  readonly records: Records;
  readonly counts = { read: 0, written: 0, failed: 0, skipped: 0 };
  readonly #onErrors: ((lines: string) => void) | undefined;

  constructor(name: string, records: Records, onErrors: ((lines: string) => void) | undefined) {
    this.name = name;
    this.records = records;
    this.#onErrors = onErrors;
  }

  /** Counts and tells records that failed, of which `jsonOf` gives the records. */
  tellFailed(failures: readonly Failure[], jsonOf: (row: number) => string): void {
    if (failures.length === 0) return;
    this.counts.failed += failures.length;
    this.#onErrors?.(failures.map((failure) => `${lineOf(this.name, failure, jsonOf(failure.row))}\n`).join(''));
  }

  /** What went wrong in a batch, which counts from 1; TooManyErrors names the record. */
  faultIn(batch: number, error: unknown): unknown {
    if (!(error instanceof MapError) || error instanceof TooManyErrors) return error;
    return new MapError(`${this.name}, batch ${batch}: ${error.message}`, { cause: error });
  }
}
