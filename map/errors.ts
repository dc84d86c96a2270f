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

/** The script threw where no record can be left out: in `init`, `merge` or `finish`. */
export class ScriptThrew extends MapError {}

/** The sentence of a run that ends for its errors, and a line for each place of the first one's stack. */
export function tooManyErrors(maxErrors: number | string, first: string, stack: readonly string[] = []): string {
  return [
    `${first} (more than --max-errors=${maxErrors} ${typeof maxErrors === 'number' ? '' : 'of the '}records failed)`,
    ...stack.map((frame) => `    at ${frame}`),
  ].join('\n');
}

/** What is said where the output finds no room. */
export const noSpace = 'there is no space left on the disk';

/** A partition, a merge of states, or the finish of a summary that failed for good. */
export interface FailedTask {
  /** The number of the partition, the name of the merge, or `summary`. */
  readonly id: string;
  /** For people, such as `orders.csv, records 1 to 1000`. */
  readonly what: string;
  readonly reason: string;
}

/** Tasks that failed for good; what does not need them is done and stays, and a resumed run tries them again. */
export class TasksFailed extends MapError {
  override readonly name = 'TasksFailed';
  readonly tasks: readonly FailedTask[];

  constructor(tasks: readonly FailedTask[]) {
    const { what, reason } = tasks[0]!;
    const count = tasks.length === 1 ? '1 task' : `${tasks.length} tasks`;
    super(`${count} failed for good: ${what}: ${reason}`);
    this.tasks = tasks;
  }
}
