// The log of a run: everything that the script got from outside, in the order of its requests. It is plain data that
// JSON preserves. The code that records and replays logs is in replay/.

import type { AnswerJson, ValueJson } from '../marshalling/answer-json.ts';
import type { CheckedArguments } from '../marshalling/marshalled-values.ts';
import type { Environment } from './execution.ts';
import type { Outcome } from './run-execution.ts';

export const logFormat = 'sluice-run-log';
/** Raised whenever an older host could misread a log. */
export const logVersion = 1;

/** An answer for the script: of a call of the library or a plugin, a random number, or a time. */
export type LogEntry =
  | ({ readonly call: string; readonly with: readonly ValueJson[] } & AnswerJson)
  | { readonly random: number }
  | { readonly clock: number };

/** The log of a run: plain data that JSON preserves. */
export interface RunLog {
  readonly format: typeof logFormat;
  readonly version: typeof logVersion;
  /** The file that was compiled, and the SHA-256 hash of the module's bytes. */
  readonly script: string;
  readonly module: string;
  /** The hashes, by name, of plugins that consist of code alone: a replay runs them again. Absent if there are none. */
  readonly plugins?: Readonly<Record<string, string>>;
  readonly arguments: Readonly<Record<string, ValueJson>>;
  /** The seed of all random numbers, or that the numbers are among the entries. */
  readonly random: number | 'entries';
  /** The fixed time, or that the times are among the entries. */
  readonly clock: number | 'entries';
  readonly entries: readonly LogEntry[];
  /** The error that ended the run if its cause was outside of the script: `abort()`, or a limit; null otherwise. */
  readonly cut: { readonly error: string; readonly message: string } | null;
}

/** A run that records or replays a log. */
export interface LoggedRun {
  readonly values: CheckedArguments;
  readonly environment: Environment;
  /** Takes the end of the run, and returns the end that is reported. */
  readonly finish: (outcome: Outcome) => Outcome;
  /** The log, once the run has ended. */
  readonly log: () => RunLog;
}
