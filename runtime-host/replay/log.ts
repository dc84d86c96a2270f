// The interface of recording and replaying, and the format of a log.

import type { Manifest } from '../../src/abi/manifest.ts';
import { valueToJson } from '../marshalling/answer-json.ts';
import type { ValueJson } from '../marshalling/answer-json.ts';
import type { Environment } from '../run/execution.ts';
import { Composite } from '../marshalling/marshalled-values.ts';
import type { CheckedArguments } from '../marshalling/marshalled-values.ts';
import type { UsedPlugin } from '../plugins/used-plugin.ts';
import type { LoggedRun, RunLog } from '../run/run-log.ts';
import type { ScriptValue } from '../values/script-value.ts';

/** SHA-256 hashes of the bytes of a module, and of plugins that consist of code alone. */
export interface Hashes {
  readonly module: string;
  readonly plugins: Readonly<Record<string, string>>;
}

/** The module and plugins that a log belongs to. */
export interface Logged {
  readonly manifest: Manifest;
  readonly plugins: readonly UsedPlugin[];
  readonly hashes: Hashes;
}

/**
 * Begins runs with a log. `given` returns the arguments, or throws if they do not fit; it is not called for a replay
 * without arguments, which has those of its log.
 */
export interface Logging {
  readonly begin: (environment: Environment, given: () => CheckedArguments, isGiven: boolean) => LoggedRun;
}

/** JSON with one line for each entry. */
export function formatLog({ entries, ...log }: RunLog): string {
  const head = JSON.stringify(log, null, 2).slice(0, -2);
  const lines = entries.map((entry) => `    ${JSON.stringify(entry)}`);
  return `${head},\n  "entries": [${lines.length === 0 ? '' : `\n${lines.join(',\n')}\n  `}]\n}\n`;
}

/** An argument of a logged call, as JSON: it serves only to compare calls. */
export function scriptValueToJson(value: ScriptValue): ValueJson {
  if (typeof value !== 'object' || value === null || value instanceof Float64Array || value instanceof BigInt64Array) {
    return valueToJson(typeof value === 'object' && value !== null ? new Composite('array', value) : value);
  }
  if (Array.isArray(value)) return (value as readonly ScriptValue[]).map(scriptValueToJson);
  return { object: Object.entries(value).flatMap(([key, item]) => [key, scriptValueToJson(item)]) };
}

/** A description of an entry: `File.read("a.txt")`. */
export function describeCall(called: string, values: readonly ValueJson[]): string {
  return `${called}(${values.map(describeValue).join(', ')})`;
}

/** A description of limited length. */
export function describeValue(json: ValueJson): string {
  return typeof json === 'string' ? JSON.stringify(clip(json)) : clip(spell(json));
}

function spell(json: ValueJson): string {
  if (typeof json !== 'object' || json === null) return JSON.stringify(json);
  if (Array.isArray(json)) return `[${json.map(spell).join(', ')}]`;
  const [[kind, items] = ['', null]] = Object.entries(json);
  if (kind === 'int' || kind === 'double') return String(items);
  return kind === 'ints' || kind === 'doubles' ? `[${String(items)}]` : JSON.stringify(items);
}

function clip(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
