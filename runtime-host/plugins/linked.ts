// Plugins that are modules of WebAssembly: each run has an instance of its own, whose exports the script imports as they
// are, with no JavaScript between the two. Modules that Sluice made import from the host what a script does.

import { directExport, initialiseExport, runtimeModule, stagingImport } from '../../src/abi/imports.ts';
import { manifestSection } from '../../src/abi/manifest.ts';
import type { Manifest } from '../../src/abi/manifest.ts';
import type { DeclaredPlugin } from '../../src/library/plugins.ts';
import { dateFunctions } from '../library/date.ts';
import { mathFunctions } from '../library/math.ts';
import { nativeFunctions } from '../library/native.ts';
import { PartReader } from '../parts.ts';
import { runtimeFunctions } from '../runtime-functions.ts';
import { stagingOf } from '../staging.ts';
import { ValueWriter } from '../values.ts';
import type { UsedPlugin } from './link.ts';

/** What a run draws its random numbers and its time from. */
export interface Sources {
  readonly random: () => number;
  readonly clock: () => number;
}

/** The functions of a new instance by the names that the script imports them under. */
export function linkedFunctions({ plugin, functions }: UsedPlugin, environment: Sources): Record<string, unknown> {
  const wasm = wasmPart(plugin.wasm);
  const instance = new WebAssembly.Instance(wasm.module, wasm.manifest === null ? wasm.imports : importsOf(wasm, environment));
  const { [initialiseExport]: initialise } = instance.exports;
  if (wasm.manifest !== null && typeof initialise === 'function') (initialise as () => void)();
  return Object.fromEntries(functions.map(({ row, importName }) => [importName, instance.exports[exportNameOf(wasm, row.name)]]));
}

/** What a library with guards hears when it asks how much more it may use. */
const unlimited = 1 << 30;

/** What a library may use: it neither yields nor asks for anything. */
function importsOf({ module, manifest }: WasmPart, { random, clock }: Sources): Record<string, Record<string, unknown>> {
  const staging = stagingOf(module);
  const refuse = (): never => {
    throw new Error('a plugin cannot do this');
  };
  const hooks = { yield: refuse, yieldsSuspend: false, finish: refuse, checkNesting: () => {}, takeFailure: refuse, passArgument: refuse, look: () => unlimited, reserve: () => unlimited, messageOf: () => '', noteStack: () => {} };
  return {
    [runtimeModule]: { ...runtimeFunctions(new ValueWriter(manifest!), new PartReader(), staging, hooks), [stagingImport]: staging?.memory },
    Math: mathFunctions(random),
    Date: dateFunctions(clock),
    Native: nativeFunctions(refuse),
  };
}

export type Imports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** What a run needs of such a plugin. */
export interface WasmPart {
  readonly module: WebAssembly.Module;
  readonly imports: Imports;
  /** Of a module that Sluice made; null for others. */
  readonly manifest: Manifest | null;
}

/** What a declaration holds of a module, whichever copy of Sluice has made it. */
export function wasmPart(wasm: DeclaredPlugin['wasm']): WasmPart {
  const { module, imports } = wasm as { readonly module: WebAssembly.Module; readonly imports: Imports };
  return { module, imports, manifest: manifestOf(module) };
}

/** The export that holds a function. */
export function exportNameOf({ manifest }: WasmPart, name: string): string {
  return manifest === null ? name : directExport(name);
}

/** Null for a module that Sluice did not make. */
export function manifestOf(module: WebAssembly.Module): Manifest | null {
  const [section] = WebAssembly.Module.customSections(module, manifestSection);
  return section === undefined ? null : (JSON.parse(new TextDecoder().decode(section)) as Manifest);
}
