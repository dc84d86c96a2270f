// Calls of exported functions of an instance in this thread. The first call sets the globals, and values that are
// yielded meanwhile belong to that call.

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
import type { CheckedArguments } from '../marshalling/marshalled-values.ts';
import type { InnerConsumer, Result, Suspension } from './run-execution.ts';
import { beginLongStacks, endLongStacks } from '../errors/stack-trace.ts';
import type { ScriptValue } from '../values/script-value.ts';

/** An exported function with its exports in the module, at least one. */
interface Target {
  readonly described: ManifestExport;
  readonly direct: WasmFunction | null;
  /** The name of the export with streams; null if there is none. */
  readonly streamed: string | null;
  /** Whether it may have to wait for the host, and then returns a promise. */
  readonly suspends: boolean;
}

/** One instance in this thread. */
export class LocalCalls implements InstanceCalls {
  readonly #program: Program;
  readonly #check: typeof checkNamedCall | null;
  readonly #execution: Execution;
  readonly #targets = new Map<string, Target>();
  #state: 'new' | 'ready' | 'running' | 'ended' = 'new';
  /** Whether it was closed, perhaps during a call that may still continue to its end. */
  #isClosed = false;
  /** Whether its globals are set. */
  #isMade = false;
  /** The error that ended it. */
  #end: unknown = null;
  #yields: ScriptValue[] = [];
  #yieldBytes = 0;

  /** `check` is for `call`; null if all calls were checked before. */
  constructor(program: Program, environment: Environment, suspension: Suspension, check: typeof checkNamedCall | null) {
    this.#program = program;
    this.#check = check;
    const take: InnerConsumer = (value, _text, _printsAsJson, bytes) => {
      this.#yields.push(value);
      this.#yieldBytes += bytes;
    };
    // The yielded values are read only after the call has ended.
    this.#execution = new Execution(
      program,
      environment,
      { take, unread: () => ({ items: this.#yields.length, bytes: this.#yieldBytes }) },
      suspension,
    );
  }

  callSync(name: string, values: unknown[]): CallResult {
    if (this.#state === 'ended') this.#refuse();
    // For anything but a text the call itself reports the error.
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

  /** Whether more calls are possible. */
  get goesOn(): boolean {
    return this.#state !== 'ended';
  }

  /** Whether a call of this function may have to wait, or the setting of the globals before it. */
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
    // A call with invalid arguments must run nothing, not even set the globals.
    const { described, checked } = this.#check!(this.#program.manifest, name, values);
    return this.callChecked(described, checked);
  }

  /** Calls a function with the result of `checkNamedCall`. */
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

  /** Checks the result of a direct function, whose type the module decides. */
  #give(returns: ManifestExport['returns'], given: unknown): CallResult {
    const isFit = returns === null ? given === undefined : typeof given === (returns === 'int' ? 'bigint' : 'number');
    if (!isFit) throw foreign();
    this.#goOn();
    return {
      value: returns === 'boolean' ? given !== 0 : (given as ScriptValue | undefined),
      yields: this.#takeYields(),
    };
  }

  /** Called at the end of a call. Throws if the call should have ended earlier. */
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

  /** Enters through an export with streams; the instance counts as being in a call until that has ended. */
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

  /** On first use, makes the instance and sets the globals; afterwards the instance is in the call that caused this. */
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
