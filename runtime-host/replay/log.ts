// The log of a run: everything that the script got from outside, in the order in which it asked. Plain data, which JSON
// keeps as it is.

import type { Manifest } from '../../src/abi/manifest.ts';
import { partToJson } from '../answer-text.ts';
import type { AnswerJson, PartJson } from '../answer-text.ts';
import type { Environment } from '../execution.ts';
import { Parts } from '../parts.ts';
import type { CheckedArguments } from '../parts.ts';
import type { UsedPlugin } from '../plugins/link.ts';
import type { Outcome } from '../run-execution.ts';
import type { ScriptValue } from '../values.ts';

export const logFormat = 'sluice-run-log';
/** Raised whenever a host of before could misread a log. */
export const logVersion = 1;

/** What a script got: the answer to a call of the library or a plugin, a random number, or a time. */
export type LogEntry =
  | ({ readonly call: string; readonly with: readonly PartJson[] } & AnswerJson)
  | { readonly random: number }
  | { readonly clock: number };

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

/** SHA-256 hashes of the bytes of a module, and of plugins that are code alone. */
export interface Hashes {
  readonly module: string;
  readonly plugins: Readonly<Record<string, string>>;
}

/** What logs belong to. */
export interface Logged {
  readonly manifest: Manifest;
  readonly plugins: readonly UsedPlugin[];
  readonly hashes: Hashes;
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

/** What a call was made with, as it stands in a log: to tell whether another has the same, and for nothing else. */
export function valueToJson(value: ScriptValue): PartJson {
  if (typeof value !== 'object' || value === null || value instanceof Float64Array || value instanceof BigInt64Array) {
    return partToJson(typeof value === 'object' && value !== null ? new Parts('array', value) : value);
  }
  if (Array.isArray(value)) return (value as readonly ScriptValue[]).map(valueToJson);
  return { object: Object.entries(value).flatMap(([key, item]) => [key, valueToJson(item)]) };
}

/** An entry in words: `File.read("a.txt")`. */
export function describeCall(called: string, values: readonly PartJson[]): string {
  return `${called}(${values.map(describePart).join(', ')})`;
}

/** In words, and not too long. */
export function describePart(json: PartJson): string {
  return typeof json === 'string' ? JSON.stringify(clip(json)) : clip(spell(json));
}

function spell(json: PartJson): string {
  if (typeof json !== 'object' || json === null) return JSON.stringify(json);
  if (Array.isArray(json)) return `[${json.map(spell).join(', ')}]`;
  const [[kind, items] = ['', null]] = Object.entries(json);
  if (kind === 'int' || kind === 'double') return String(items);
  return kind === 'ints' || kind === 'doubles' ? `[${String(items)}]` : JSON.stringify(items);
}

function clip(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
