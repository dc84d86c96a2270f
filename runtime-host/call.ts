// Calls of exported functions. An instance of a module keeps its globals from call to call; `Script.call` takes
// a new one for each.

import { callExport, directExport, initialiseExport } from '../src/abi/imports.ts';
import type { ManifestExport } from '../src/abi/manifest.ts';
import { areWireValues, checkCall, unknownFunction } from './call-arguments.ts';
import type { CheckedArguments } from './arguments.ts';
import { HostError, noteYields } from './errors.ts';
import { Execution } from './execution.ts';
import type { Environment, Program, WasmFunction } from './execution.ts';
import type { AnyScript, CallArguments, CallResult, CallResultOf, ExportName, ScriptTypes } from './script-types.ts';
import { beginLongStacks, endLongStacks } from './stack-trace.ts';
import type { ScriptValue } from './values.ts';

/** An exported function with its ways in, of which there is one at least. */
interface Target {
  readonly described: ManifestExport;
  readonly direct: WasmFunction | null;
  readonly streamed: WasmFunction | null;
}

/**
 * One instance of a script, which keeps its globals from call to call. They are set when the first call is
 * made, and what is yielded meanwhile belongs to that call.
 *
 * After an error that the script could have caught itself the instance goes on, its globals as the error
 * found them. Any other failure ends it: a guard error such as StackOverflowError, a failure while the globals
 * are set, an error of the embedder's own functions.
 */
export class ScriptInstance<Types extends ScriptTypes = AnyScript> {
  readonly #program: Program;
  readonly #execution: Execution;
  readonly #targets = new Map<string, Target>();
  #state: 'new' | 'ready' | 'running' | 'ended' = 'new';
  /** Its globals are set. */
  #isMade = false;
  /** What ended it. */
  #end: unknown = null;
  #yields: ScriptValue[] = [];

  constructor(program: Program, environment: Environment) {
    this.#program = program;
    this.#execution = new Execution(program, environment, (value) => this.#yields.push(value));
  }

  /** Calls an exported function. Rejects with whatever `callSync` throws. */
  async call<Name extends ExportName<Types>>(name: Name, ...values: CallArguments<Types, Name>): Promise<CallResultOf<Types, Name>> {
    return this.callSync(name, ...values);
  }

  /**
   * Calls an exported function. Throws ArgumentError if there is no such function or the arguments do not
   * fit it, ScriptError for an error of the script, HostError if the instance is in a call already or has ended.
   */
  callSync<Name extends ExportName<Types>>(name: Name, ...values: CallArguments<Types, Name>): CallResultOf<Types, Name> {
    return this.#call(name, values) as CallResultOf<Types, Name>;
  }

  #call(name: string, values: unknown[]): CallResult {
    const known = this.#targets.get(name);
    if (this.#state === 'ready' && known !== undefined && known.direct !== null && areWireValues(known.described.parameters, values)) {
      return this.#callDirect(known.direct, known.described, values);
    }
    const { manifest } = this.#program;
    const described = manifest.exports?.find((fn) => fn.name === name);
    if (described === undefined) throw unknownFunction(name, manifest);
    // A call with arguments that do not fit runs nothing, the setting of the globals included.
    const checked = checkCall(described, manifest.structs, values);
    this.#prepare();
    const { direct, streamed } = known ?? this.#findTarget(described);
    if (direct !== null && areWireValues(described.parameters, values)) return this.#callDirect(direct, described, values);
    return this.#callStreamed(streamed!, checked);
  }

  #callDirect(direct: WasmFunction, { returns }: ManifestExport, values: readonly unknown[]): CallResult {
    this.#state = 'running';
    const before = beginLongStacks();
    try {
      const value = apply(direct, values) as ScriptValue | undefined;
      this.#state = 'ready';
      return { value: returns === 'boolean' ? Boolean(value) : value, yields: this.#takeYields() };
    } catch (error) {
      return this.#fail(error);
    } finally {
      endLongStacks(before);
      this.#program.staging?.wipe();
    }
  }

  #callStreamed(streamed: WasmFunction, checked: CheckedArguments): CallResult {
    this.#state = 'running';
    try {
      const result = this.#execution.enter(streamed, checked);
      this.#state = 'ready';
      return { value: result?.value, yields: this.#takeYields() };
    } catch (error) {
      return this.#fail(error);
    }
  }

  #takeYields(): ScriptValue[] {
    const yields = this.#yields;
    if (yields.length === 0) return [];
    this.#yields = [];
    return yields;
  }

  /** Makes the instance and sets the globals, the first time. */
  #prepare(): void {
    if (this.#state === 'ready') return;
    if (this.#state !== 'new') this.#refuse();
    this.#state = 'running';
    try {
      const initialise = this.#execution.find(initialiseExport);
      if (initialise !== null) this.#execution.enter(initialise, []);
      this.#isMade = true;
      this.#state = 'ready';
    } catch (error) {
      this.#fail(error);
    }
  }

  #findTarget(described: ManifestExport): Target {
    const { name } = described;
    const target: Target = { described, direct: this.#execution.find(directExport(name)), streamed: this.#execution.find(callExport(name)) };
    this.#targets.set(name, target);
    return target;
  }

  #fail(error: unknown): never {
    const failure = this.#execution.translate(error);
    noteYields(failure, this.#takeYields());
    this.#state = this.#execution.isSound && this.#isMade ? 'ready' : 'ended';
    this.#end = failure;
    throw failure;
  }

  #refuse(): never {
    if (this.#state === 'running') throw new HostError('this instance is in a call already: a function that the script calls cannot call back into it; make another with script.instance()');
    const cause = this.#end instanceof Error ? `${this.#end.name}: ${this.#end.message}` : String(this.#end);
    throw new HostError(`this instance has ended (${cause}): make another with script.instance()`);
  }
}

/** Without a spread, which is slow, for the usual numbers of arguments. */
function apply(fn: WasmFunction, values: readonly unknown[]): unknown {
  switch (values.length) {
    case 0:
      return fn();
    case 1:
      return fn(values[0]);
    case 2:
      return fn(values[0], values[1]);
    case 3:
      return fn(values[0], values[1], values[2]);
    default:
      return fn(...values);
  }
}
