// The log of a run: everything that the script got from outside, in the order in which it asked. Plain data, which JSON
// keeps as it is. What keeps logs and follows them is in replay/.

import type { AnswerJson, PartJson } from '../marshalling/answer-json.ts';
import type { CheckedArguments } from '../marshalling/parts.ts';
import type { Environment } from './execution.ts';
import type { Outcome } from './run-execution.ts';

export const logFormat = 'sluice-run-log';
/** Raised whenever a host of before could misread a log. */
export const logVersion = 1;

/** What a script got: the answer to a call of the library or a plugin, a random number, or a time. */
export type LogEntry =
  | ({ readonly call: string; readonly with: readonly PartJson[] } & AnswerJson)
  | { readonly random: number }
  | { readonly clock: number };

/** The log of a run: plain data, which JSON keeps as it is. */
export interface RunLog {
  readonly format: typeof logFormat;
  readonly version: typeof logVersion;
  /** The file that was compiled, and the SHA-256 hash of the module's bytes. */
  readonly script: string;
  readonly module: string;
  /** By name, the hashes of plugins that are code alone: a replay runs them again. Absent where there are none. */
  readonly plugins?: Readonly<Record<string, string>>;
  readonly arguments: Readonly<Record<string, PartJson>>;
  /** The seed of all random numbers, or that they are among the entries. */
  readonly random: number | 'entries';
  /** The time that it always was, or that times are among the entries. */
  readonly clock: number | 'entries';
  readonly entries: readonly LogEntry[];
  /** What ended the run where that was nothing of the script's own: `abort()`, or a limit; null otherwise. */
  readonly cut: { readonly error: string; readonly message: string } | null;
}

/** A run that a log is kept of, or that follows one. */
export interface LoggedRun {
  readonly values: CheckedArguments;
  readonly environment: Environment;
  /** What becomes of the end of the run. */
  readonly finish: (outcome: Outcome) => Outcome;
  /** The log, once the run has ended. */
  readonly log: () => RunLog;
}
