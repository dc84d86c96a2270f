// The calls of plugins' functions by one run: what goes to them, what they answer, and what becomes of their failures. A
// script is told that a function failed, never with which words; the host's log has those.

import type { Work } from '../../src/library/plugins.ts';
import { ArgumentCheck } from '../arguments.ts';
import { describeThrown, Failure, proceed } from '../failures.ts';
import type { Awaitable } from '../failures.ts';
import type { HostCalls } from '../host-calls.ts';
import type { Part } from '../parts.ts';
import type { PluginConstraints } from '../permissions/grants.ts';
import { PermissionRequest } from '../permissions/requests.ts';
import { describeType } from '../values.ts';
import type { ScriptValue } from '../values.ts';
import type { World } from '../world.ts';
import { directImport } from './direct.ts';
import { fits, isThenable, isWired } from './fits.ts';
import type { UsedFunction, UsedPlugin } from './link.ts';
import { linkedFunctions } from './linked.ts';
import type { Sources } from './linked.ts';
import { CallPace } from './pace.ts';
import type { PacedRun } from './pace.ts';

/** What a function that has a permission, or is async, gets behind the arguments of the script. */
export interface PluginContext {
  /** What the grant says, by name; it is the plugin that keeps to it. */
  readonly constraints: PluginConstraints;
  /** Aborted when the run is. */
  readonly signal: AbortSignal;
  /** Takes a line for the host's operator. */
  readonly log: (line: string) => void;
}

interface Environment extends Sources {
  readonly world: World;
}

export interface PluginRun extends PacedRun {
  /** Throws the script's PluginError. */
  readonly raise: (message: string) => never;
}

const noConstraints: PluginConstraints = Object.freeze(Object.create(null) as PluginConstraints);

export class PluginCalls {
  readonly #calls: HostCalls;
  readonly #environment: Environment;
  readonly #run: PluginRun;
  /** Arguments that the module has written for the call that comes next. */
  #passed: ScriptValue[] = [];
  #running = false;
  /** Of the functions of numbers, once there are some. */
  #pace: CallPace | null = null;

  constructor(calls: HostCalls, environment: Environment, run: PluginRun) {
    this.#calls = calls;
    this.#environment = environment;
    this.#run = run;
  }

  /** Whether code of a plugin is what runs at this moment, short of what it does after having waited. */
  get areRunning(): boolean {
    return this.#running;
  }

  pass(value: ScriptValue): void {
    this.#passed.push(value);
  }

  /** The functions that a module imports, by plugin. */
  imports(plugins: readonly UsedPlugin[]): Record<string, Record<string, unknown>> {
    return Object.fromEntries(plugins.map((used) => [used.plugin.name, this.#functions(used)]));
  }

  #functions(used: UsedPlugin): Record<string, unknown> {
    if (used.plugin.wasm !== null) return linkedFunctions(used, this.#environment);
    return Object.fromEntries(used.functions.map((fn) => [fn.importName, fn.way === 'direct'
      ? directImport(fn, used.self, (this.#pace ??= new CallPace(this.#run)), { failed: (error) => this.#run.raise(this.#tell(fn, error)), returned: (value) => this.#run.raise(this.#complain(fn, used, describeKind(value))) })
      : this.#calls.pluginImport(fn.row.id, fn.waits, (...wires) => this.#call(used, fn, wires))]));
  }

  /** Throws, or rejects with, a Failure. */
  #call(used: UsedPlugin, fn: UsedFunction, wires: readonly unknown[]): Awaitable<Part | undefined> {
    const values = this.#arguments(used, fn, wires);
    if (fn.permission === null) return this.#work(used, fn, values, noConstraints);
    return proceed(this.#ask(used, fn, values), (constraints) => this.#work(used, fn, values, constraints));
  }

  #arguments({ structs }: UsedPlugin, fn: UsedFunction, wires: readonly unknown[]): ScriptValue[] {
    const passed = this.#passed;
    this.#passed = [];
    // Values of a call that was not made in the end, because one of them could not be written, lie in front.
    let nextPassed = passed.length - fn.parameters.filter((parameter) => !isWired(parameter)).length;
    let nextWire = 0;
    return fn.parameters.map((parameter): ScriptValue => {
      const { type, nullable } = parameter;
      const value = isWired(parameter) ? (wires[nextWire++] as ScriptValue) : passed[nextPassed++]!;
      const taken = type === 'boolean' && typeof value === 'number' ? value !== 0 : value;
      if (!(taken === null ? nullable || type === 'json' : fits(type, taken, structs))) throw new Failure('PluginError', `${fn.row.id} is not called as it is declared`);
      return taken;
    });
  }

  #ask({ self }: UsedPlugin, fn: UsedFunction, values: readonly ScriptValue[]): Awaitable<PluginConstraints> {
    const { category, action } = fn.permission!;
    let request: PermissionRequest;
    try {
      const details = fn.details === null ? shownArguments(fn, values) : call(fn.details, self, values);
      request = new PermissionRequest.Plugin(category, action, details as Readonly<Record<string, unknown>>);
    } catch (error) {
      throw this.#failure(fn, error);
    }
    return this.#calls.askPlugin(request, fn.row.id);
  }

  #work(used: UsedPlugin, fn: UsedFunction, values: readonly ScriptValue[], constraints: PluginConstraints): Awaitable<Part | undefined> {
    const { signal } = this.#run;
    const context: PluginContext = { constraints, signal, log: (line) => this.#environment.world.log(`${fn.row.id}: ${line}`) };
    let answer: unknown;
    let waits: boolean;
    this.#running = true;
    try {
      answer = call(fn.work!, used.self, fn.waits ? [...values, context] : values);
      waits = fn.waits ? isThenable(answer) : answer instanceof Promise;
    } catch (error) {
      throw this.#failure(fn, error);
    } finally {
      this.#running = false;
    }
    if (!waits) return this.#check(used, fn, answer);
    if (!fn.waits) throw new Failure('PluginError', this.#complain(fn, used, 'a promise: only an async function, or one with async: true, may'));
    // A promise of our own: the plugin's may have another `then`.
    return new Promise((resolve) => resolve(answer)).then((value) => this.#check(used, fn, value), (error: unknown) => { throw this.#failure(fn, error); });
  }

  /** The answer as its type wants it. */
  #check(used: UsedPlugin, fn: UsedFunction, answer: unknown): Part | undefined {
    if (fn.returns === null) return undefined;
    let part: Part;
    try {
      part = new ArgumentCheck(used.structs, 'result', fn.row.id).part(fn.returns, answer, 'result', 0);
    } catch (error) {
      throw new Failure('PluginError', this.#complain(fn, used, `something else: ${describeThrown(error)}`));
    }
    if (part === null && fn.returns !== 'json' && !fn.returnsNull) throw new Failure('PluginError', this.#complain(fn, used, 'null'));
    return part;
  }

  #failure(fn: UsedFunction, error: unknown): Failure {
    return new Failure('PluginError', this.#tell(fn, error));
  }

  /** Logs what a function threw, and gives what the script may know of it. */
  #tell({ row }: UsedFunction, error: unknown): string {
    this.#calls.tell(`${row.id} failed: ${describeThrown(error)}`);
    return `${row.id} failed`;
  }

  #complain({ row, returns, returnsNull }: UsedFunction, { structs }: UsedPlugin, what: string): string {
    const type = returns === null ? 'void' : describeType(returns, structs);
    const message = `${row.id} did not return ${article(type)}${returnsNull ? ' or null' : ''}`;
    this.#calls.tell(`${message}, but ${what}`);
    return message;
  }
}

/** What a request tells if the plugin does not say: the texts and numbers of the call by the names of the parameters. */
function shownArguments(fn: UsedFunction, values: readonly ScriptValue[]): Readonly<Record<string, unknown>> {
  const shown = fn.parameters.flatMap(({ name, type }, at) => (typeof type === 'string' && type !== 'json' ? [[name, values[at]] as const] : []));
  return Object.fromEntries([['function', fn.row.id], ...shown]);
}

function call(work: Work, self: unknown, values: readonly unknown[]): unknown {
  return Reflect.apply(work, self, values);
}

function describeKind(value: unknown): string {
  return value === null ? 'null' : isPromise(value) ? 'a promise: only an async function, or one with async: true, may' : `a ${typeof value}`;
}

function isPromise(value: unknown): boolean {
  return value instanceof Promise;
}

function article(type: string): string {
  return type === 'void' ? 'nothing' : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}
