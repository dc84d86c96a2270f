// The imports of a module besides the library: the stream of values out and in, by the table of src/abi/imports.ts.

import type { RuntimeImportName } from '../src/abi/imports.ts';
import type { Awaitable } from './failures.ts';
import type { PartReader } from './parts.ts';
import type { Staging } from './staging.ts';
import type { ScriptValue, ValueWriter } from './values.ts';

/** What the instance does with what comes. */
export interface RuntimeHooks {
  /** `printsAsJson` is as ValueWriter has it. */
  readonly yield: (value: ScriptValue, printsAsJson?: boolean) => Awaitable<void>;
  /** Whether the engine suspends the script at its yields. */
  readonly yieldsSuspend: boolean;
  readonly finish: (value: ScriptValue, printsAsJson: boolean) => void;
  /** Throws where values are nested too deep. */
  readonly checkNesting: () => void;
  readonly takeFailure: () => number;
  /** As the imports of these names. */
  readonly look: (units: number) => number;
  readonly reserve: (bytes: number) => number;
  readonly messageOf: (row: number, numbers: readonly bigint[]) => string;
  /** A value for the next call of a plugin's function. */
  readonly passArgument: (value: ScriptValue) => void;
  /** An error is about to leave the script. */
  readonly noteStack: () => void;
}

type ImportFunction = (...parameters: never[]) => unknown;

/** `staging` is null for a module without that memory, which imports nothing that wants it. */
export function runtimeFunctions(writer: ValueWriter, reader: PartReader, staging: Staging | null, hooks: RuntimeHooks) {
  const yields = (take: ImportFunction): unknown => (hooks.yieldsSuspend ? new WebAssembly.Suspending(take) : take);
  const begin = (work: () => void): void => {
    hooks.checkNesting();
    work();
  };
  return {
    yieldInt: yields((value: bigint) => hooks.yield(value)),
    yieldDouble: yields((value: number) => hooks.yield(value)),
    yieldBoolean: yields((value: number) => hooks.yield(value !== 0)),
    yieldString: yields((value: string | null) => hooks.yield(value)),
    yieldValue: yields(() => hooks.yield(writer.take(), writer.printsAsJson)),
    finish: () => hooks.finish(writer.take(), writer.printsAsJson),

    writeNull: () => writer.write(null),
    writeInt: (value: bigint) => writer.write(value),
    writeDouble: (value: number) => writer.write(value),
    writeBoolean: (value: number) => writer.write(value !== 0),
    writeString: (value: string | null) => writer.write(value),
    writeJsonInt: (value: bigint) => writer.writeJsonInt(value),
    writeJsonDouble: (value: number) => writer.writeJsonDouble(value),
    writeKey: (key: string) => writer.writeKey(key),
    beginObject: () => begin(() => writer.beginObject()),
    beginArray: (count: number, kind: number) => begin(() => writer.beginArray(count, kind)),
    beginStruct: (index: number) => begin(() => writer.beginStruct(index)),
    end: () => writer.end(),
    passArgument: () => hooks.passArgument(writer.take()),
    discard: () => writer.reset(),

    hasArgument: (parameter: number) => Number(reader.has(parameter)),
    readNull: () => Number(reader.takeNull()),
    readInt: () => reader.take(),
    readDouble: () => reader.take(),
    readBoolean: () => reader.take(),
    readString: () => reader.take(),
    readArray: () => reader.takeArray(),
    readKind: () => reader.takeKind(),

    writeStaged: (count: number) => writer.writeStaged(staging!, count),
    readStaged: (count: number) => reader.readStaged(staging!, count),

    failure: () => hooks.takeFailure(),
    look: hooks.look,
    reserve: hooks.reserve,
    message: (row: number, ...numbers: bigint[]) => hooks.messageOf(row, numbers),
    uncaught: () => hooks.noteStack(),
  } satisfies Record<RuntimeImportName, unknown>;
}
