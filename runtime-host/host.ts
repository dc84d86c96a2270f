// Loading a module: is it one of ours, can this engine run it, does this host know what it imports.
// Scripts are handed out from here; what they do when run is in run.ts and execution.ts.

import {
  callExport, depthExport, directExport, errorTagExport, initialiseExport, runExport, runtimeImports, runtimeModule, stagingImport, stringBuiltinsModule, stringConstantsModule, usedExport,
} from '../src/abi/imports.ts';
import { abiVersion, hasDefaults, isDirect, manifestSection } from '../src/abi/manifest.ts';
import type { Guard, Manifest, ManifestExport } from '../src/abi/manifest.ts';
import { builtInLibraries } from '../src/library/registry.ts';
import { checkArguments } from './arguments.ts';
import type { Arguments } from './arguments.ts';
import { ScriptInstance } from './call.ts';
import { compileOptions } from './compile-options.ts';
import { HostError } from './errors.ts';
import type { Environment, Program } from './execution.ts';
import { missingFeatures } from './features.ts';
import { seededRandom } from './library/math.ts';
import type { MemoryGauge } from './limits/meter.ts';
import { checkLimits } from './limits/options.ts';
import type { LimitOptions } from './limits/options.ts';
import { checkImportTypes } from './plugins/import-types.ts';
import { importNames, linkPlugins } from './plugins/link.ts';
import type { UsedPlugin } from './plugins/link.ts';
import { ScriptRun } from './run.ts';
import { isWasm } from './wasm-bytes.ts';
import { World } from './world.ts';
import type { WorldOptions } from './world.ts';
import type { AnyScript, CallArguments, CallResultOf, ExportName, RunParameters, ScriptTypes } from './script-types.ts';
import { stagingOf } from './staging.ts';

export interface ScriptOptions extends WorldOptions {
  /** A seed, so that every run draws the same numbers, or a function like Math.random, which is the default. */
  readonly random?: number | (() => number);
  /** Unix milliseconds for Date.now: a fixed time, or a function like Date.now, which is the default. */
  readonly clock?: number | (() => number);
  /** What each run, and each call of an instance, may use. */
  readonly limits?: LimitOptions;
  /** What the script calls besides the library: what `defineModule` gives, classes with `@ScriptModule` or objects of them. */
  readonly plugins?: readonly unknown[];
}

/** Bytes of a module, or a module that was compiled with the builtins and string constants. */
export type ModuleSource = Uint8Array | ArrayBuffer | WebAssembly.Module;

/** A module that is ready to run, as often as wanted; runs share the compiled code and nothing else. */
export class Script<Types extends ScriptTypes = AnyScript> {
  readonly #program: Program;
  readonly #environment: () => Environment;

  constructor(program: Program, environment: () => Environment) {
    this.#program = program;
    this.#environment = environment;
  }

  get manifest(): Manifest {
    return this.#program.manifest;
  }

  /** The file that was compiled, as it was named to the compiler. */
  get name(): string {
    return this.manifest.name;
  }

  /**
   * A run of main, which starts when its values or its result are first asked for.
   * Throws ArgumentError for arguments that do not fit, HostError for a library.
   */
  run(...[values = {}]: RunParameters<Types>): ScriptRun<Types> {
    if (this.manifest.parameters === null) {
      const calls = this.exports.length === 0 ? '' : `; call(name, …) calls what it exports: ${this.exports.map(({ name }) => name).join(', ')}`;
      throw new HostError(`${this.name} has nothing to run: it has neither a main nor statements at top level${calls}`);
    }
    if (typeof values !== 'object' || values === null || Array.isArray(values)) {
      throw new HostError('the arguments of a run are an object with a property for each parameter of main');
    }
    return new ScriptRun(this.#program, checkArguments(this.manifest, values as Arguments), this.#environment());
  }

  /** The exported functions: names, parameters and what they return. */
  get exports(): readonly ManifestExport[] {
    return this.manifest.exports ?? [];
  }

  /** Calls an exported function in a new instance; it may wait for the host. Rejects with whatever `callSync` throws. */
  async call<Name extends ExportName<Types>>(name: Name, ...values: CallArguments<Types, Name>): Promise<CallResultOf<Types, Name>> {
    return this.instance().call(name, ...values);
  }

  /**
   * Calls an exported function in a new instance: globals have the values that the script gives them. Throws
   * ArgumentError if there is no such function or the arguments do not fit it, ScriptError for an error of the script,
   * HostError if the call has to wait for the host.
   */
  callSync<Name extends ExportName<Types>>(name: Name, ...values: CallArguments<Types, Name>): CallResultOf<Types, Name> {
    return new ScriptInstance<Types>(this.#program, this.#environment(), 'never').callSync(name, ...values);
  }

  /** An instance for many calls, which keeps its globals from one to the next. */
  instance(): ScriptInstance<Types> {
    return new ScriptInstance(this.#program, this.#environment());
  }
}

/**
 * Makes a script of a module; `sluice types` writes the type parameter. Throws HostError, in one sentence, for anything that
 * is not one of ours. Where nothing measures the heap (`memory` is null), only single allocations are held to a limit of memory.
 */
export async function loadScript<Types extends ScriptTypes = AnyScript>(source: ModuleSource, options: ScriptOptions = {}, memory: MemoryGauge | null = null): Promise<Script<Types>> {
  const missing = missingFeatures();
  if (missing !== null) throw new HostError(missing);
  const environment = environmentOf(options, memory);
  const module = compileModule(source);
  const manifest = readManifest(module);
  const plugins = linkPlugins(manifest, options.plugins);
  const imports = checkImports(module, plugins);
  checkExports(module, manifest);
  checkGuards(manifest, options.limits);
  const staging = stagingOf(module);
  checkImportTypes(module, plugins, staging);
  return new Script({ module, manifest, imports, staging, plugins }, environment);
}


function compileModule(source: ModuleSource): WebAssembly.Module {
  if (source instanceof WebAssembly.Module) return source;
  const bytes = source instanceof ArrayBuffer ? new Uint8Array(source) : source;
  if (!(bytes instanceof Uint8Array)) throw new HostError('loadScript takes the bytes of a module, or a WebAssembly.Module');
  if (!isWasm(bytes)) throw new HostError('this is not a WebAssembly module');
  try {
    const module = new WebAssembly.Module(bytes, compileOptions);
    if (hasStart(bytes)) throw new HostError('this module has a start function, which no module of Sluice has');
    return module;
  } catch (error) {
    if (error instanceof WebAssembly.CompileError) throw new HostError('this WebAssembly module is damaged: the engine refuses it', { cause: error });
    throw error;
  }
}

const startSection = 8;

/** Whether a valid module runs something as soon as it is instantiated. The engine tells only of imports and exports. */
function hasStart(bytes: Uint8Array): boolean {
  for (let at = 8; at < bytes.length; ) {
    if (bytes[at] === startSection) return true;
    let size = 0;
    let shift = 0;
    do {
      at += 1;
      size += (bytes[at]! & 127) * 2 ** shift;
      shift += 7;
    } while (bytes[at]! >= 128);
    at += 1 + size;
  }
  return false;
}

function readManifest(module: WebAssembly.Module): Manifest {
  const [section] = WebAssembly.Module.customSections(module, manifestSection);
  if (section === undefined) throw new HostError('this WebAssembly module was not made by Sluice: it has no manifest');
  let manifest: Manifest;
  try {
    manifest = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(section)) as Manifest;
  } catch {
    throw new HostError('the manifest of this WebAssembly module is damaged');
  }
  if (manifest?.abi !== abiVersion) {
    throw new HostError(
      `this module speaks version ${String(manifest?.abi)} of the interface, this host version ${abiVersion}: compile the script again with the Sluice that runs it`,
    );
  }
  return manifest;
}

const knownImports: ReadonlySet<string> = new Set([
  ...Object.keys(runtimeImports).map((name) => `${runtimeModule}.${name}`),
  ...builtInLibraries.flatMap((library) => library.functions.filter((row) => row.implementation.kind === 'host').map((row) => row.id)),
]);

/** A module gets what is in the tables and nothing else. Gives the names of the functions that it imports. */
function checkImports(module: WebAssembly.Module, plugins: readonly UsedPlugin[]): ReadonlySet<string> {
  const names = new Set<string>();
  const ofPlugins = new Set(plugins.flatMap(importNames));
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (from === stringBuiltinsModule || from === stringConstantsModule) {
      throw new HostError(`compile the WebAssembly.Module with ${JSON.stringify(compileOptions)}, or pass its bytes`);
    }
    if (kind === 'memory' && from === runtimeModule && name === stagingImport) continue;
    if (kind !== 'function' || !(knownImports.has(`${from}.${name}`) || ofPlugins.has(`${from}.${name}`))) {
      throw new HostError(`this module imports ${from}.${name}, which this host does not supply`);
    }
    names.add(`${from}.${name}`);
  }
  return names;
}

function checkExports(module: WebAssembly.Module, manifest: Manifest): void {
  const found = WebAssembly.Module.exports(module).map(({ name, kind }) => `${kind} ${name}`);
  const entry = manifest.parameters === null ? [] : [`function ${runExport}`];
  const calls = (manifest.exports ?? []).flatMap((fn) => waysInto(fn).map((way) => `function ${way}`));
  const needed = [...entry, ...calls, `tag ${errorTagExport}`];
  for (const one of needed) if (!found.includes(one)) throw new HostError(`this module does not export the ${one}: it is damaged`);
  const known = new Set([...needed, `function ${runExport}`, `function ${initialiseExport}`, `function ${usedExport}`, `global ${depthExport}`]);
  for (const one of found) if (!known.has(one)) throw new HostError(`this module exports the ${one}, which no module of Sluice does`);
}

/** Exports of the module by which the host enters an exported function. */
function waysInto(fn: ManifestExport): readonly string[] {
  const direct = isDirect(fn);
  return [...(direct ? [directExport(fn.name)] : []), ...(direct && !hasDefaults(fn) ? [] : [callExport(fn.name)])];
}

/** What a limit needs of the module that it binds. */
const guardOf: Readonly<Partial<Record<keyof LimitOptions, Guard>>> = { fuel: 'use', timeMs: 'use', memoryBytes: 'memory', depthBytes: 'depth' };

function checkGuards({ guards = [] }: Manifest, limits: LimitOptions | undefined): void {
  for (const [name, guard] of Object.entries(guardOf)) {
    const limit = limits?.[name as keyof LimitOptions];
    if (limit === undefined || limit === null || limit === 0 || guards.includes(guard)) continue;
    throw new HostError(`this module was compiled without the guards that limits.${name} needs: compile it without --no-guards, or set no such limit`);
  }
}

function environmentOf(options: ScriptOptions, memory: MemoryGauge | null): () => Environment {
  const { random = Math.random, clock = Date.now } = options;
  if (typeof random !== 'function' && !Number.isFinite(random)) throw new HostError('the option random is a seed, which is a number, or a function');
  if (typeof clock !== 'function' && !Number.isFinite(clock)) throw new HostError('the option clock is a time in milliseconds, or a function');
  const world = new World(options);
  const limits = options.limits === undefined ? null : checkLimits(options.limits);
  return () => ({
    world,
    limits,
    memory,
    random: typeof random === 'function' ? checkedRandom(random) : seededRandom(random),
    clock: typeof clock === 'function' ? checkedClock(clock) : () => clock,
  });
}

/** Scripts rely on at least 0 and below 1. */
function checkedRandom(random: () => number): () => number {
  if (random === Math.random) return random;
  return () => {
    const value = random();
    if (typeof value === 'number' && value >= 0 && value < 1) return value;
    throw new HostError(`the function given as random answered ${String(value)}: it must be at least 0 and below 1`);
  };
}

function checkedClock(clock: () => number): () => number {
  if (clock === Date.now) return clock;
  return () => {
    const value = clock();
    if (Number.isFinite(value)) return value;
    throw new HostError(`the function given as clock answered ${String(value)}: it must be a number of milliseconds`);
  };
}
