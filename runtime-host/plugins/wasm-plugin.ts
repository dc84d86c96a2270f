// Plugins from WebAssembly: a library that `sluice build` compiled, whose manifest lists its exports, or any module
// together with the signatures of its exports.

import { runtimeModule } from '../../src/abi/imports.ts';
import { isDirect, manifestSection } from '../../src/abi/manifest.ts';
import type { Manifest, ManifestExport } from '../../src/abi/manifest.ts';
import { readManifest } from '../../src/abi/manifest-reader.ts';
import type { TypeDescriptor } from '../../src/abi/values.ts';
import { markModule } from '../../src/library/plugin-declaration.ts';
import type { FunctionDeclaration, PluginModule } from '../../src/library/plugin-declaration.ts';
import { freeNamespaceNames } from '../../src/library/generated/namespaces.ts';
import { ownData, pluginMark } from '../../src/library/plugins.ts';
import { compileOptions } from '../engine/compile-options.ts';
import { describeThrown } from '../errors/failures.ts';
import { exportNameOf } from './wasm-part.ts';
import type { Imports, WasmPart } from './wasm-part.ts';
import { hasType, wireOf } from '../engine/wasm-types.ts';

/** The options for a plugin from a WebAssembly module. */
export interface WasmPluginOptions {
  /** The namespace; the default for a library of Sluice is the file's name, VectorMath for `vector-math.slu`. */
  readonly name?: string;
  readonly documentation?: string;
  /**
   * The documentation of each function, by its signature: `{ 'double lerp(double a, double b, double t)': 'Between a
   * and b.' }`.
   */
  readonly functions?: Readonly<Record<string, string>>;
  /** The imports of a module that Sluice did not make. */
  readonly imports?: Imports;
}

/**
 * A plugin whose functions a script calls without JavaScript in between. Throws TypeError for a module that cannot be
 * one.
 */
export function wasmPlugin(
  source: Uint8Array | ArrayBuffer | WebAssembly.Module,
  given: WasmPluginOptions = {},
): PluginModule {
  const part = (key: keyof WasmPluginOptions): never => ownData(given, key) as never;
  const options: WasmPluginOptions = {
    name: part('name'),
    documentation: part('documentation'),
    functions: part('functions'),
    imports: part('imports'),
  };
  const module = compileModule(source);
  const manifest = manifestOf(module);
  const name = options.name ?? (manifest === null ? '' : namespaceOf(manifest.name));
  if (name === '') throw new TypeError('wasmPlugin takes the option name, the namespace of the plugin');
  const place = `plugin ${name}`;
  if (manifest !== null && options.functions === undefined) checkLibrary(module, manifest, place);
  const described =
    options.functions ??
    (manifest === null ? {} : Object.fromEntries((manifest.exports ?? []).map((fn) => [signatureOf(fn), ''])));
  if (Object.keys(described).length === 0)
    throw new TypeError(
      `${place} has no functions: ` +
        (manifest === null ? 'the option functions names their signatures' : 'the library exports none'),
    );
  const functions = Object.entries(described).map(([signature, documentation]): FunctionDeclaration => ({
    signature,
    documentation,
    on: null,
    permission: null,
    async: false,
    work: null,
    details: null,
  }));
  const wasm: WasmPart = Object.freeze({
    module,
    imports: options.imports ?? {},
    bytes:
      source instanceof WebAssembly.Module
        ? null
        : Uint8Array.from(source instanceof ArrayBuffer ? new Uint8Array(source) : source),
  });
  const plugin = markModule({ name, documentation: options.documentation ?? '', types: [], functions, wasm });
  checkExports(
    wasm,
    manifest,
    plugin[pluginMark].functions.map(({ row }) => ({
      name: row.name,
      parameters: row.parameters.map(({ type }) => type.kind),
      returns: row.returns.kind,
    })),
    place,
  );
  return plugin;
}

function compileModule(source: Uint8Array | ArrayBuffer | WebAssembly.Module): WebAssembly.Module {
  if (source instanceof WebAssembly.Module) return source;
  if (!(source instanceof Uint8Array) && !(source instanceof ArrayBuffer))
    throw new TypeError('wasmPlugin takes the bytes of a module, or a WebAssembly.Module');
  try {
    return new WebAssembly.Module(source, compileOptions);
  } catch (error) {
    throw new TypeError(
      `wasmPlugin takes a WebAssembly module, and the engine refuses this one: ${describeThrown(error)}`,
      { cause: error },
    );
  }
}

/** Null for a module that Sluice did not make. */
function manifestOf(module: WebAssembly.Module): Manifest | null {
  const [section] = WebAssembly.Module.customSections(module, manifestSection);
  if (section === undefined) return null;
  const manifest = readManifest(new Uint8Array(section));
  if (typeof manifest === 'string') throw new TypeError(`wasmPlugin: ${manifest}`);
  return manifest;
}

/** The namespace of `lib/vector-math.slu` is VectorMath. */
export function namespaceOf(fileName: string): string {
  const words = fileName
    .replace(/^.*[/\\]/, '')
    .replace(/\.\w+$/, '')
    .split(/\W+/)
    .filter((word) => word !== '');
  return words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}

/** A plugin only computes: it needs no permissions and yields nothing. */
function checkLibrary(module: WebAssembly.Module, { exports = [] }: Manifest, place: string): void {
  const unfit = exports.find((fn) => !isDirect(fn));
  if (unfit !== undefined)
    throw new TypeError(
      `${place}: ${unfit.name} takes or gives more than int, double and boolean, which a function of a ` +
        'WebAssembly module cannot: leave its export away, or name the functions to take',
    );
  const allowed = [...freeNamespaceNames, runtimeModule];
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    if (!allowed.includes(from)) throw new TypeError(`${place} calls ${from}.${name}, which a plugin cannot`);
    if (from === runtimeModule && name.startsWith('yield'))
      throw new TypeError(`${place} yields, which a plugin cannot`);
  }
}

function signatureOf({ name, parameters, returns }: ManifestExport): string {
  const taken = parameters.map((parameter) => `${describe(parameter.type)} ${parameter.name}`);
  return `${describe(returns)} ${name}(${taken.join(', ')})`;
}

function describe(type: TypeDescriptor | null): string {
  if (type === null) return 'void';
  return typeof type === 'string' ? type : JSON.stringify(type);
}

interface Expected {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly returns: string;
}

function checkExports(
  { module, imports }: WasmPart,
  manifest: Manifest | null,
  functions: readonly Expected[],
  place: string,
): void {
  const exported = WebAssembly.Module.exports(module);
  for (const { name } of functions) {
    if (!exported.some((found) => found.kind === 'function' && found.name === exportNameOf(manifest !== null, name)))
      throw new TypeError(`${place}: the module has no exported function ${name}`);
  }
  if (manifest !== null) return;
  let instance: WebAssembly.Instance;
  try {
    instance = new WebAssembly.Instance(module, imports);
  } catch (error) {
    throw new TypeError(`${place} cannot be started: ${describeThrown(error)}`, { cause: error });
  }
  for (const fn of functions) {
    if (
      !hasType(
        instance.exports[fn.name],
        fn.parameters.map((type) => wireOf[type]!),
        wireOf[fn.returns] ?? null,
      )
    )
      throw new TypeError(
        `${place}: ${fn.name} has other types in the module than in its signature: ` +
          'int is i64, double f64 and boolean i32',
      );
  }
}
