// The errors of one instance: those that the host throws into it, and the embedder's errors for whatever comes out of
// it. Every failure leaves here as one of the classes in errors.ts, or unchanged if the embedder's own code threw it.

import type { Manifest } from '../../src/abi/manifest.ts';
import { errorTypeOf, findErrorType } from '../../src/language/errors.ts';
import { AbortError, foreign, HostError, InternalError, ScriptError, tooDeep } from '../errors/errors.ts';
import { textOf } from '../errors/failures.ts';
import { isOutOfMemory, isStackOverflow } from '../engine/engine-errors.ts';
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
  /** The tag of the language's errors; null until there is an instance. */
  tag: WebAssembly.Tag | null = null;
  /** The stack noted when an error was about to leave the script. */
  #notedStack: string | null = null;
  /** An error of the embedder's own code, or the end by abort(): it passes through the module unchanged. */
  #outside: { readonly error: unknown } | null = null;
  #isSound = true;

  constructor(manifest: Manifest, plugins: readonly UsedPlugin[], traps: Traps | null, depthHelp: DepthHelp | null) {
    this.#manifest = manifest;
    this.#plugins = plugins;
    this.#traps = traps;
    this.#depthHelp = depthHelp;
  }

  /** Whether the instance can be used further: false after an error that the script itself could not have caught. */
  get leaveItSound(): boolean {
    return this.#isSound;
  }

  /** Called when an error is about to leave the script. */
  noteStack(stack = captureStack()): void {
    this.#notedStack = stack;
  }

  /** An error of the language that the script may catch. */
  make(type: string, message: string, stack?: string): unknown {
    this.noteStack(stack);
    return new WebAssembly.Exception(this.tag!, [findErrorType(type)!.id, message, -1]);
  }

  /** Throws an error of the language that the script may catch. */
  raise(type: string, message: string, stack?: string): never {
    throw this.make(type, message, stack);
  }

  /** An error of the language that no clause of the script catches. */
  makeEnd(type: string, message: string, stack = captureStack()): unknown {
    const error = new ScriptError(type, message, this.#framesOf(readFrames(stack), -1));
    this.noteOutside(error);
    return error;
  }

  /** Notes an error that will pass through the module unchanged. */
  noteOutside(error: unknown): void {
    this.#outside = { error };
  }

  isOutside(error: unknown): boolean {
    return this.#outside !== null && this.#outside.error === error;
  }

  /** Whether it is an error of the language that came from this instance, or was made for it. */
  isScripts(error: unknown): error is WebAssembly.Exception {
    return isInstance(error, WebAssembly.Exception) && this.tag !== null && error.is(this.tag);
  }

  /** Throws an error of the embedder that no clause of the script catches. */
  throwOutside(error: unknown): never {
    this.noteOutside(error);
    throw error;
  }

  /** Throws the error that should have ended the run, even if the module has ignored it. */
  throwIfOutside(): void {
    if (this.#outside !== null) throw this.#outside.error;
  }

  /** Calls a function of the embedder, whose errors go back to the embedder. */
  callOut<Value>(work: () => Value): Value {
    try {
      return work();
    } catch (error) {
      this.throwOutside(error);
    }
  }

  /** The embedder's error for any error of the instance. */
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
    // The stack may also overflow inside the embedder's function: the script's depth is the cause.
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
    // The last function has only just begun; its call is the place that matters.
    return new ScriptError(
      type,
      message ?? 'null',
      type === 'StackOverflowError' && frames.length > 1 ? frames.slice(1) : frames,
    );
  }

  /** The engine checks for room on the stack when a function begins. */
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
      // Anybody may have made the module, and its location table may be wrong.
      return [];
    }
  }
}

function isGuard(id: number): boolean {
  return errorTypeOf(id)?.guard === true;
}
