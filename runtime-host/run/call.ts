// Calls of exported functions of an instance in this thread. Globals are set when the first call is made, and what is
// yielded meanwhile belongs to that call.

import { callExport, directExport, initialiseExport } from '../../src/abi/imports.ts';
import type { ManifestExport } from '../../src/abi/manifest.ts';
import { areWireValues } from '../marshalling/call-arguments.ts';
import type { checkNamedCall } from '../marshalling/call-arguments.ts';
import { foreign, HostError, noteYields } from '../errors/errors.ts';
import { Execution } from './execution.ts';
import type { Environment, Program, WasmFunction } from './execution.ts';
import { proceed } from '../errors/failures.ts';
import type { Awaitable } from '../errors/failures.ts';
import { busyInstance, closed, endedInstance } from './instance.ts';
import type { InstanceCalls, CallResult } from './script-types.ts';
import type { CheckedArguments } from '../marshalling/parts.ts';
import type { InnerConsumer, Result, Suspension } from './run-execution.ts';
import { beginLongStacks, endLongStacks } from '../errors/stack-trace.ts';
import type { ScriptValue } from '../values/script-value.ts';

/** An exported function with its ways in, of which there is one at least. */
interface Target {
  readonly described: ManifestExport;
  readonly direct: WasmFunction | null;
  /** Name of the export behind the streams; null if there is none. */
  readonly streamed: string | null;
  /** Whether it may have to wait for the host, and then gives a promise. */
  readonly suspends: boolean;
}

/** One instance in this thread. */
export class LocalCalls implements InstanceCalls {
  readonly #program: Program;
  readonly #check: typeof checkNamedCall | null;
  readonly #execution: Execution;
  readonly #targets = new Map<string, Target>();
  #state: 'new' | 'ready' | 'running' | 'ended' = 'new';
  /** Closed, perhaps in the midst of a call, which may go on to its end. */
  #isClosed = false;
  /** Its globals are set. */
  #isMade = false;
  /** What ended it. */
  #end: unknown = null;
  #yields: ScriptValue[] = [];
  #yieldBytes = 0;

  /** `check` is for `call`, and null where all calls have been checked. */
  constructor(program: Program, environment: Environment, suspension: Suspension, check: typeof checkNamedCall | null) {
    this.#program = program;
    this.#check = check;
    const take: InnerConsumer = (value, _text, _printsAsJson, bytes) => {
      this.#yields.push(value);
      this.#yieldBytes += bytes;
    };
    // Nobody reads them before the call has ended.
    this.#execution = new Execution(
      program,
      environment,
      { take, unread: () => ({ items: this.#yields.length, bytes: this.#yieldBytes }) },
      suspension,
    );
  }

  callSync(name: string, values: unknown[]): CallResult {
    if (this.#state === 'ended') this.#refuse();
    // What is no name is told so by the call.
    if (typeof name === 'string' && this.#maySuspend(name)) {
      throw new HostError(`${name} can reach a call that waits for the host: use call() instead of callSync()`);
    }
    return this.call(name, values) as CallResult;
  }

  close(): void {
    if (this.#state === 'ended') return;
    this.#isClosed = true;
    this.#execution.abort();
    if (this.#state !== 'running') this.#endWith(closed);
  }

  #endWith(error: unknown): void {
    this.#state = 'ended';
    this.#end = error;
    this.#execution.close();
  }

  /** Whether further calls may be made. */
  get goesOn(): boolean {
    return this.#state !== 'ended';
  }

  /** Whether a call of this function, or the setting of the globals that comes first, may have to wait. */
  #maySuspend(name: string): boolean {
    const known = this.#targets.get(name);
    if (known !== undefined && this.#isMade) return known.suspends;
    const beforehand = this.#isMade ? [] : [initialiseExport];
    return this.#execution.maySuspend([...beforehand, directExport(name), callExport(name)]);
  }

  call(name: string, values: unknown[]): Awaitable<CallResult> {
    const known = this.#targets.get(name);
    if (
      this.#state === 'ready' &&
      known !== undefined &&
      known.direct !== null &&
      !known.suspends &&
      areWireValues(known.described.parameters, values)
    ) {
      return this.#callDirect(known.direct, known.described, values);
    }
    // A call with arguments that do not fit runs nothing, the setting of the globals included.
    const { described, checked } = this.#check!(this.#program.manifest, name, values);
    return this.callChecked(described, checked);
  }

  /** Calls a function with what `checkNamedCall` gave. */
  callChecked(described: ManifestExport, checked: CheckedArguments): Awaitable<CallResult> {
    const wires: unknown[] = [...checked];
    return proceed(this.#prepare(), () => {
      const { direct, streamed, suspends } = this.#targets.get(described.name) ?? this.#findTarget(described);
      if (direct === null || !areWireValues(described.parameters, wires))
        return this.#callStreamed(streamed!, checked, described.returns);
      return suspends ? this.#callWaiting(direct, described, wires) : this.#callDirect(direct, described, wires);
    });
  }

  #callDirect(direct: WasmFunction, { returns }: ManifestExport, values: readonly unknown[]): CallResult {
    this.#state = 'running';
    this.#execution.begin();
    const before = beginLongStacks();
    try {
      return this.#give(returns, apply(direct, values));
    } catch (error) {
      return this.#fail(error);
    } finally {
      endLongStacks(before);
    }
  }

  async #callWaiting(
    direct: WasmFunction,
    { returns }: ManifestExport,
    values: readonly unknown[],
  ): Promise<CallResult> {
    this.#state = 'running';
    this.#execution.begin();
    try {
      return this.#give(returns, await this.#execution.enterSuspending(direct, values));
    } catch (error) {
      return this.#fail(error);
    }
  }

  /** What a direct function gave, which is of whatever type the module has made it. */
  #give(returns: ManifestExport['returns'], given: unknown): CallResult {
    const isFit = returns === null ? given === undefined : typeof given === (returns === 'int' ? 'bigint' : 'number');
    if (!isFit) throw foreign();
    this.#goOn();
    return {
      value: returns === 'boolean' ? given !== 0 : (given as ScriptValue | undefined),
      yields: this.#takeYields(),
    };
  }

  /** A call has come to its end. Throws if it was to end before. */
  #goOn(): void {
    this.#execution.checkEnd();
    if (this.#isClosed) throw closed;
    this.#state = 'ready';
  }

  #callStreamed(
    streamed: string,
    checked: CheckedArguments,
    returns: ManifestExport['returns'],
  ): Awaitable<CallResult> {
    return this.#enter(streamed, checked, (value) => {
      if ((returns === null) !== (value === undefined)) throw foreign();
      if (value !== undefined && returns !== null) this.#execution.checkSent(value, [returns]);
      this.#goOn();
      return { value, yields: this.#takeYields() };
    });
  }

  /** Enters by an export behind the streams; the instance is in a call until that is over. */
  #enter<Ended>(
    name: string,
    values: CheckedArguments,
    finish: (value: ScriptValue | undefined) => Ended,
  ): Awaitable<Ended> {
    this.#state = 'running';
    const end = (result: Result | null): Ended => finish(result?.value);
    try {
      const result = this.#execution.enter(name, values);
      return result instanceof Promise ? result.then(end).catch((error: unknown) => this.#fail(error)) : end(result);
    } catch (error) {
      return this.#fail(error);
    }
  }

  #takeYields(): ScriptValue[] {
    const yields = this.#yields;
    if (yields.length === 0) return [];
    this.#yields = [];
    this.#yieldBytes = 0;
    return yields;
  }

  /** Makes the instance and sets the globals, the first time; then it is in the call that this was done for. */
  #prepare(): Awaitable<void> {
    if (this.#state === 'ready') return undefined;
    if (this.#state !== 'new') this.#refuse();
    this.#state = 'running';
    const made = (): void => {
      this.#isMade = true;
    };
    let hasGlobals: boolean;
    try {
      hasGlobals = this.#execution.find(initialiseExport) !== null;
    } catch (error) {
      this.#fail(error);
    }
    return hasGlobals ? this.#enter(initialiseExport, [], made) : made();
  }

  #findTarget(described: ManifestExport): Target {
    const [directName, callName] = [directExport(described.name), callExport(described.name)];
    const target: Target = {
      described,
      direct: this.#execution.find(directName),
      streamed: this.#execution.find(callName) === null ? null : callName,
      suspends: this.#execution.maySuspend([directName, callName]),
    };
    this.#targets.set(described.name, target);
    return target;
  }

  #fail(error: unknown): never {
    const failure = this.#execution.translate(error);
    noteYields(failure, this.#takeYields());
    if (this.#execution.isSound && this.#isMade && !this.#isClosed) this.#state = 'ready';
    else this.#endWith(this.#isClosed ? closed : failure);
    throw failure;
  }

  #refuse(): never {
    if (this.#state === 'running') throw busyInstance();
    throw endedInstance(this.#end);
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
