// Records the log of a run, besides whatever answers the script.

import { findErrorType } from '../../src/language/errors.ts';
import { answerToJson, failureToJson, valueToJson } from '../marshalling/answer-json.ts';
import { AbortError, ScriptError } from '../errors/errors.ts';
import type { Environment } from '../run/execution.ts';
import { Failure } from '../errors/failures.ts';
import type { AnswerCall } from '../run/host-calls.ts';
import type { CheckedArguments } from '../marshalling/marshalled-values.ts';
import { isInstance } from '../primordials/untampered.ts';
import { scriptValueToJson } from './log.ts';
import { logFormat, logVersion } from '../run/run-log.ts';
import type { Logged, Logging } from './log.ts';
import type { LogEntry, LoggedRun, RunLog } from '../run/run-log.ts';
import type { Outcome } from '../run/run-execution.ts';

export function recording(logged: Logged): Logging {
  return { begin: (environment, given) => new Recorder(logged, environment, given()) };
}

class Recorder implements LoggedRun {
  readonly values: CheckedArguments;
  readonly environment: Environment;
  readonly #logged: Logged;
  readonly #entries: LogEntry[] = [];
  #cut: RunLog['cut'] = null;
  #hasEnded = false;

  constructor(logged: Logged, environment: Environment, values: CheckedArguments) {
    this.#logged = logged;
    this.values = values;
    const { random, clock } = environment;
    this.environment = {
      ...environment,
      // A seed is recorded instead of each number.
      random:
        typeof random === 'number'
          ? random
          : random === Math.random
            ? Math.floor(Math.random() * Number.MAX_SAFE_INTEGER)
            : this.#noting(random, (value) => ({ random: value })),
      clock: typeof clock === 'number' ? clock : this.#noting(clock, (value) => ({ clock: value })),
      answerCall: this.#answerCall,
    };
  }

  readonly finish = (outcome: Outcome): Outcome => {
    this.#hasEnded = true;
    if (outcome.kind === 'failed') this.#cut = cutBy(outcome.error);
    return outcome;
  };

  readonly log = (): RunLog => {
    const { random, clock } = this.environment;
    const {
      manifest,
      hashes: { module, plugins },
    } = this.#logged;
    const parameters = manifest.parameters ?? [];
    return {
      format: logFormat,
      version: logVersion,
      script: manifest.name,
      module,
      ...(Object.keys(plugins).length === 0 ? {} : { plugins }),
      arguments: Object.fromEntries(
        this.values.flatMap((value, at) => (value === undefined ? [] : [[parameters[at]!.name, valueToJson(value)]])),
      ),
      random: typeof random === 'number' ? random : 'entries',
      clock: typeof clock === 'number' ? clock : 'entries',
      entries: this.#entries,
      cut: this.#cut,
    };
  };

  /** After the end, no answer reaches the script, so nothing is recorded. */
  #note(entry: LogEntry): void {
    if (!this.#hasEnded) this.#entries.push(entry);
  }

  #noting(numbers: () => number, entryOf: (value: number) => LogEntry): () => number {
    return () => {
      const value = numbers();
      this.#note(entryOf(value));
      return value;
    };
  }

  readonly #answerCall: AnswerCall = (called, values, live) => {
    // Converted at once, since a plugin may change its copies.
    const call = { call: called, with: values.map(scriptValueToJson) };
    const fail = (error: unknown): never => {
      if (isInstance(error, Failure)) this.#note({ ...call, ...failureToJson(error) });
      throw error;
    };
    try {
      const answer = live();
      if (!(answer instanceof Promise)) {
        this.#note({ ...call, ...answerToJson(answer) });
        return answer;
      }
      return answer.then((value) => {
        this.#note({ ...call, ...answerToJson(value) });
        return value;
      }, fail);
    } catch (error) {
      return fail(error);
    }
  };
}

function cutBy(error: unknown): RunLog['cut'] {
  if (isInstance(error, AbortError)) return { error: 'AbortError', message: error.message };
  if (isInstance(error, ScriptError) && findErrorType(error.name)?.guard === true)
    return { error: error.name, message: error.message };
  return null;
}
