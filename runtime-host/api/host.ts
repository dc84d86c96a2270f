// Loads a module: checks that Sluice made it, that this engine can run it, and that this host knows its imports. The
// scripts that it makes run in run.ts and execution.ts.

import type { Manifest, ManifestExport } from '../../src/abi/manifest.ts';
import { checkArguments } from '../marshalling/arguments.ts';
import type { Arguments } from '../marshalling/arguments.ts';
import { isArray } from '../marshalling/foreign-values.ts';
import { HostError } from '../errors/errors.ts';
import type { Environment, Program } from '../run/execution.ts';
import type { NumberSources } from '../run/number-sources.ts';
import { missingFeatures } from '../engine/features.ts';
import { localBackend } from '../run/execution-backend.ts';
import type { ExecutionBackend } from '../run/execution-backend.ts';
import { loadGuarded } from '../namespaces/guarded-functions.ts';
import { ScriptInstance } from '../run/instance.ts';
import { checkExports, checkImports, readModule } from '../run/module-check.ts';
import type { ModuleSource } from '../run/module-check.ts';
import { checkOptionKinds, checkOptionNames, isFlag, ownOptions } from '../primordials/own-options.ts';
import type { OptionKind, OptionNames } from '../primordials/own-options.ts';
import { isInstance, ownProperties } from '../primordials/untampered.ts';
import { depthHelp } from '../limits/depth.ts';
import type { LimitOptions } from '../limits/options.ts';
import type { RunLimits } from '../limits/run-limits.ts';
import type { CheckedArguments } from '../marshalling/marshalled-values.ts';
import type { Logging } from '../replay/log.ts';
import type { RunLog } from '../run/run-log.ts';
import type { BeginRun, Suspension } from '../run/run-execution.ts';
import { ScriptRun } from '../run/run.ts';
import { readRunOptions } from '../run/run-options.ts';
import { HostCapabilities } from '../run/host-capabilities.ts';
import type { CapabilityOptions } from '../run/host-capabilities.ts';
import type {
  AnyScript,
  CallArguments,
  CallResultOf,
  ExportName,
  Ints,
  IntsConversion,
  IntsOf,
  RunParameters,
  ScriptTypes,
} from '../run/script-types.ts';
import { stagingOf } from '../marshalling/staging.ts';
import { bareMachine } from '../worker/machine.ts';
import type { Machine } from '../worker/machine.ts';
import { defaultPool, Pool } from './pool.ts';

/** What a script is loaded with: what it may reach and use, and where it runs. */
export interface ScriptOptions<Kind extends Ints = Ints> extends CapabilityOptions {
  /** A seed, so that every run draws the same numbers, or a function like Math.random, which is the default. */
  readonly random?: number | (() => number);
  /** Unix milliseconds for Date.now: a fixed time, or a function like Date.now, which is the default. */
  readonly clock?: number | (() => number);
  /** What each run, and each call of an instance, may use. */
  readonly limits?: LimitOptions;
  /**
   * What the script can call besides the library: results of `defineModule`, classes with `@ScriptModule`, or instances
   * of such classes.
   */
  readonly plugins?: readonly unknown[];
  /**
   * Where the script runs: in this thread, which is the default, or each instance in a worker or a process of its own.
   * `abort()` and the time limit end a worker or process whatever it is doing; a process also has its memory limited
   * from outside, whatever the module says about itself. Functions given here stay in this thread.
   */
  readonly isolation?: 'none' | 'worker' | 'process';
  /**
   * The pool whose workers or processes run the script if `isolation` asks for them, made by `createPool()`. If left
   * out, such scripts share one pool.
   */
  readonly pool?: Pool;
  /**
   * Whether the module is your own: then a worker that ran it is used again. By default true for bytes that `compile()`
   * made in this process and false for others: each run of those has a worker that runs nothing afterwards.
   */
  readonly trusted?: boolean;
  /**
   * Where the file of the worker or process is, if a bundler or server has moved it: the file of `sluice-host/worker`.
   */
  readonly workerUrl?: string | URL;
  /**
   * How ints appear in results, yields and calls: as `bigint` (the default), as `number`, or with `auto` as a number if
   * that is exact.
   */
  readonly ints?: Kind;
  /** Keeps a log of everything that a run of main gets from outside: `run.log`. */
  readonly record?: boolean;
  /** The log of a run: every run repeats that run, and all its answers come from the log. */
  readonly replay?: RunLog;
}

const optionNames: OptionNames<ScriptOptions> = {
  permissions: true,
  promptTimeoutMs: true,
  onDecision: true,
  environment: true,
  privateNetwork: true,
  log: true,
  platform: true,
  random: true,
  clock: true,
  limits: true,
  plugins: true,
  isolation: true,
  pool: true,
  trusted: true,
  workerUrl: true,
  ints: true,
  record: true,
  replay: true,
};

/** The options of `loadScript`: `ints` is required if the types were written for ints other than bigints. */
export type LoadOptions<Types extends ScriptTypes> =
  'bigint' extends IntsOf<Types>
    ? [options?: ScriptOptions<IntsOf<Types>>]
    : [options: ScriptOptions<IntsOf<Types>> & { readonly ints: IntsOf<Types> }];

/** The options that no later code checks before their use. */
const optionKinds: { readonly [Name in keyof ScriptOptions]?: OptionKind } = {
  isolation: {
    takes: (value) => value === 'none' || value === 'worker' || value === 'process',
    what: "'none', 'worker' or 'process'",
  },
  pool: { takes: Pool.is, what: 'a pool that createPool() made, and that is not closed' },
  trusted: isFlag,
  workerUrl: {
    takes: (value) => typeof value !== 'object' || isInstance(value, URL),
    what: 'a file URL or an absolute path, in a page a URL',
  },
  record: { ...isFlag, what: 'true or false; the log is in run.log' },
};

export type { ModuleSource };

/** A module that is ready to run any number of times; its runs share the compiled code and nothing else. */
export class Script<Types extends ScriptTypes = AnyScript> {
  readonly manifest: Manifest;
  readonly #backend: ExecutionBackend;
  readonly #environment: () => Environment;
  readonly #logging: Logging | null;
  /** Null if ints stay bigints. */
  readonly #ints: IntsConversion | null;

  /** @internal */
  constructor(
    manifest: Manifest,
    backend: ExecutionBackend,
    environment: () => Environment,
    logging: Logging | null = null,
    ints: IntsConversion | null = null,
  ) {
    this.manifest = manifest;
    this.#backend = backend;
    this.#environment = environment;
    this.#logging = logging;
    this.#ints = ints;
  }

  /** The file that was compiled, as it was named to the compiler. */
  get name(): string {
    return this.manifest.name;
  }

  /**
   * Makes a run of main, which starts when its values or its result are first requested; the second argument can give
   * it a `signal`. A replay without arguments has those of the log. Throws, since there is no run yet, ArgumentError
   * for arguments that do not fit, HostError for a library, for an unknown option, or for arguments that differ from
   * the log's.
   */
  run(...[given, options]: RunParameters<Types>): ScriptRun<Types> {
    if (this.manifest.parameters === null) {
      const calls =
        this.exports.length === 0
          ? ''
          : `; call(name, …) calls what it exports: ${this.exports.map(({ name }) => name).join(', ')}`;
      throw new HostError(`${this.name} has nothing to run: it has neither a main nor statements at top level${calls}`);
    }
    const values: unknown = given ?? {};
    if (typeof values !== 'object' || values === null || isArray(values)) {
      throw new HostError('the arguments of a run are an object with a property for each parameter of main');
    }
    const { signal = null } = readRunOptions(options);
    const check = (): CheckedArguments => checkArguments(this.manifest, values as Arguments);
    if (this.#logging === null) return new ScriptRun(check(), this.#beginRun(this.#environment()), signal);
    const logged = this.#logging.begin(this.#environment(), check, given !== undefined);
    return new ScriptRun(logged.values, this.#beginRun(logged.environment), signal, logged);
  }

  #beginRun(environment: Environment): BeginRun {
    const begin = this.#backend.beginRun(environment);
    return this.#ints === null ? begin : this.#ints.ofRuns(begin);
  }

  /**
   * The same script with another representation of ints in results, yields and calls. Rejects with HostError for an
   * unknown value of `ints`.
   */
  async with<Other extends ScriptTypes = AnyScript>(given: { readonly ints: IntsOf<Other> }): Promise<Script<Other>> {
    const options = ownOptions(given);
    checkOptionNames(options, { ints: true });
    return new Script(this.manifest, this.#backend, this.#environment, this.#logging, await conversionOf(options.ints));
  }

  /** The exported functions: their names, parameters and return types. */
  get exports(): readonly ManifestExport[] {
    return this.manifest.exports ?? [];
  }

  /**
   * Calls an exported function in a new instance; the call may wait for the host. Rejects with the errors that
   * `callSync` throws.
   */
  async call<Name extends ExportName<Types>>(
    name: Name,
    ...values: CallArguments<Types, Name>
  ): Promise<CallResultOf<Types, Name>> {
    const instance = this.instance();
    try {
      return await instance.call(name, ...values);
    } finally {
      instance.close();
    }
  }

  /**
   * Calls an exported function in a new instance, whose globals have their initial values. Throws ArgumentError if
   * there is no such function or the arguments do not fit it, ScriptError for an error of the script, HostError if the
   * call has to wait for the host.
   */
  callSync<Name extends ExportName<Types>>(
    name: Name,
    ...values: CallArguments<Types, Name>
  ): CallResultOf<Types, Name> {
    const instance = this.#makeInstance('never');
    try {
      return instance.callSync(name, ...values);
    } finally {
      instance.close();
    }
  }

  /** An instance for many calls, which keeps its globals between them. */
  instance(): ScriptInstance<Types> {
    return this.#makeInstance('at-calls');
  }

  #makeInstance(suspension: Suspension): ScriptInstance<Types> {
    if (this.#logging !== null)
      throw new HostError('logs are of runs of main: load the script without record and replay to call its functions');
    const calls = this.#backend.makeCalls(this.#environment(), suspension);
    return new ScriptInstance(this.#ints === null ? calls : this.#ints.ofCalls(calls));
  }
}

/**
 * Makes a script of a module; `sluice types` writes the type for the type parameter. Throws HostError, with one
 * sentence, for anything that is not a module of Sluice.
 */
export async function loadScript<Types extends ScriptTypes = AnyScript>(
  source: ModuleSource,
  given: ScriptOptions = {},
  givenMachine: Machine = bareMachine,
): Promise<Script<Types>> {
  const missing = missingFeatures();
  if (missing !== null) throw new HostError(missing);
  const options = ownOptions(given);
  checkOptionNames(options, optionNames);
  checkOptionKinds(options, optionKinds);
  const machine = ownProperties(givenMachine);
  const ints = await conversionOf(options.ints);
  const limits =
    options.limits === undefined
      ? null
      : (await import('../limits/run-limits.ts')).runLimits(options.limits, machine.memory);
  const numbers =
    options.random === undefined && options.clock === undefined
      ? { random: Math.random, clock: Date.now }
      : (await import('../run/number-sources.ts')).numberSources(options);
  const environment = environmentOf(options, limits, numbers, machine);
  const { module, manifest } = await readModule(source);
  const support =
    manifest.plugins === undefined && options.plugins === undefined ? null : await import('../run/plugin-support.ts');
  const plugins = support?.linkPlugins(manifest, options.plugins, options.replay === undefined) ?? [];
  const imports = checkImports(module, plugins);
  checkExports(module, manifest);
  limits?.checkGuards(manifest, options.isolation);
  const staging = stagingOf(module);
  // In a worker or process, each call of a plugin is checked instead, since nothing of the module may run in this
  // thread.
  if ((options.isolation ?? 'none') === 'none') support?.checkImportTypes(module, plugins, staging);
  const program: Program = {
    module,
    manifest,
    imports,
    namespaces: await loadGuarded(imports),
    staging,
    plugins,
    pluginSupport: plugins.length === 0 ? null : support,
  };
  const { record, replay } = options;
  const logging =
    record === undefined && replay === undefined
      ? null
      : await (await import('../replay/logging.ts')).loggingOf(source, manifest, plugins, options);
  return new Script(
    manifest,
    await backendOf(program, source, limits?.options ?? null, options, machine),
    environment,
    logging,
    ints,
  );
}

/** Null if ints stay bigints. */
async function conversionOf(ints: unknown): Promise<IntsConversion | null> {
  return ints === undefined || ints === 'bigint' ? null : (await import('../run/ints.ts')).intsAs(ints);
}

/** The code for workers is loaded on demand. */
async function backendOf(
  program: Program,
  source: ModuleSource,
  limits: LimitOptions | null,
  { isolation = 'none', workerUrl, pool, trusted }: ScriptOptions,
  machine: Machine,
): Promise<ExecutionBackend> {
  if (isolation === 'none' && pool === undefined) return localBackend(program);
  const { isolated } = await import('../worker/isolation.ts');
  return isolated(program, {
    source,
    limits,
    isolation,
    workerUrl,
    trusted,
    machine,
    openPool: (make) => Pool.open(pool === undefined ? defaultPool : pool, make),
  });
}

function environmentOf(
  options: ScriptOptions,
  limits: RunLimits | null,
  { random, clock }: NumberSources,
  { findChangedBuiltIn, thread, stacks }: Machine,
): () => Environment {
  const capabilities = new HostCapabilities(options, findChangedBuiltIn);
  const help = stacks === null ? null : depthHelp(stacks, limits?.options.depthBytes, options.isolation ?? 'none');
  return () => ({
    capabilities,
    limits,
    random,
    clock,
    answerCall: null,
    timesWaits: true,
    thread: thread ?? null,
    depthHelp: help,
  });
}
