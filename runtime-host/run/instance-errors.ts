// The errors of one instance: those that the host throws into it, and what the embedder gets for whatever comes out of
// it. Every failure leaves here as one of the classes of errors.ts, or as the embedder's own code threw it.

import type { Manifest } from '../../src/abi/manifest.ts';
import { errorTypeOf, findErrorType } from '../../src/language/errors.ts';
import { AbortError, foreign, HostError, InternalError, ScriptError, tooDeep } from '../errors/errors.ts';
import { textOf } from '../errors/failures.ts';
import type { DepthBound, DepthHelp } from '../limits/depth.ts';
import type { Traps } from '../plugins/traps.ts';
import type { UsedPlugin } from '../plugins/used-plugin.ts';
import { isInstance } from '../primordials/untampered.ts';
import { captureStack, readFrames, scriptFrames, stackTextOf } from '../errors/stack-trace.ts';
import type { WasmFrame } from '../errors/stack-trace.ts';

export class InstanceErrors {
  readonly #manifest: Manifest;
  readonly #plugins: readonly UsedPlugin[];
  readonly #traps: Traps | null;
  readonly #depthHelp: DepthHelp | null;
  /** Of the errors of the language; null until there is an instance. */
  tag: WebAssembly.Tag | null = null;
  /** The stack noted when an error was about to leave the script. */
  #notedStack: string | null = null;
  /** What the embedder's own code threw, or the end by abort(): passes through the module as it is. */
  #outside: { readonly error: unknown } | null = null;
  #isSound = true;

  constructor(manifest: Manifest, plugins: readonly UsedPlugin[], traps: Traps | null, depthHelp: DepthHelp | null) {
    this.#manifest = manifest;
    this.#plugins = plugins;
    this.#traps = traps;
    this.#depthHelp = depthHelp;
  }

  /** Whether the instance can go on: false once something ended it that the script itself could not have caught. */
  get leaveItSound(): boolean {
    return this.#isSound;
  }

  /** An error is about to leave the script. */
  noteStack(stack = captureStack()): void {
    this.#notedStack = stack;
  }

  /** An error of the language, which the script may catch. */
  make(type: string, message: string, stack?: string): unknown {
    this.noteStack(stack);
    return new WebAssembly.Exception(this.tag!, [findErrorType(type)!.id, message, -1]);
  }

  /** Throws an error of the language, which the script may catch. */
  raise(type: string, message: string, stack?: string): never {
    throw this.make(type, message, stack);
  }

  /** An error of the language that no clause of the script catches. */
  makeEnd(type: string, message: string, stack = captureStack()): unknown {
    const error = new ScriptError(type, message, this.#framesOf(readFrames(stack), -1));
    this.noteOutside(error);
    return error;
  }

  /** What is about to pass through the module as it is. */
  noteOutside(error: unknown): void {
    this.#outside = { error };
  }

  isOutside(error: unknown): boolean {
    return this.#outside !== null && this.#outside.error === error;
  }

  /** Whether it is an error of the language that came out of this instance, or was made for it. */
  isScripts(error: unknown): error is WebAssembly.Exception {
    return isInstance(error, WebAssembly.Exception) && this.tag !== null && error.is(this.tag);
  }

  /** Throws an error of the embedder's, which no clause of the script catches. */
  throwOutside(error: unknown): never {
    this.noteOutside(error);
    throw error;
  }

  /** What was to end the run has ended it, whatever the module did about it. */
  throwIfOutside(): void {
    if (this.#outside !== null) throw this.#outside.error;
  }

  /** Calls a function of the embedder's, whose failures are the embedder's too. */
  callOut<Value>(work: () => Value): Value {
    try {
      return work();
    } catch (error) {
      this.throwOutside(error);
    }
  }

  /** What the embedder gets for whatever came out of the instance. */
  translate(error: unknown): unknown {
    try {
      return this.#translate(error);
    } catch (cause) {
      this.#isSound = false;
      return foreign(cause);
    }
  }

  #translate(error: unknown): unknown {
    const isScripts = this.#outside === null && this.isScripts(error);
    if (isScripts && !isGuard(error.getArg(this.tag!, 0) as number)) return this.#scriptError(error, this.tag!);
    this.#isSound = false;
    // The stack may run out inside the embedder's function too: that is the script's depth.
    if (isStackOverflow(error)) return this.#withHelp(this.#stackOverflow(error), 'engine');
    if (this.#outside !== null) return this.#outside.error;
    if (isInstance(error, AbortError) || isInstance(error, HostError)) return error;
    if (isScripts) return this.#withHelp(this.#scriptError(error, this.tag!), 'limit');
    if (isOutOfMemory(error)) {
      return new ScriptError(
        'MemoryLimitError',
        'an array or a string is larger than the engine takes',
        this.#framesOf(readFrames(stackTextOf(error)), -1),
      );
    }
    const ofTrap = this.#traps?.stackOfTrap(error, this.#plugins, stackTextOf) ?? null;
    if (ofTrap !== null)
      return new ScriptError('PluginError', this.#traps!.trapped, this.#framesOf(readFrames(ofTrap), -1));
    if (isInstance(error, WebAssembly.RuntimeError))
      return new InternalError(textOf(error, 'message'), this.#framesOf(readFrames(stackTextOf(error)), -1), error);
    return foreign(error);
  }

  #withHelp(error: ScriptError, bound: DepthBound): unknown {
    return this.#depthHelp === null ? error : this.#depthHelp(error, bound);
  }

  #scriptError(exception: WebAssembly.Exception, tag: WebAssembly.Tag): ScriptError {
    const [id, message, place] = [0, 1, 2].map((at) => exception.getArg(tag, at)) as [number, string | null, number];
    if ((message !== null && typeof message !== 'string') || typeof id !== 'number' || typeof place !== 'number')
      throw new TypeError('an error is a number, a text and a place');
    const type = errorTypeOf(id)?.name ?? 'Error';
    const frames = this.#framesOf(readFrames(this.#notedStack ?? ''), place);
    // The function that was one too many has only just begun: what matters is where it was called.
    return new ScriptError(
      type,
      message ?? 'null',
      type === 'StackOverflowError' && frames.length > 1 ? frames.slice(1) : frames,
    );
  }

  /** The engine looks for room on the stack when a function begins. */
  #stackOverflow(error: Error): ScriptError {
    const frames = readFrames(stackTextOf(error)).map((frame, depth) =>
      depth === 0 ? { ...frame, atEntry: true } : frame,
    );
    return new ScriptError('StackOverflowError', tooDeep, this.#framesOf(frames, -1));
  }

  #framesOf(frames: readonly WasmFrame[], place: number): ScriptError['frames'] {
    const { locations, name } = this.#manifest;
    try {
      return scriptFrames(frames, locations, place, name);
    } catch {
      // A module of somebody else's may say anything of where its code comes from.
      return [];
    }
  }
}

function isGuard(id: number): boolean {
  return errorTypeOf(id)?.guard === true;
}

export function isStackOverflow(error: unknown): error is Error {
  // Firefox has a class of its own for it, called InternalError.
  return (
    isInstance(error, Error) &&
    (isInstance(error, RangeError) || textOf(error, 'name') === 'InternalError') &&
    /call stack|too much recursion/i.test(textOf(error, 'message'))
  );
}

const memoryMessages =
  /requested new array is too large|invalid string length|invalid (typed )?array length|allocation failed|out of memory/i;

function isOutOfMemory(error: unknown): error is Error {
  return (
    (isInstance(error, RangeError) || isInstance(error, WebAssembly.RuntimeError)) &&
    memoryMessages.test(textOf(error, 'message'))
  );
}
