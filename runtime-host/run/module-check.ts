// Whether a host can run a module: checks its imports, its exports and its manifest. Anybody may have made the module,
// so nothing of it runs before this check.

import {
  callExport,
  countExport,
  depthExport,
  directExport,
  errorTagExport,
  initialiseExport,
  runExport,
  runtimeImports,
  runtimeModule,
  scratchImport,
  stackImport,
  stagingImport,
  stringBuiltinsModule,
  stringConstantsModule,
  usedExport,
} from '../../src/abi/imports.ts';
import { hasDefaults, isDirect, manifestSection } from '../../src/abi/manifest.ts';
import type { Manifest, ManifestExport } from '../../src/abi/manifest.ts';
import { builtInLibraries } from '../../src/library/registry.ts';
import { clip } from '../marshalling/javascript-values.ts';
import { compileOptions } from '../engine/compile-options.ts';
import { HostError } from '../errors/errors.ts';
import { importNames } from '../plugins/used-plugin.ts';
import type { UsedPlugin } from '../plugins/used-plugin.ts';
import { isWasm } from '../engine/wasm-bytes.ts';
import { viewOf } from '../marshalling/foreign-values.ts';
import { isObject, readOption } from '../primordials/own-options.ts';
import { isInstance, ownData } from '../primordials/untampered.ts';

/** The bytes of a module, or a module that was compiled with the builtins and string constants. */
export type ModuleSource = Uint8Array | ArrayBuffer | WebAssembly.Module;

/** Rejects with HostError for an invalid module, or one without a manifest. */
export async function readModule(
  source: ModuleSource,
): Promise<{ readonly module: WebAssembly.Module; readonly manifest: Manifest }> {
  // Loaded separately: the bundle for browsers has it as a chunk of its own.
  const { hasStart, readManifest } = await import('../../src/abi/manifest-reader.ts');
  const module = compileModule(source);
  if (!isInstance(source, WebAssembly.Module) && hasStart(bytesOf(source)))
    throw new HostError('this module has a start function, which no module of Sluice has');
  const sections = WebAssembly.Module.customSections(module, manifestSection);
  if (sections.length !== 1)
    throw new HostError(
      `this WebAssembly module was not made by Sluice: it has ${sections.length === 0 ? 'no' : 'more than one'} ` +
        'manifest',
    );
  const manifest = readManifest(new Uint8Array(sections[0]!));
  if (typeof manifest === 'string') throw new HostError(manifest);
  return { module, manifest };
}

function compileModule(source: ModuleSource): WebAssembly.Module {
  if (isInstance(source, WebAssembly.Module)) return source;
  if (!(isInstance(source, ArrayBuffer) || isInstance(source, Uint8Array))) throw new HostError(describeSource(source));
  const bytes = readOption('the bytes of the module', () => bytesOf(source));
  if (!isWasm(bytes)) throw new HostError('this is not a WebAssembly module');
  try {
    return new WebAssembly.Module(bytes, compileOptions);
  } catch (error) {
    throw new HostError('this WebAssembly module is damaged: the engine refuses it', { cause: error });
  }
}

/** Copies the bytes to an array of our own, whose properties cannot lie. */
function bytesOf(source: Uint8Array | ArrayBuffer): Uint8Array {
  return isInstance(source, ArrayBuffer) ? new Uint8Array(source) : viewOf(source, Uint8Array);
}

/** A description of a source that is no module. */
function describeSource(source: unknown): string {
  const takes = 'loadScript takes the bytes of a module, or a WebAssembly.Module';
  const part = (name: string): unknown =>
    readOption('the module', () => (isObject(source) ? ownData(source, name) : undefined));
  if (isInstance(source, Promise)) return `${takes}, and not a promise of them: await it first`;
  if (isInstance(part('wasm'), Uint8Array))
    return `${takes}, and not what compile() calls the artifact: give artifact.wasm`;
  if (part('artifact') === null)
    return `${takes}: compile() has made none, since the script has errors, which are in its diagnostics`;
  if (part('artifact') !== undefined) return `${takes}, and not all that compile() gives: give artifact.wasm of it`;
  return takes;
}

const memories = [stagingImport, scratchImport, stackImport];

const knownImports: ReadonlySet<string> = new Set([
  ...Object.keys(runtimeImports).map((name) => `${runtimeModule}.${name}`),
  ...builtInLibraries.flatMap((library) =>
    library.functions.filter((row) => row.implementation.kind === 'host').map((row) => row.id),
  ),
]);

/**
 * Checks that a module imports only what is in the tables, each at most once. Returns the names of the imported
 * functions.
 */
export function checkImports(module: WebAssembly.Module, plugins: readonly UsedPlugin[]): ReadonlySet<string> {
  const names = new Set<string>();
  const ofPlugins = new Set(plugins.flatMap(importNames));
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (from === stringBuiltinsModule || from === stringConstantsModule) {
      throw new HostError(`compile the WebAssembly.Module with ${JSON.stringify(compileOptions)}, or pass its bytes`);
    }
    const id = `${from}.${name}`;
    const isMemory = kind === 'memory' && from === runtimeModule && memories.includes(name);
    const isKnown =
      isMemory || (kind === 'function' && !from.includes('.') && (knownImports.has(id) || ofPlugins.has(id)));
    if (!isKnown || names.has(id))
      throw new HostError(`this module imports ${clip(id)}${isKnown ? ' twice' : ', which this host does not supply'}`);
    names.add(id);
  }
  for (const name of memories) names.delete(`${runtimeModule}.${name}`);
  return names;
}

export function checkExports(module: WebAssembly.Module, manifest: Manifest): void {
  const found = new Set(WebAssembly.Module.exports(module).map(({ name, kind }) => `${kind} ${name}`));
  const asFunction = (name: string): string => `function ${name}`;
  const entry = manifest.parameters === null ? [] : [runExport];
  const calls = (manifest.exports ?? []).flatMap(waysInto);
  const needed = [...[...entry, ...calls].map(asFunction), `tag ${errorTagExport}`];
  for (const one of needed)
    if (!found.has(one)) throw new HostError(`this module does not export the ${clip(one)}: it is damaged`);
  const known = new Set([
    ...needed,
    ...[runExport, initialiseExport, usedExport, countExport].map(asFunction),
    `global ${depthExport}`,
  ]);
  for (const one of found)
    if (!known.has(one)) throw new HostError(`this module exports the ${clip(one)}, which no module of Sluice does`);
}

/** The exports of the module through which the host enters an exported function. */
function waysInto(fn: ManifestExport): readonly string[] {
  const direct = isDirect(fn);
  return [...(direct ? [directExport(fn.name)] : []), ...(direct && !hasDefaults(fn) ? [] : [callExport(fn.name)])];
}
