// One instance of a module: its imports and its runs. Everything that a module can call is here or in namespaces/;
// instance-errors.ts handles failures.

import { deepestValue } from '../../src/abi/nesting.ts';
import { depthExport, errorTagExport, runExport, runtimeModule, usedExport } from '../../src/abi/imports.ts';
import type { RuntimeImportName } from '../../src/abi/imports.ts';
import type { Manifest, SentType } from '../../src/abi/manifest.ts';
import { messageOf } from '../errors/messages.ts';
import { AbortError, cannotStart, foreign, HostError } from '../errors/errors.ts';
import { handled } from '../errors/failures.ts';
import type { Awaitable } from '../errors/failures.ts';
import { canSuspend } from '../engine/features.ts';
import { HostCalls } from './host-calls.ts';
import type { AnswerCall, CallLimits, GuardedNamespaces } from './host-calls.ts';
import { InstanceErrors } from './instance-errors.ts';
import { bindFree } from '../namespaces/free-functions.ts';
import { seededRandom } from '../namespaces/math/functions.ts';
import type { DepthHelp } from '../limits/depth.ts';
import type { RunLimits } from '../limits/run-limits.ts';
import { noLimits, setDepth } from '../limits/unlimited.ts';
import type { LimitEnforcement } from '../limits/unlimited.ts';
import type { OwnWork, PluginCalls } from './plugin-calls.ts';
import type { Traps } from '../plugins/traps.ts';
import { isScriptValue } from '../marshalling/type-guards.ts';
import type { UsedPlugin } from '../plugins/used-plugin.ts';
import { ValueReader } from '../marshalling/value-reader.ts';
import type { CheckedArguments } from '../marshalling/marshalled-values.ts';
import { memoryImports } from '../marshalling/staging.ts';
import type { Staging, StagingPool } from '../marshalling/staging.ts';
import type { Outcome, Receiver, Result, RunExecution, Suspension } from './run-execution.ts';
import type { Thread } from './thread.ts';
import { runtimeFunctions } from '../marshalling/runtime-functions.ts';
import { withLongStacks } from '../errors/stack-trace.ts';
import { formatOutput } from '../values/text.ts';
import { EventLoopYield } from '../engine/event-loop.ts';
import { ValueWriter } from '../marshalling/value-writer.ts';
import type { ScriptValue } from '../values/script-value.ts';
import type { RunCapabilities } from './capabilities.ts';

/** What a run uses besides its arguments. */
export interface Environment {
  /** A seed, or a function that returns values of at least 0 and below 1. */
  readonly random: number | (() => number);
  /** A fixed time in Unix milliseconds, or a function that returns one. */
  readonly clock: number | (() => number);
  readonly capabilities: RunCapabilities;
  /** Null for a run without limits. */
  readonly limits: RunLimits | null;
  /** Null if the library itself answers calls. */
  readonly answerCall: AnswerCall | null;
  /**
   * Whether a wait ends here when the time is up. Otherwise the code outside does that, which knows whose time it is.
   */
  readonly timesWaits: boolean;
  /** Null if the thread adds nothing to the engine. */
  readonly thread: Thread | null;
  /** Null if other code adds the advice. */
  readonly depthHelp: DepthHelp | null;
}

export type WasmFunction = (...wires: unknown[]) => unknown;

/** A loaded module: the data that all its runs share. */
export interface Program {
  readonly module: WebAssembly.Module;
  readonly manifest: Manifest;
  /** Names of the imports, `Math.sin`. */
  readonly imports: ReadonlySet<string>;
  /** The namespaces that it imports from; empty if somebody else answers its calls. */
  readonly namespaces: GuardedNamespaces;
  readonly staging: StagingPool | null;
  /** The parts of plugins that the module imports. */
  readonly plugins: readonly UsedPlugin[];
  /** The code that calls plugin functions; null if there are none. */
  readonly pluginSupport: PluginSupport | null;
}

export interface PluginSupport extends Traps {
  readonly PluginCalls: typeof PluginCalls;
  /** Null if somebody else answers all calls. */
  readonly ownWork: OwnWork | null;
}

const yieldImports = [
  'yieldInt',
  'yieldDouble',
  'yieldBoolean',
  'yieldString',
  'yieldValue',
] as const satisfies readonly RuntimeImportName[];

/** One instance of a module. */
export class Execution implements RunExecution {
  readonly #program: Program;
  readonly #reader = new ValueReader();
  readonly #suspension: Suspension;
  readonly #calls: HostCalls;
  readonly #plugins: PluginCalls | null;
  readonly #eventLoop = new EventLoopYield();
  readonly #limits: LimitEnforcement;
  /** Aborted when the run is given up: ends what a host call is waiting for. */
  readonly #end = new AbortController();
  readonly #environment: Environment;
  readonly #thread: Thread | null;
  readonly #random: () => number;
  readonly #clock: () => number;
  readonly #receiver: Receiver;
  readonly #writer: ValueWriter;
  readonly #errors: InstanceErrors;
  #exports: Readonly<Record<string, unknown>> | null = null;
  /** Null if the module has none, and before there is an instance. */
  #staging: Staging | null = null;
  #isClosed = false;
  /** Set while the module is asked for its used units; it may do nothing else then. */
  #isCounting = false;
  #fuelUsed: number | null = null;
  #result: Result | null = null;
  /** The value that the consumer has at the moment. */
  #current: ScriptValue = null;
  #currentPrintsAsJson = false;
  readonly #textOfCurrent = (): string => formatOutput(this.#current, this.#currentPrintsAsJson);
  instantiateMs = 0;
  runMs = 0;

  constructor(program: Program, environment: Environment, receiver: Receiver, suspension: Suspension) {
    this.#program = program;
    this.#environment = environment;
    this.#thread = environment.thread;
    this.#receiver = receiver;
    this.#writer = new ValueWriter(program.manifest, (bytes) => this.#checkGrowth(bytes));
    this.#errors = new InstanceErrors(program.manifest, program.plugins, program.pluginSupport, environment.depthHelp);
    this.#suspension = canSuspend() ? suspension : 'never';
    this.#limits =
      environment.limits?.enforce((work) => this.#callOut(work), {
        tell: (message) => {
          // The module may have stopped in the middle of writing a value.
          this.#writer.reset();
          this.#reader.readFrom(message);
        },
        makeError: ({ type, message }) => this.#errors.make(type, message),
        makeEnd: ({ type, message }) => this.#errors.makeEnd(type, message),
      }) ?? noLimits;
    const { random, clock } = environment;
    this.#random = typeof random === 'number' ? seededRandom(random) : random;
    this.#clock = typeof clock === 'number' ? () => clock : clock;
    this.#calls = new HostCalls(
      environment.capabilities,
      program.namespaces,
      {
        suspends: this.#suspension !== 'never',
        reader: this.#reader,
        signal: this.#end.signal,
        throwIfAborted: () => this.#throwIfAborted(),
        pause: () => this.#limits.meter?.pause(),
        resume: () => this.#limits.meter?.resume(),
        discount: (milliseconds) => this.discount(milliseconds),
        limits: this.#callLimits(),
        abandon: () => this.#end.abort(),
        untilAborted: (promise) => this.#untilAborted(promise),
        throwOutside: (error) => this.#errors.throwOutside(error),
        makeEnd: ({ type, message }) => this.#errors.makeEnd(type, message),
        isOutside: (error) => this.#errors.isOutside(error),
        isScripts: (error) => this.#errors.isScripts(error),
      },
      environment.answerCall ?? undefined,
    );
    this.#plugins =
      program.pluginSupport === null
        ? null
        : new program.pluginSupport.PluginCalls(
            this.#calls,
            {
              capabilities: environment.capabilities,
              random: this.#random,
              clock: this.#clock,
              isAnswered: environment.answerCall !== null,
            },
            {
              signal: this.#end.signal,
              throwIfEnded: () => this.#throwIfAborted(),
              endIfOver: () => {
                this.#endIfAborted();
                this.#limits.endInTime();
              },
              timeLeft: () => this.#limits.meter?.timeLeft ?? null,
              raise: (message, stack) => this.#errors.raise('PluginError', message, stack),
              end: (message, stack) => void this.#errors.makeEnd('PluginError', message, stack),
              noteOutside: (error) => this.#errors.noteOutside(error),
              isScripts: (error) => this.#errors.isScripts(error),
            },
            program.pluginSupport.ownWork,
          );
  }

  #callLimits(): CallLimits | null {
    const { meter } = this.#limits;
    if (meter === null) return null;
    return {
      allow: (kind, amount, held) => this.#limits.use(kind, amount, held),
      room: () => meter.room(),
      note: (used) => meter.note(used),
    };
  }

  /** Whether code of a plugin runs at this moment. */
  get isInPlugin(): boolean {
    return this.#plugins?.areRunning ?? false;
  }

  /** Whether entering through one of these exports may suspend, and so returns a promise. */
  maySuspend(names: readonly string[]): boolean {
    if (this.#suspension === 'never') return false;
    // A module with a depth limit then gets a larger stack of its own, even if it never waits; other modules use the
    // stack of the thread, where imports cost less.
    if (this.#thread?.promising !== undefined && this.#exports !== null && depthExport in this.#exports) return true;
    const {
      manifest: { waits = [] },
      imports,
    } = this.#program;
    const waitsAtYields =
      this.#suspension === 'at-calls-and-yields' &&
      yieldImports.some((name) => imports.has(`${runtimeModule}.${name}`));
    return waitsAtYields || names.some((name) => waits.includes(name));
  }

  /** Whether the instance can be used further: false after an error that the script itself could not have caught. */
  get isSound(): boolean {
    return this.#errors.leaveItSound;
  }

  /** Runs main to the end; never throws or rejects. */
  run(values: CheckedArguments): Awaitable<Outcome> {
    const start = performance.now();
    let begun = start;
    const end = (outcome: Outcome): Outcome => {
      this.runMs = performance.now() - begun;
      this.close();
      return outcome;
    };
    const finish = (result: Result | null): Outcome => {
      if (result !== null) this.checkSent(result.value, this.#program.manifest.results);
      return end({ kind: 'finished', result });
    };
    const fail = (error: unknown): Outcome => end({ kind: 'failed', error: this.translate(error) });
    try {
      if (this.#end.signal.aborted) throw new AbortError('the run was aborted');
      this.find(runExport);
      begun = performance.now();
      this.instantiateMs = begun - start;
      const ended = this.enter(runExport, values);
      return ended instanceof Promise ? ended.then(finish).catch(fail) : finish(ended);
    } catch (error) {
      return fail(error);
    }
  }

  /** An exported function of the instance, which is made on first use. Throws the engine's errors. */
  find(name: string): WasmFunction | null {
    const found = (this.#exports ??= this.#instantiate())[name];
    return typeof found === 'function' ? (found as WasmFunction) : null;
  }

  #instantiate(): Readonly<Record<string, unknown>> {
    const { limits } = this.#environment;
    this.#staging = this.#program.staging?.take(limits?.options.memoryBytes || undefined) ?? null;
    const imports = this.#imports();
    try {
      const { exports } = new WebAssembly.Instance(this.#program.module, imports);
      this.#errors.tag = exports[errorTagExport] as WebAssembly.Tag;
      setDepth(exports, limits?.options ?? null);
      this.#thread?.onInstance?.(exports);
      return exports;
    } catch (error) {
      throw new HostError(cannotStart, { cause: error });
    }
  }

  /** Called when nothing of the instance runs any more: its resources can be reused. */
  close(): void {
    if (this.#isClosed) return;
    this.#fuelUsed = this.fuelUsed;
    this.#isClosed = true;
    this.#calls.end();
    this.#plugins?.close();
    if (this.#staging !== null) this.#program.staging!.give(this.#staging);
  }

  /**
   * Runs an export that reads its arguments from the host and finishes with its result. Throws, or rejects with, the
   * errors of the instance.
   */
  enter(name: string, values: CheckedArguments): Awaitable<Result | null> {
    const work = this.find(name)!;
    this.#result = null;
    this.begin();
    this.#reader.begin(values);
    if (this.maySuspend([name])) return this.enterSuspending(work, []).then(() => this.#result);
    withLongStacks(work);
    this.checkEnd();
    return this.#result;
  }

  /** Throws the error that should have ended a run or call which continued to its end. */
  checkEnd(): void {
    this.#errors.throwIfOutside();
  }

  /** Throws for a value whose type the manifest does not list; older manifests have no list. */
  checkSent(value: ScriptValue, types: readonly SentType[] | undefined): void {
    const { structs } = this.#program.manifest;
    if (
      types !== undefined &&
      !types.some((type) => (type === null ? value === null : isScriptValue(type, value, structs)))
    ) {
      this.#errors.throwOutside(foreign());
    }
  }

  /** Called at the start of a run or call, which has the limits for itself. */
  begin(): void {
    this.#calls.end();
    this.#writer.reset();
    // Units since the last poll of the previous call are counted for that call.
    this.#fuelUsed = this.fuelUsed;
    this.#limits.meter?.begin();
  }

  /** Subtracts milliseconds that were not the script's own time. */
  discount(milliseconds: number): void {
    this.#limits.meter?.discount(milliseconds);
  }

  /** Units of fuel that the run or call has used; null if they are not counted. */
  get fuelUsed(): number | null {
    const { meter } = this.#limits;
    if (this.#isClosed || meter === null || this.#exports === null) return this.#fuelUsed;
    const used = this.find(usedExport);
    if (used === null) return null;
    this.#isCounting = true;
    try {
      meter.settle(used() as number);
      return meter.fuel;
    } catch {
      // In a module of Sluice it is a number.
      return null;
    } finally {
      this.#isCounting = false;
    }
  }

  /** Runs an export that may suspend. Rejects with the errors of the instance. */
  async enterSuspending(work: WasmFunction, values: readonly unknown[]): Promise<unknown> {
    const promising = (this.#thread?.promising ?? WebAssembly.promising)(work);
    const value = await withLongStacks(() => promising(...values));
    this.checkEnd();
    return value;
  }

  /** The embedder's error for any error of the instance. */
  translate(error: unknown): unknown {
    this.#writer.reset();
    return this.#errors.translate(error);
  }

  /** Ends the run at its next yield or host call, or in the one that it is waiting for. */
  abort(): void {
    this.#calls.end();
    this.#end.abort();
  }

  #imports(): Record<string, Record<string, unknown>> {
    const [random, clock] = [this.#random, this.#clock];
    return {
      [runtimeModule]: { ...this.#runtimeFunctions(), ...memoryImports(this.#staging) },
      ...bindFree({
        random:
          random === Math.random || typeof this.#environment.random === 'number' ? random : this.#embedders(random),
        clock: clock === Date.now ? clock : this.#embedders(clock),
        raiseMemoryLimit: (message) => this.#errors.raise('MemoryLimitError', message),
      }),
      ...this.#calls.imports(this.#program.imports),
      ...this.#plugins?.imports(this.#program.plugins),
    };
  }

  #runtimeFunctions(): Record<RuntimeImportName, unknown> {
    return runtimeFunctions(this.#writer, this.#reader, this.#staging, {
      yield: (value, printsAsJson) => this.#yield(value, printsAsJson),
      yieldsSuspend: this.#suspension === 'at-calls-and-yields',
      finish: (value, printsAsJson) => {
        this.#result = { value, printsAsJson };
        this.#thread?.onOutput?.('result', () => formatOutput(value, printsAsJson));
      },
      checkNesting: () => this.#checkNesting(),
      takeFailure: () => this.#calls.takeFailure(),
      poll: (units) => {
        this.#thread?.onPoll?.(units);
        return this.#limits.poll(units);
      },
      reserve: (bytes) => this.#limits.reserve(bytes),
      messageOf: (row, numbers) => messageOf(row, numbers, this.#program.manifest.locations),
      passArgument: (value) => this.#plugins?.pass(value),
      misfit: () => this.#errors.throwOutside(foreign()),
      noteStack: () => this.#errors.noteStack(),
    });
  }

  /** If yields wait, the promise suspends the script until the consumer has taken the value. */
  #yield(value: ScriptValue, printsAsJson = false): Awaitable<void> {
    this.#current = value;
    this.#currentPrintsAsJson = printsAsJson;
    this.#throwIfAborted();
    this.checkSent(value, this.#program.manifest.yields);
    this.#thread?.onOutput?.('yield', this.#textOfCurrent);
    let bytes = 0;
    if (this.#limits.meter !== null) {
      const size = this.#writer.sizeOf(value);
      bytes = size.bytes;
      this.#limits.output({ text: this.#textOfCurrent, ...size }, this.#receiver.unread);
    }
    let taken: Awaitable<void>;
    try {
      taken = this.#receiver.take(value, this.#textOfCurrent, printsAsJson, bytes);
    } catch (error) {
      this.#errors.throwOutside(error);
    }
    if (this.#suspension !== 'at-calls-and-yields' || !(taken instanceof Promise)) return undefined;
    // The time of the consumer does not count.
    this.#limits.meter?.pause();
    return handled(this.#untilAborted(taken).finally(() => this.#limits.meter?.resume()));
  }

  #throwIfAborted(): void {
    this.#endIfAborted();
    this.#limits.time();
  }

  #endIfAborted(): void {
    if (this.#isCounting) throw foreign();
    if (this.#end.signal.aborted) this.#errors.throwOutside(new AbortError('the run was aborted'));
  }

  /** Calls a function of the embedder, which may abort the run. */
  #callOut<Value>(work: () => Value): Value {
    const value = this.#errors.callOut(work);
    this.#endIfAborted();
    return value;
  }

  /** Waits for the promise; if the run is aborted first, that ends the wait. */
  #untilAborted<Value>(promise: Promise<Value>): Promise<Value> {
    const { signal } = this.#end;
    const goOn = this.#thread?.goOn ?? ((work: () => void): void => work());
    return new Promise((resolve, reject) => {
      const fail = (error: unknown): void => goOn(() => reject(error));
      const abort = (): void => {
        const error = new AbortError('the run was aborted');
        this.#errors.noteOutside(error);
        reject(error);
      };
      if (signal.aborted) abort();
      signal.addEventListener('abort', abort, { once: true });
      const stopWatch = this.#environment.timesWaits ? this.#limits.watch(fail) : noLimits.watch(fail);
      promise
        .then((value) => this.#eventLoop.next().then(() => goOn(() => resolve(value))), fail)
        .finally(() => {
          stopWatch();
          signal.removeEventListener('abort', abort);
        });
    });
  }

  /** Called for a value that is large, or that has the same part many times. */
  #checkGrowth(bytes: number): void {
    try {
      this.#limits.grow(bytes);
    } catch (error) {
      this.#writer.reset();
      throw error;
    }
  }

  /** Compiled code checks this itself; a module of another compiler may not. */
  #checkNesting(): void {
    if (this.#writer.depth < deepestValue) return;
    this.#writer.reset();
    this.#errors.raise('TypeError', `nested deeper than ${deepestValue}`);
  }

  /** Wraps a function of the embedder, whose errors go back to the embedder. */
  #embedders(work: () => number): () => number {
    return () => this.#callOut(work);
  }
}
