// The imports of a module besides the library: the streams of values out of it and into it, by the table in
// src/abi/imports.ts.

import { elementKinds } from '../../src/abi/imports.ts';
import type { RuntimeImportName } from '../../src/abi/imports.ts';
import { longestArrays } from '../../src/abi/values.ts';
import type { Awaitable } from '../errors/failures.ts';
import type { ValueReader } from './value-reader.ts';
import type { Staging } from './staging.ts';
import type { ValueWriter } from './value-writer.ts';
import type { ScriptValue } from '../values/script-value.ts';

/** What the instance does with the values. */
export interface RuntimeHooks {
  /** `printsAsJson` is that of ValueWriter. */
  readonly yield: (value: ScriptValue, printsAsJson?: boolean) => Awaitable<void>;
  /** Whether the engine suspends the script at its yields. */
  readonly yieldsSuspend: boolean;
  readonly finish: (value: ScriptValue, printsAsJson: boolean) => void;
  /** Throws if values are nested too deep. */
  readonly checkNesting: () => void;
  readonly takeFailure: () => number;
  /** Called by the imports `look` and `reserve`. */
  readonly poll: (units: number) => number;
  readonly reserve: (bytes: number) => number;
  readonly messageOf: (row: number, numbers: readonly bigint[]) => string;
  /** Takes a value for the next call of a plugin's function. */
  readonly passArgument: (value: ScriptValue) => void;
  /** Throws for a value that is not of the import's type. */
  readonly misfit: () => never;
  /** Called before an error leaves the script. */
  readonly noteStack: () => void;
}

type ImportFunction = (...parameters: never[]) => unknown;

interface Kinds {
  readonly bigint: bigint;
  readonly number: number;
  readonly boolean: boolean;
}

/** `staging` is null for a module without that memory, which has no import that uses it. */
export function runtimeFunctions(
  writer: ValueWriter,
  reader: ValueReader,
  staging: Staging | null,
  hooks: RuntimeHooks,
) {
  const yields = (take: ImportFunction): unknown => (hooks.yieldsSuspend ? new WebAssembly.Suspending(take) : take);
  const { misfit } = hooks;
  // The module declares the types of its imports, so that any value may come.
  const of = <Kind extends keyof Kinds>(kind: Kind, value: unknown): Kinds[Kind] =>
    typeof value === kind ? (value as Kinds[Kind]) : misfit();
  const text = (value: unknown): string | null => (typeof value === 'string' || value === null ? value : misfit());
  const begin = (work: () => void): void => {
    hooks.checkNesting();
    work();
  };
  return {
    yieldInt: yields((value: bigint) => hooks.yield(of('bigint', value))),
    yieldDouble: yields((value: number) => hooks.yield(of('number', value))),
    yieldBoolean: yields((value: number) => hooks.yield(value !== 0)),
    yieldString: yields((value: string | null) => hooks.yield(text(value))),
    yieldValue: yields(() => hooks.yield(writer.take(), writer.printsAsJson)),
    finish: () => hooks.finish(writer.take(), writer.printsAsJson),

    writeNull: () => writer.write(null),
    writeInt: (value: bigint) => writer.write(of('bigint', value)),
    writeDouble: (value: number) => writer.write(of('number', value)),
    writeBoolean: (value: number) => writer.write(value !== 0),
    writeString: (value: string | null) => writer.write(text(value)),
    writeJsonInt: (value: bigint) => writer.writeJsonInt(of('bigint', value)),
    writeJsonDouble: (value: number) => writer.writeJsonDouble(of('number', value)),
    writeKey: (key: string) => writer.writeKey(text(key) ?? misfit()),
    beginObject: () => begin(() => writer.beginObject()),
    beginArray: (count: number, kind: number) =>
      begin(() =>
        writer.beginArray(
          count >= 0 && (count <= longestArrays.other || kind === elementKinds.other) ? count : misfit(),
          kind,
        ),
      ),
    beginStruct: (index: number) => begin(() => writer.beginStruct(index)),
    end: () => writer.end(),
    passArgument: () => hooks.passArgument(writer.take()),
    discard: () => writer.reset(),

    hasArgument: (parameter: number) => Number(reader.has(parameter)),
    readNull: () => Number(reader.takeNull()),
    readInt: () => of('bigint', reader.take()),
    readDouble: () => of('number', reader.take()),
    readBoolean: () => of('boolean', reader.take()),
    readString: () => text(reader.take()),
    readArray: () => reader.takeArray(),
    readKind: () => reader.takeKind(),

    writeStaged: (count: number) => writer.writeStaged(staging!, count >= 0 ? count : misfit()),
    readStaged: (count: number) => reader.readStaged(staging!, count >= 0 ? count : misfit()),

    failure: () => hooks.takeFailure(),
    look: hooks.poll,
    reserve: hooks.reserve,
    message: (row: number, ...numbers: bigint[]) => hooks.messageOf(row, numbers),
    uncaught: () => hooks.noteStack(),
  } satisfies Record<RuntimeImportName, unknown>;
}
