// Runs plugins' functions for one run, in the thread of their owner: asks the gate, calls the function, and checks its
// answer. A script learns only that a function failed; the error's text goes to the host's log.

import type { Work } from '../../src/library/plugins.ts';
import { decodeJavaScript } from '../marshalling/javascript-values.ts';
import { ArgumentError, HostError } from '../errors/errors.ts';
import { describeThrown, Failure, proceed } from '../errors/failures.ts';
import type { Awaitable } from '../errors/failures.ts';
import type { MarshalledValue } from '../marshalling/marshalled-values.ts';
import type { PluginConstraints } from '../namespaces/plugin/grant.ts';
import { requests } from '../namespaces/plugin/requests.ts';
import type { PermissionRequest } from '../namespaces/requests.ts';
import { applyTo, disregard, isInstance } from '../primordials/untampered.ts';
import { describeType } from '../marshalling/value-writer.ts';
import type { ScriptValue } from '../values/script-value.ts';
import { isThenable } from '../marshalling/type-guards.ts';
import type { UsedFunction, UsedPlugin } from './used-plugin.ts';
import { linkPlugin } from './linked.ts';
import { trapped } from './traps.ts';

/** The last argument of a function that has a permission or is async, behind the arguments of the script. */
export interface PluginContext {
  /** The constraints of the grant by name; the plugin itself must enforce them. */
  readonly constraints: PluginConstraints;
  /** Aborted when the run is. */
  readonly signal: AbortSignal;
  /** Takes a line for the host's operator. */
  readonly log: (line: string) => void;
}

/** The logs that plugins use. */
export interface Surroundings {
  /** Takes the plugins' own lines for the host's operator. */
  readonly log: (line: string) => void;
  /** Takes the host's lines about the plugins. */
  readonly tell: (line: string) => void;
  readonly signal: AbortSignal;
  /** Ends the run with this error, which no clause of the script can catch. */
  readonly throwOutside: (error: unknown) => never;
  readonly ask: (request: PermissionRequest, called: string) => Awaitable<PluginConstraints>;
}

const noConstraints: PluginConstraints = Object.freeze(Object.create(null) as PluginConstraints);

export class PluginWork {
  readonly #around: Surroundings;
  /** The instances of WebAssembly modules on this side. */
  readonly #instances = new Map<UsedPlugin, Readonly<Record<string, unknown>>>();
  #running = false;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** Whether code of a plugin runs at this moment; its code after a wait is not counted. */
  get isRunning(): boolean {
    return this.#running;
  }

  /** Calls the function for the script. Throws, or rejects with, a Failure. */
  do(used: UsedPlugin, fn: UsedFunction, values: readonly ScriptValue[]): Awaitable<MarshalledValue | undefined> {
    if (fn.way === 'linked') return this.#callLinked(used, fn, values);
    const { permission, details } = used.owned!.functions[fn.id]!;
    if (permission === null) return this.#call(used, fn, values, noConstraints);
    let request: PermissionRequest;
    try {
      const told = details === null ? shownArguments(fn, values) : apply(details, used.owned!.self, values);
      disregard(told);
      request = new requests(permission.category, permission.action, told as Readonly<Record<string, unknown>>);
    } catch (error) {
      throw this.#failure(fn, error);
    }
    return proceed(this.#around.ask(request, fn.id), (constraints) => this.#call(used, fn, values, constraints));
  }

  #call(
    used: UsedPlugin,
    fn: UsedFunction,
    values: readonly ScriptValue[],
    constraints: PluginConstraints,
  ): Awaitable<MarshalledValue | undefined> {
    const { signal, log } = this.#around;
    const { self, functions } = used.owned!;
    const context: PluginContext = { constraints, signal, log: (line) => log(`${fn.id}: ${line}`) };
    let answer: unknown;
    let waits: boolean;
    this.#running = true;
    try {
      answer = apply(functions[fn.id]!.work!, self, fn.waits ? [...values, context] : values);
      waits = fn.waits ? isThenable(answer) : isInstance(answer, Promise);
    } catch (error) {
      throw this.#failure(fn, error);
    } finally {
      this.#running = false;
    }
    if (!waits) return this.#check(used, fn, answer);
    if (!fn.waits) {
      disregard(answer);
      throw new Failure('PluginError', this.complain(used, fn, aPromise));
    }
    // Wrapped in a promise of our own, since the plugin's may have another `then`.
    return new Promise((resolve) => resolve(answer)).then(
      (value) => this.#check(used, fn, value),
      (error: unknown) => {
        throw this.#failure(fn, error);
      },
    );
  }

  /** The calling module checks the result itself. */
  #callLinked(used: UsedPlugin, fn: UsedFunction, values: readonly ScriptValue[]): MarshalledValue | undefined {
    this.#running = true;
    let work: Work | null = null;
    try {
      work = this.#instanceOf(used)[fn.importName] as Work;
      return work(...(values as never[])) as MarshalledValue | undefined;
    } catch (error) {
      if (isInstance(error, WebAssembly.RuntimeError)) throw new Failure('PluginError', trapped, true);
      if (work === null && isInstance(error, HostError)) this.#around.throwOutside(error);
      throw this.#failure(fn, error);
    } finally {
      this.#running = false;
    }
  }

  #instanceOf(used: UsedPlugin): Readonly<Record<string, unknown>> {
    const made = this.#instances.get(used);
    if (made !== undefined) return made;
    const { functions } = linkPlugin(used, null);
    this.#instances.set(used, functions);
    return functions;
  }

  /** Converts the answer to its type. */
  #check(used: UsedPlugin, fn: UsedFunction, answer: unknown): MarshalledValue | undefined {
    if (fn.returns === null) return undefined;
    let value: MarshalledValue;
    try {
      value = decodeJavaScript(fn.returns, answer, used.structs, { parameter: 'result', call: fn.id });
    } catch (error) {
      throw new Failure(
        'PluginError',
        this.complain(used, fn, `something else: ${describeThrown(error)}${describeCause(error)}`),
      );
    }
    if (value === null && fn.returns !== 'json' && !fn.returnsNull)
      throw new Failure('PluginError', this.complain(used, fn, 'null'));
    return value;
  }

  #failure(fn: UsedFunction, error: unknown): Failure {
    return new Failure('PluginError', this.tell(fn, error));
  }

  /** Logs an error that a function threw, and returns the message for the script. */
  tell({ id }: UsedFunction, error: unknown): string {
    this.#around.tell(`${id} failed: ${describeThrown(error)}`);
    return `${id} failed`;
  }

  /** Logs an invalid answer of a function, and returns the message for the script. */
  complain({ structs }: UsedPlugin, { id, returns, returnsNull }: UsedFunction, what: string): string {
    const type = returns === null ? 'void' : describeType(returns, structs);
    const message = `${id} did not return ${article(type)}${returnsNull ? ' or null' : ''}`;
    this.#around.tell(`${message}, but ${what}`);
    return message;
  }
}

/** The default details of a request: the texts and numbers of the call by the names of the parameters. */
function shownArguments(fn: UsedFunction, values: readonly ScriptValue[]): Readonly<Record<string, unknown>> {
  const shown = fn.parameters.flatMap(({ name, type }, at) =>
    typeof type === 'string' && type !== 'json' ? [[name, values[at]] as const] : [],
  );
  return Object.fromEntries([['function', fn.id], ...shown]);
}

/** The error of reading an answer, for the host's operator alone. */
function describeCause(error: unknown): string {
  return isInstance(error, ArgumentError) && error.cause !== undefined ? ` (${describeThrown(error.cause)})` : '';
}

function apply(work: Work, self: unknown, values: readonly unknown[]): unknown {
  return applyTo(work, self, values);
}

const aPromise = 'a promise: only an async function, or one with async: true, may';

/** A result of a function with numbers only, described for the host's operator. */
export function describeKind(value: unknown): string {
  return value === null ? 'null' : isInstance(value, Promise) ? aPromise : `a ${typeof value}`;
}

function article(type: string): string {
  return type === 'void' ? 'nothing' : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}
