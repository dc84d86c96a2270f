// The calls of plugin functions by one instance: converts the module's arguments to values, and the answer, whoever
// gives it, to what the module reads.

import { Failure } from '../errors/failures.ts';
import type { HostCalls, PluginCall } from './host-calls.ts';
import { isInstance } from '../primordials/untampered.ts';
import type { ScriptValue } from '../values/script-value.ts';
import type { RunCapabilities } from './capabilities.ts';
import type { directImport } from './direct-plugin-calls.ts';
import { isArgument, isWired } from '../marshalling/type-guards.ts';
import type { UsedFunction, UsedPlugin } from '../plugins/used-plugin.ts';
import { linkPlugin } from '../plugins/linked.ts';
import type { LinkedInstance, Sources } from '../plugins/linked.ts';
import { PollInterval } from './poll-interval.ts';
import type { PolledRun } from './poll-interval.ts';
import { trap } from '../engine/wasm-types.ts';
import type { describeKind, PluginWork } from '../plugins/work.ts';

interface Environment extends Sources {
  readonly capabilities: RunCapabilities;
  /** Whether somebody else answers or observes calls. */
  readonly isAnswered: boolean;
}

export interface PluginRun extends PolledRun {
  /** Ends a run that may not go on, whatever clauses the script has. */
  readonly endIfOver: () => void;
  /** Throws the script's PluginError; `stack` is the stack of the call, if it differs from the current one. */
  readonly raise: (message: string, stack?: string) => never;
  /**
   * Notes that a PluginError ends the run and no clause can catch it; the embedder then gets the error that is thrown.
   */
  readonly end: (message: string, stack?: string) => void;
  /** Notes an error that will pass through the script unchanged. */
  readonly noteOutside: (error: unknown) => void;
  /** Whether it is an error of the language that was made for this script. */
  readonly isScripts: (error: unknown) => boolean;
}

/** The code that calls the functions of plugins. */
export interface OwnWork {
  readonly PluginWork: typeof PluginWork;
  readonly directImport: typeof directImport;
  readonly describeKind: typeof describeKind;
}

export class PluginCalls {
  readonly #calls: HostCalls;
  readonly #environment: Environment;
  readonly #run: PluginRun;
  /** Null if somebody else calls them. */
  readonly #own: OwnWork | null;
  readonly #work: PluginWork | null;
  /** The instances of WebAssembly modules on this side. */
  readonly #linked: LinkedInstance[] = [];
  /** Arguments that the module has written for the next call. */
  #passed: ScriptValue[] = [];
  /** For functions with numbers only; null until there are some. */
  #pollInterval: PollInterval | null = null;

  constructor(calls: HostCalls, environment: Environment, run: PluginRun, own: OwnWork | null) {
    this.#calls = calls;
    this.#environment = environment;
    this.#run = run;
    this.#own = own;
    this.#work =
      own === null
        ? null
        : new own.PluginWork({
            log: (line) => environment.capabilities.log(line),
            tell: (line) => calls.tell(line),
            signal: run.signal,
            throwOutside: (error) => {
              run.noteOutside(error);
              throw error;
            },
            ask: (request, called) => calls.askPlugin(request, called),
          });
  }

  /** Whether code of a plugin runs at this moment; its code after a wait is not counted. */
  get areRunning(): boolean {
    return this.#work?.isRunning ?? false;
  }

  /** Called when nothing of the script's instance runs any more. */
  close(): void {
    for (const { close } of this.#linked.splice(0)) close();
  }

  pass(value: ScriptValue): void {
    // Values of calls that never happened are left over: no function has so many parameters.
    if (this.#passed.length >= 2_000) this.#passed.splice(0, 1_000);
    this.#passed.push(value);
  }

  /** The functions that a module imports, by plugin. */
  imports(plugins: readonly UsedPlugin[]): Record<string, Record<string, unknown>> {
    return Object.fromEntries(plugins.map((used) => [used.name, this.#functions(used)]));
  }

  #functions(used: UsedPlugin): Record<string, unknown> {
    const { isAnswered } = this.#environment;
    const isLinkedHere = used.code !== null || (!isAnswered && used.functions.some(({ way }) => way === 'linked'));
    if (isLinkedHere) {
      const instance = linkPlugin(used, this.#environment, this.#run.endIfOver);
      this.#linked.push(instance);
      return instance.functions;
    }
    return Object.fromEntries(
      used.functions.map((fn) => [
        fn.importName,
        fn.way === 'direct' && !isAnswered ? this.#direct(used, fn) : this.#asked(used, fn),
      ]),
    );
  }

  #direct(used: UsedPlugin, fn: UsedFunction): unknown {
    const { self, functions } = used.owned!;
    const [{ directImport, describeKind }, plugin] = [this.#own!, this.#work!];
    return directImport(fn, functions[fn.id]!.work!, self, (this.#pollInterval ??= new PollInterval(this.#run)), {
      failed: (error) => this.#run.raise(plugin.tell(fn, error)),
      returned: (value) => this.#run.raise(plugin.complain(used, fn, describeKind(value))),
    });
  }

  #asked(used: UsedPlugin, fn: UsedFunction): unknown {
    const call: PluginCall = {
      called: fn.id,
      waits: fn.waits,
      take: (wires) => this.#take(used, fn, wires),
      work: (values) => this.#work!.do(used, fn, values),
    };
    if (fn.way === 'streamed') return this.#calls.pluginImport(call);
    // If the end of the run were thrown inside a linked function, the code around that call would report it as a
    // failure of the plugin.
    const isLinked = fn.way === 'linked';
    return this.#calls.numberImport(
      call,
      !isLinked,
      isLinked ? (error, stack) => this.#failLinked(error, stack) : (error, stack) => this.#fail(error, stack),
    );
  }

  #fail(error: unknown, stack: string | undefined): never {
    if (isInstance(error, Failure)) return this.#run.raise(error.message, stack);
    // A reached limit is already an error of the script.
    if (this.#run.isScripts(error)) throw error;
    this.#run.noteOutside(error);
    throw error;
  }

  /** The module treats every thrown error as a failure of the plugin, except a trap. */
  #failLinked(error: unknown, stack: string | undefined): never {
    if (isInstance(error, Failure) && !error.endsRun) throw error;
    if (isInstance(error, Failure)) this.#run.end(error.message, stack);
    else this.#run.noteOutside(error);
    return trap();
  }

  #take({ structs }: UsedPlugin, fn: UsedFunction, wires: readonly unknown[]): readonly ScriptValue[] {
    const passed = this.#passed;
    this.#passed = [];
    // Values of a call that never happened, since one of them could not be written, come first.
    let nextPassed = passed.length - fn.parameters.filter((parameter) => !isWired(parameter)).length;
    let nextWire = 0;
    return fn.parameters.map((parameter): ScriptValue => {
      const value = isWired(parameter) ? (wires[nextWire++] as ScriptValue) : passed[nextPassed++]!;
      const taken = parameter.type === 'boolean' && typeof value === 'number' ? value !== 0 : value;
      if (!isArgument(parameter, taken, structs))
        throw new Failure('PluginError', `${fn.id} is not called as it is declared`);
      return taken;
    });
  }
}
