// Repeats a run from a log: there is no platform and no handler, since every answer is in the log. A log that does not
// fit is refused at the first difference, with a message that names both sides.

import type { ManifestParameter, ManifestStruct } from '../../src/abi/manifest.ts';
import { findErrorType } from '../../src/language/errors.ts';
import { answerFromJson, valueFromJson, valueToJson } from '../marshalling/answer-json.ts';
import type { ValueJson } from '../marshalling/answer-json.ts';
import { AbortError, HostError, InternalError, ScriptError } from '../errors/errors.ts';
import type { Environment } from '../run/execution.ts';
import { Failure } from '../errors/failures.ts';
import type { AnswerCall } from '../run/host-calls.ts';
import type { Answer, CheckedArguments, MarshalledValue } from '../marshalling/marshalled-values.ts';
import { readOption } from '../primordials/own-options.ts';
import { isInstance } from '../primordials/untampered.ts';
import type { Outcome } from '../run/run-execution.ts';
import { noCapabilities } from '../run/capabilities.ts';
import { isValueOf } from './value-guard.ts';
import { answerChecks } from './answer-checks.ts';
import type { AnswerCheck } from './answer-checks.ts';
import { describeCall, describeValue, scriptValueToJson } from './log.ts';
import { logFormat, logVersion } from '../run/run-log.ts';
import type { Logged, Logging } from './log.ts';
import type { LogEntry, LoggedRun, RunLog } from '../run/run-log.ts';

/** Throws HostError for an invalid log, or a log of another module or with other plugins. */
export function replaying(logged: Logged, log: unknown): Logging {
  const checked = readOption('the option replay', () => checkLog(log));
  const {
    manifest,
    hashes: { module, plugins },
  } = logged;
  if (checked.module !== module) {
    throw new HostError(
      `this log belongs to another module: it was made by ${checked.script}, ` +
        `sha256 ${checked.module.slice(0, 12)}…, and this is ${manifest.name}, sha256 ${module.slice(0, 12)}…`,
    );
  }
  for (const [name, hash] of Object.entries(plugins)) {
    const other = checked.plugins?.[name];
    if (other !== hash)
      throw new HostError(
        `this log was made with another build of the plugin ${name}: ` +
          `${other === undefined ? 'it names none' : `sha256 ${other.slice(0, 12)}…`}, and this is sha256 ` +
          `${hash.slice(0, 12)}…`,
      );
  }
  return {
    begin: (environment, given, isGiven) => new Replayer(logged, checked, environment, isGiven ? given() : null),
  };
}

function checkLog(log: unknown): RunLog {
  if (typeof log !== 'object' || log === null || (log as Partial<RunLog>).format !== logFormat)
    throw new HostError('this is not the log of a run');
  const { version, script, module, plugins = {}, arguments: values, random, clock, entries, cut } = log as RunLog;
  if (version !== logVersion)
    throw new HostError(
      `this log is of version ${String(version)}, and this host reads version ${String(logVersion)}: ` +
        'record the run again',
    );
  const isSource = (source: unknown): boolean => Number.isFinite(source) || source === 'entries';
  const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
  const isCut = cut === null || (isObject(cut) && typeof cut.error === 'string' && typeof cut.message === 'string');
  const isWhole =
    typeof script === 'string' &&
    typeof module === 'string' &&
    isObject(plugins) &&
    isObject(values) &&
    isSource(random) &&
    isSource(clock) &&
    Array.isArray(entries) &&
    isCut;
  if (!isWhole) throw new HostError('this log of a run is damaged');
  return log as RunLog;
}

class Replayer implements LoggedRun {
  readonly values: CheckedArguments;
  readonly environment: Environment;
  readonly #log: RunLog;
  readonly #checks: ReadonlyMap<string, AnswerCheck>;
  /** How many entries have been used. */
  #used = 0;

  constructor({ manifest, plugins }: Logged, log: RunLog, environment: Environment, given: CheckedArguments | null) {
    this.#log = log;
    this.#checks = answerChecks(plugins);
    const { structs } = manifest;
    const parameters = manifest.parameters ?? [];
    if (given !== null) checkArguments(parameters, log, given);
    this.values = given ?? parameters.map((parameter) => readArgument(log.arguments, parameter, structs));
    const { random, clock } = log;
    this.environment = {
      ...environment,
      capabilities: noCapabilities,
      random: random === 'entries' ? () => this.#number('random', 'Math.random()') : random,
      clock: clock === 'entries' ? () => this.#number('clock', 'Date.now()') : clock,
      answerCall: this.#answerCall,
    };
  }

  readonly log = (): RunLog => this.#log;

  readonly finish = (outcome: Outcome): Outcome => {
    if (outcome.kind === 'failed' && isInstance(outcome.error, InternalError)) {
      return {
        kind: 'failed',
        error: new HostError('the script cannot go on with what this log says: the log is damaged', {
          cause: outcome.error,
        }),
      };
    }
    const isEndOfScript = outcome.kind === 'finished' || isInstance(outcome.error, ScriptError);
    const next = this.#log.entries[this.#used];
    if (!isEndOfScript || next === undefined || this.#log.cut !== null) return outcome;
    return { kind: 'failed', error: misfit(`the log goes on with ${describeEntry(next)}, and the script has ended`) };
  };

  readonly #answerCall: AnswerCall = (called, values): Answer => {
    const given = values.map(scriptValueToJson);
    const call = describeCall(called, given);
    const entry = this.#next(call);
    const isSame = 'call' in entry && entry.call === called && textOf(entry.with) === textOf(given);
    if (!isSame) throw this.#other(entry, call);
    if ('error' in entry && (!isFailure(entry.error) || typeof entry.message !== 'string')) throw this.#damaged();
    let answer: Answer;
    try {
      answer = answerFromJson(entry);
    } catch (error) {
      if (isInstance(error, Failure)) throw error;
      throw this.#damaged();
    }
    if (this.#checks.get(called)?.(answer) !== true) throw this.#damaged();
    return answer;
  };

  #number(kind: 'random' | 'clock', call: string): number {
    const entry = this.#next(call);
    const value: unknown = (entry as { readonly random?: number; readonly clock?: number })[kind];
    if (value === undefined) throw this.#other(entry, call);
    if (typeof value !== 'number' || (kind === 'random' && !(value >= 0 && value < 1))) throw this.#damaged();
    return value;
  }

  #next(call: string): LogEntry {
    const { entries, cut } = this.#log;
    const entry = entries[this.#used++];
    if (typeof entry === 'object' && entry !== null) return entry;
    if (entry !== undefined) throw this.#damaged();
    if (cut === null)
      throw misfit(
        `it ends after ${entries.length === 1 ? '1 entry' : `${entries.length} entries`}, and the script calls ${call}`,
      );
    throw cut.error === 'AbortError' ? new AbortError(cut.message) : new ScriptError(cut.error, cut.message, []);
  }

  #other(entry: LogEntry, call: string): HostError {
    return misfit(`its entry ${this.#used} is ${describeEntry(entry)}, and the script calls ${call}`);
  }

  #damaged(): HostError {
    return new HostError(`entry ${this.#used} of this log is damaged`);
  }
}

/** The errors that a call may have raised, including those of the traffic limits. */
function isFailure(name: string): boolean {
  return findErrorType(name)?.guard === false || name === 'QuotaExceededError' || name === 'MemoryLimitError';
}

function misfit(what: string): HostError {
  return new HostError(`the log does not fit this run: ${what}`);
}

/** A damaged log may have any value here. */
function describeEntry(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null) return 'what is no entry';
  if ('random' in entry) return 'Math.random()';
  if ('clock' in entry) return 'Date.now()';
  const { call, with: values } = entry as { readonly call?: unknown; readonly with?: readonly ValueJson[] };
  try {
    return describeCall(String(call), Array.isArray(values) ? values : []);
  } catch {
    return 'a call that is none';
  }
}

/** A value of a log may be no JSON at all, or nest too deep for it. */
function textOf(json: unknown): string | undefined {
  try {
    return JSON.stringify(json);
  } catch {
    return undefined;
  }
}

/** Throws HostError for the first argument that differs from the log's. */
function checkArguments(
  parameters: readonly ManifestParameter[],
  { arguments: recorded }: RunLog,
  given: CheckedArguments,
): void {
  parameters.forEach(({ name }, at) => {
    const value = given[at];
    const now = value === undefined ? undefined : valueToJson(value);
    const before = Object.hasOwn(recorded, name) ? recorded[name] : undefined;
    if (textOf(now) !== textOf(before))
      throw misfit(
        `it was made with ${describeArgument(name, before)}, and this run has ${describeArgument(name, now)}`,
      );
  });
}

function describeArgument(name: string, json: ValueJson | undefined): string {
  return json === undefined ? `no ${name}` : `${name} = ${describeValue(json)}`;
}

function readArgument(
  values: RunLog['arguments'],
  { name, type, required }: ManifestParameter,
  structs: readonly ManifestStruct[],
): MarshalledValue | undefined {
  if (!required && !Object.hasOwn(values, name)) return undefined;
  try {
    const value = valueFromJson(values[name]!);
    if (isValueOf(type, value, structs)) return value;
  } catch {
    // An argument that cannot be read differs from every logged one.
  }
  throw new HostError(`the argument ${name} of this log is damaged`);
}
