// What is wrong with a map of records, in one sentence for people: files, columns, options, and runs that had to stop.

import type { Diagnostic } from '../src/index.ts';

/** A wrong use, a faulty input, or a run that had to stop. */
export class MapError extends Error {
  override readonly name: string = 'MapError';
}

/** The script does not compile. */
export class MapScriptError extends MapError {
  override readonly name = 'MapScriptError';
  readonly diagnostics: readonly Diagnostic[];

  constructor(script: string, diagnostics: readonly Diagnostic[]) {
    super(`${script} has errors: ${diagnostics.find(({ type }) => type !== 'Warning')?.message ?? ''}`);
    this.diagnostics = diagnostics;
  }
}

/** More records failed than `maxErrors` allows; what is done stays, and a resumed run goes on behind it. */
export class TooManyErrors extends MapError {
  override readonly name = 'TooManyErrors';
}

/** The sentence of a run that ends for its errors, and a line for each place of the first one's stack. */
export function tooManyErrors(maxErrors: number | string, first: string, stack: readonly string[] = []): string {
  return [
    `${first} (more than --max-errors=${maxErrors} ${typeof maxErrors === 'number' ? '' : 'of the '}records failed)`,
    ...stack.map((frame) => `    at ${frame}`),
  ].join('\n');
}

/** What is said where the output finds no room. */
export const noSpace = 'there is no space left on the disk';

/** A partition that failed for good. */
export interface FailedPartition {
  readonly partition: number;
  readonly source: string;
  /** Its first row, and the one behind its last. */
  readonly from: number;
  readonly to: number;
  readonly reason: string;
}

/** Partitions that failed for good; all others are done and stay, and a resumed run tries these again. */
export class PartitionsFailed extends MapError {
  override readonly name = 'PartitionsFailed';
  readonly partitions: readonly FailedPartition[];

  constructor(partitions: readonly FailedPartition[]) {
    const { source, from, to, reason } = partitions[0]!;
    const count = partitions.length === 1 ? '1 partition' : `${partitions.length} partitions`;
    super(`${count} failed for good: ${source}, records ${from + 1} to ${to}: ${reason}`);
    this.partitions = partitions;
  }
}
