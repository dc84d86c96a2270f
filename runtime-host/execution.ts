// One run of a module: a fresh instance, its imports, and what becomes of its end. Everything that a
// module may call is here or in library/; every failure leaves here as one of the classes of errors.ts.

import { deepestValue } from '../src/abi/values.ts';
import { errorTagExport, runExport, runtimeModule } from '../src/abi/imports.ts';
import type { RuntimeImportName } from '../src/abi/imports.ts';
import type { Manifest } from '../src/abi/manifest.ts';
import { errorTypes, findErrorType } from '../src/language/errors.ts';
import { ArgumentReader } from './arguments.ts';
import type { CheckedArguments } from './arguments.ts';
import { AbortError, InternalError, ScriptError } from './errors.ts';
import { dateFunctions } from './library/date.ts';
import { mathFunctions } from './library/math.ts';
import { nativeFunctions } from './library/native.ts';
import { captureStack, readFrames, scriptFrames, stackTextOf, withLongStacks } from './stack-trace.ts';
import type { WasmFrame } from './stack-trace.ts';
import { formatOutput } from './text.ts';
import { ValueWriter } from './values.ts';
import type { ScriptValue } from './values.ts';

/** Takes a yielded value; `text` gives it as the language prints it and may be called before the next one. */
export type Consumer = (value: ScriptValue, text: () => string) => void;

/** As Consumer; `isInt` tells a number that is the int of a json. */
type InnerConsumer = (value: ScriptValue, text: () => string, isInt: boolean) => void;

/** What a run may draw on beside its arguments. */
export interface Environment {
  readonly random: () => number;
  readonly clock: () => number;
}

/** How a run ended: `result` is null for a program that returned nothing. */
export type Outcome =
  | { readonly kind: 'finished'; readonly result: Result | null }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface Result {
  readonly value: ScriptValue;
  /** The value is a number, and the int of a json. */
  readonly isInt: boolean;
}

type ImportFunction = (...parameters: never[]) => unknown;

export class Execution {
  readonly #module: WebAssembly.Module;
  readonly #manifest: Manifest;
  readonly #reader: ArgumentReader;
  readonly #environment: Environment;
  readonly #consumer: InnerConsumer;
  readonly #writer: ValueWriter;
  #tag: WebAssembly.Tag | null = null;
  #result: Result | null = null;
  /** The value that is with the consumer now. */
  #current: ScriptValue = null;
  #currentIsInt = false;
  readonly #textOfCurrent = (): string => formatOutput(this.#current, this.#currentIsInt);
  /** The stack noted when an error was about to leave the script. */
  #notedStack: string | null = null;
  /** What the embedder's own code threw, or the end by abort(): passes through the module as it is. */
  #outside: { readonly error: unknown } | null = null;
  #aborted = false;
  instantiateMs = 0;
  runMs = 0;

  constructor(module: WebAssembly.Module, manifest: Manifest, values: CheckedArguments, environment: Environment, consumer: InnerConsumer) {
    this.#module = module;
    this.#manifest = manifest;
    this.#reader = new ArgumentReader(values);
    this.#environment = environment;
    this.#consumer = consumer;
    this.#writer = new ValueWriter(manifest);
  }

  /** Runs to the end; never throws. */
  run(): Outcome {
    try {
      if (this.#aborted) throw new AbortError('the run was aborted');
      const start = performance.now();
      const instance = new WebAssembly.Instance(this.#module, this.#imports());
      this.#tag = instance.exports[errorTagExport] as WebAssembly.Tag;
      const entry = instance.exports[runExport] as () => void;
      const begun = performance.now();
      this.instantiateMs = begun - start;
      try {
        withLongStacks(entry);
      } finally {
        this.runMs = performance.now() - begun;
      }
      return { kind: 'finished', result: this.#result };
    } catch (error) {
      return { kind: 'failed', error: this.#translate(error) };
    }
  }

  /** Ends the run at its next yield. */
  abort(): void {
    this.#aborted = true;
  }

  #imports(): Record<string, Record<string, unknown>> {
    return {
      [runtimeModule]: this.#runtimeFunctions(),
      Math: mathFunctions(this.#environment.random === Math.random ? Math.random : this.#embedders(this.#environment.random)),
      Date: dateFunctions(this.#environment.clock === Date.now ? Date.now : this.#embedders(this.#environment.clock)),
      Native: nativeFunctions((message) => this.#raise('MemoryLimitError', message)),
    };
  }

  #runtimeFunctions() {
    const writer = this.#writer;
    const reader = this.#reader;
    return {
      yieldInt: (value: bigint) => this.#yield(value),
      yieldDouble: (value: number) => this.#yield(value),
      yieldBoolean: (value: number) => this.#yield(value !== 0),
      yieldString: (value: string | null) => this.#yield(value),
      yieldValue: () => this.#yield(writer.take(), writer.isInt),
      finish: () => {
        this.#result = { value: writer.take(), isInt: writer.isInt };
      },

      writeNull: () => writer.write(null),
      writeInt: (value: bigint) => writer.write(value),
      writeDouble: (value: number) => writer.write(value),
      writeBoolean: (value: number) => writer.write(value !== 0),
      writeString: (value: string | null) => writer.write(value),
      writeJsonInt: (value: bigint) => writer.writeJsonInt(value),
      writeJsonDouble: (value: number) => writer.writeJsonDouble(value),
      writeKey: (key: string) => writer.writeKey(key),
      beginObject: () => {
        this.#checkNesting();
        writer.beginObject();
      },
      beginArray: (count: number, kind: number) => {
        this.#checkNesting();
        writer.beginArray(count, kind);
      },
      beginStruct: (index: number) => {
        this.#checkNesting();
        writer.beginStruct(index);
      },
      end: () => writer.end(),

      hasArgument: (parameter: number) => Number(reader.has(parameter)),
      readNull: () => Number(reader.takeNull()),
      readInt: () => reader.take(),
      readDouble: () => reader.take(),
      readBoolean: () => reader.take(),
      readString: () => reader.take(),
      readArray: () => reader.takeArray(),
      readKind: () => reader.takeKind(),

      discard: () => this.#writer.reset(),

      uncaught: () => {
        this.#notedStack = captureStack();
      },
    } satisfies Record<RuntimeImportName, ImportFunction>;
  }

  #yield(value: ScriptValue, isInt = false): void {
    this.#current = value;
    this.#currentIsInt = isInt;
    try {
      if (this.#aborted) throw new AbortError('the run was aborted');
      this.#consumer(value, this.#textOfCurrent, isInt);
    } catch (error) {
      this.#outside = { error };
      throw error;
    }
  }

  /** Compiled code looks itself; a module from elsewhere may not. */
  #checkNesting(): void {
    if (this.#writer.depth < deepestValue) return;
    this.#writer.reset();
    this.#raise('TypeError', `nested deeper than ${deepestValue}`);
  }

  /** A function of the embedder's, whose failures are the embedder's too. */
  #embedders(work: () => number): () => number {
    return () => {
      try {
        return work();
      } catch (error) {
        this.#outside = { error };
        throw error;
      }
    };
  }

  /** Throws an error of the language, which the script may catch. */
  #raise(type: string, message: string): never {
    this.#notedStack = captureStack();
    throw new WebAssembly.Exception(this.#tag!, [findErrorType(type)!.id, message, -1]);
  }

  /** What the embedder gets for whatever came out of the instance. */
  #translate(error: unknown): unknown {
    // The stack may run out inside the embedder's function too: that is the script's depth.
    if (isStackOverflow(error)) return this.#stackOverflow(error);
    if (this.#outside !== null) return this.#outside.error;
    if (error instanceof AbortError) return error;
    if (error instanceof WebAssembly.Exception && this.#tag !== null && error.is(this.#tag)) return this.#scriptError(error, this.#tag);
    if (isOutOfMemory(error)) {
      return new ScriptError('MemoryLimitError', 'an array or a string is larger than the engine takes', this.#framesOf(readFrames(stackTextOf(error)), -1));
    }
    const what = error instanceof Error ? error.message : 'the module threw something unknown';
    return new InternalError(what, error instanceof Error ? this.#framesOf(readFrames(stackTextOf(error)), -1) : [], error);
  }

  #scriptError(exception: WebAssembly.Exception, tag: WebAssembly.Tag): ScriptError {
    const id = exception.getArg(tag, 0) as number;
    const message = exception.getArg(tag, 1) as string | null;
    const place = exception.getArg(tag, 2) as number;
    const type = errorTypes.find((candidate) => candidate.id === id);
    return new ScriptError(type?.name ?? 'Error', message ?? 'null', this.#framesOf(readFrames(this.#notedStack ?? ''), place));
  }

  /** The engine looks for room on the stack when a function begins. */
  #stackOverflow(error: Error): ScriptError {
    const frames = readFrames(stackTextOf(error)).map((frame, depth) => (depth === 0 ? { ...frame, atEntry: true } : frame));
    return new ScriptError('StackOverflowError', 'calls are nested too deep', this.#framesOf(frames, -1));
  }

  #framesOf(frames: readonly WasmFrame[], place: number): ScriptError['frames'] {
    return scriptFrames(frames, this.#manifest.locations, place);
  }
}

function isStackOverflow(error: unknown): error is Error {
  return error instanceof RangeError && /call stack|too much recursion/i.test(error.message);
}

const memoryMessages = /requested new array is too large|invalid string length|invalid (typed )?array length|allocation failed|out of memory/i;

function isOutOfMemory(error: unknown): error is Error {
  return (error instanceof RangeError || error instanceof WebAssembly.RuntimeError) && memoryMessages.test(error.message);
}
