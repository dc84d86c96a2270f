// Ints as JavaScript numbers, for embedders whose code and JSON do not use bigint. Values are copied when they leave a
// script, with the notes that keep their texts exact.

import { HostError, noteYields, ScriptError } from '../errors/errors.ts';
import { proceed } from '../errors/failures.ts';
import type { ScriptStruct, ScriptValue } from '../values/script-value.ts';
import { noteJson, noteOf } from '../values/text.ts';
import type { JsonNote } from '../values/text.ts';
import type { InstanceCalls, CallResult, IntsConversion } from './script-types.ts';
import type { BeginRun, Outcome, Result } from './run-execution.ts';

type Kind = 'number' | 'auto';

/**
 * The value with its ints as numbers; `name` describes it. Throws HostError for an int that no number can hold, if
 * numbers are required.
 */
function withNumbers(value: ScriptValue, kind: Kind, name: string): ScriptValue {
  const inexact = kind === 'number' ? findInexact(value, name) : null;
  if (inexact !== null)
    throw new HostError(
      `${inexact.path} is the int ${inexact.int}, which a number cannot hold exactly: load the script with ints: ` +
        `'auto' or 'bigint' for it`,
    );
  return converted(value);
}

/** The first int that no number can hold, and its path. */
function findInexact(value: ScriptValue, path: string): { readonly path: string; readonly int: bigint } | null {
  if (typeof value === 'bigint') return isExact(value) ? null : { path, int: value };
  if (typeof value !== 'object' || value === null || value instanceof Float64Array) return null;
  if (value instanceof BigInt64Array) {
    const at = value.findIndex((int) => !isExact(int));
    return at < 0 ? null : { path: `${path}[${at}]`, int: value[at]! };
  }
  for (const [key, part] of Object.entries(value as ScriptStruct)) {
    if (typeof part !== 'bigint' && typeof part !== 'object') continue;
    const found = findInexact(part, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`);
    if (found !== null) return found;
  }
  return null;
}

function isExact(int: bigint): boolean {
  return Number.isSafeInteger(Number(int));
}

function converted(value: ScriptValue): ScriptValue {
  if (typeof value === 'bigint') return isExact(value) ? Number(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Float64Array) return withJson(value);
  if (value instanceof BigInt64Array)
    return noted(Array.from(value, converted), { isJson: true, exceptions: null, keys: null });
  return Array.isArray(value)
    ? noted((value as readonly ScriptValue[]).map(converted), noteOf(value))
    : ofObject(value as ScriptStruct);
}

function ofObject(object: ScriptStruct): ScriptStruct {
  const note = noteOf(object);
  const isJson = note?.isJson ?? false;
  const copy = Object.create(null) as Record<string, ScriptValue>;
  const exceptions = new Set(note?.exceptions);
  for (const key of Object.keys(object)) {
    const value = object[key]!;
    copy[key] = converted(value);
    // In a struct, numbers are doubles except for the noted ints.
    if (!isJson && typeof value === 'bigint') exceptions.add(key);
  }
  return noted(
    copy,
    note === undefined && exceptions.size === 0
      ? undefined
      : { isJson, exceptions: exceptions.size === 0 ? null : exceptions, keys: note?.keys ?? null },
  );
}

function noted<Value extends object>(value: Value, note: JsonNote | undefined): Value {
  if (note !== undefined) noteJson(value, note);
  return value;
}

/** Makes JSON.stringify write an array, by an own property, so that no class of the engine is changed. */
function withJson(doubles: Float64Array): Float64Array {
  return Object.defineProperty(doubles, 'toJSON', { __proto__: null, value: toJson } as PropertyDescriptor);
}

function toJson(this: Float64Array): readonly number[] {
  return Array.from(this);
}

/** Converts the ints in all results of a script to numbers. Throws HostError for an invalid option. */
export function intsAs(ints: unknown): IntsConversion {
  if (ints !== 'number' && ints !== 'auto') throw new HostError("the option ints is 'bigint', 'number' or 'auto'");
  return { ofRuns: (begin) => runsWithNumbers(begin, ints), ofCalls: (calls) => callsWithNumbers(calls, ints) };
}

function runsWithNumbers(begin: BeginRun, ints: Kind): BeginRun {
  const outcome = (given: Outcome): Outcome => {
    if (given.kind === 'failed' || given.result === null) return given;
    try {
      return { kind: 'finished', result: convert(given.result, ints, 'result') };
    } catch (error) {
      return { kind: 'failed', error };
    }
  };
  return (receiver, suspension) => {
    const execution = begin(
      {
        ...receiver,
        take: (given, text, wasJson, bytes) => {
          const { value, printsAsJson } = convert({ value: given, printsAsJson: wasJson }, ints, 'yield');
          return receiver.take(value, text, printsAsJson, bytes);
        },
      },
      suspension,
    );
    return {
      get instantiateMs() {
        return execution.instantiateMs;
      },
      get runMs() {
        return execution.runMs;
      },
      get fuelUsed() {
        return execution.fuelUsed;
      },
      get isInPlugin() {
        return execution.isInPlugin;
      },
      run: (values) => proceed(execution.run(values), outcome),
      abort: () => execution.abort(),
    };
  };
}

/** `printsAsJson` is set for an int that became a number: otherwise its text would be that of a double. */
function convert({ value, printsAsJson }: Result, ints: Kind, name: string): Result {
  const numbers = withNumbers(value, ints, name);
  return { value: numbers, printsAsJson: printsAsJson || (typeof value === 'bigint' && typeof numbers === 'number') };
}

function callsWithNumbers(calls: InstanceCalls, ints: Kind): InstanceCalls {
  const ofYields = (yields: readonly ScriptValue[], convertOne: (item: ScriptValue) => ScriptValue): ScriptValue[] =>
    noted(yields.map(convertOne), {
      isJson: false,
      exceptions: new Set(yields.flatMap((item, at) => (typeof item === 'bigint' ? [at] : []))),
      keys: null,
    });
  const withInts = ({ value, yields }: CallResult): CallResult => ({
    value: value === undefined ? undefined : withNumbers(value, ints, 'result'),
    yields: ofYields(yields, (item) => withNumbers(item, ints, 'yield')),
  });
  /** A failed conversion must not hide the script's own error: its values then stay as they are. */
  const fail = (error: unknown): never => {
    if (ScriptError.is(error)) noteYields(error, ofYields(error.yields, converted));
    throw error;
  };
  const tried = <Given>(work: () => Given): Given => {
    try {
      return work();
    } catch (error) {
      return fail(error);
    }
  };
  return {
    call: (name, values) => {
      const called = tried(() => calls.call(name, values));
      return called instanceof Promise ? called.then(withInts, fail) : withInts(called);
    },
    callSync: (name, values) => withInts(tried(() => calls.callSync(name, values))),
    close: () => calls.close(),
  };
}
