// The TypeScript types of a script: `sluice types` writes such an interface for a file, and `loadScript` takes it as
// its type parameter. Without one, all types are as general as possible.

import type { Awaitable } from '../errors/failures.ts';
import type { Arguments } from '../marshalling/arguments.ts';
import type { ScriptValue } from '../values/script-value.ts';
import type { BeginRun } from './run-execution.ts';

/**
 * How ints appear in results: `bigint` always, as in the language; `number` always, and an int beyond 2^53 is an error;
 * `auto`, a number if that is exact and a bigint otherwise.
 */
export type Ints = 'bigint' | 'number' | 'auto';

/** Converts the ints in values and results of runs and calls. */
export interface IntsConversion {
  readonly ofRuns: (begin: BeginRun) => BeginRun;
  readonly ofCalls: (calls: InstanceCalls) => InstanceCalls;
}

/** The types of one script. */
export interface ScriptTypes {
  /** How ints appear in these types: `loadScript` must get the same option. Any, if left out. */
  readonly ints?: Ints;
  /** The arguments of main by name. */
  readonly arguments: object;
  /** What main yields. */
  readonly yields: unknown;
  /** What main returns; undefined if it may end without a result. */
  readonly result: unknown;
  /** Its exported functions by name. */
  readonly exports: object;
  /** What the exported functions yield, by their names; the same as main if left out. */
  readonly callYields?: object;
}

/** The types of an unknown script. */
export interface AnyScript extends ScriptTypes {
  readonly arguments: Arguments;
  readonly yields: ScriptValue;
  readonly result: ScriptValue | undefined;
  readonly exports: Readonly<Record<string, (...values: readonly unknown[]) => ScriptValue | undefined>>;
}

/** The names of the exported functions. */
export type ExportName<Types extends ScriptTypes> = keyof Types['exports'] & string;

type ExportOf<Types extends ScriptTypes, Name extends ExportName<Types>> = Extract<
  Types['exports'][Name],
  (...values: never[]) => unknown
>;

export type CallArguments<Types extends ScriptTypes, Name extends ExportName<Types>> = Parameters<
  ExportOf<Types, Name>
>;

/** The result of a call: its value, undefined for a void function, and the values that it yielded. */
export interface CallResult<Value = ScriptValue | undefined, Yielded = ScriptValue> {
  readonly value: Value;
  readonly yields: readonly Yielded[];
}

type CallYields<Types extends ScriptTypes, Name> = Types extends { readonly callYields: infer Yields extends object }
  ? Name extends keyof Yields
    ? Yields[Name]
    : never
  : Types['yields'];

export type CallResultOf<Types extends ScriptTypes, Name extends ExportName<Types>> = CallResult<
  ReturnType<ExportOf<Types, Name>>,
  CallYields<Types, Name>
>;

/** The values of the option `ints` that fit these types. */
export type IntsOf<Types extends ScriptTypes> = Types extends { readonly ints: infer Kind extends Ints } ? Kind : Ints;

/** What concerns one run alone. */
export interface RunOptions {
  /** Aborts the run as `abort()` does; the AbortError has the signal's reason as its `cause`. */
  readonly signal?: AbortSignal;
}

/** The parameters of `run`: the values are optional if main requires no arguments. */
export type RunParameters<Types extends ScriptTypes> = {} extends Types['arguments']
  ? [values?: Types['arguments'], options?: RunOptions]
  : [values: Types['arguments'], options?: RunOptions];

/** The calls of one instance, in this thread or in a worker. */
export interface InstanceCalls {
  call(name: string, values: unknown[]): Awaitable<CallResult>;
  callSync(name: string, values: unknown[]): CallResult;
  close(): void;
}
