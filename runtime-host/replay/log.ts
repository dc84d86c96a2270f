// The log of a run: everything that the script got from outside, in the order in which it asked. Plain data, which JSON
// keeps as it is.

import type { AnswerJson, PartJson } from '../answer-text.ts';
import type { Environment } from '../execution.ts';
import type { CheckedArguments } from '../parts.ts';
import type { Outcome } from '../run-execution.ts';

export const logFormat = 'sluice-run-log';
/** Raised whenever a host of before could misread a log. */
export const logVersion = 1;

/** What a script got: the answer to a call of the library, a random number, or a time. */
export type LogEntry =
  | ({ readonly call: string; readonly with: readonly string[] } & AnswerJson)
  | { readonly random: number }
  | { readonly clock: number };

export interface RunLog {
  readonly format: typeof logFormat;
  readonly version: typeof logVersion;
  /** The file that was compiled, and the SHA-256 hash of the module's bytes. */
  readonly script: string;
  readonly module: string;
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

/** Begins runs with a log; where no arguments are given, and those given would not do, a log may have them. */
export interface Logging {
  readonly begin: (environment: Environment, given: () => CheckedArguments, isGiven: boolean) => LoggedRun;
}

/** As JSON with a line for each entry. */
export function formatLog({ entries, ...log }: RunLog): string {
  const head = JSON.stringify(log, null, 2).slice(0, -2);
  const lines = entries.map((entry) => `    ${JSON.stringify(entry)}`);
  return `${head},\n  "entries": [${lines.length === 0 ? '' : `\n${lines.join(',\n')}\n  `}]\n}\n`;
}

/** An entry in words: `File.read("a.txt")`. */
export function describeCall(called: string, texts: readonly string[]): string {
  return `${called}(${texts.map((text) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)).join(', ')})`;
}
