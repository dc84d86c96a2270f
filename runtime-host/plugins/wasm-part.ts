// What the declaration of a plugin holds of a module of WebAssembly, whichever copy of Sluice has made it, and what can
// be said of that module without running it.

import { directExport } from '../../src/abi/imports.ts';
import { manifestSection } from '../../src/abi/manifest.ts';
import type { DeclaredPlugin } from '../../src/library/plugins.ts';

export type Imports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** What a run needs of such a plugin. */
export interface WasmPart {
  readonly module: WebAssembly.Module;
  /** What a module that Sluice did not make imports. */
  readonly imports: Imports;
  /** The bytes of the module; null where the plugin was made of a WebAssembly.Module. */
  readonly bytes: Uint8Array | null;
}

export function wasmPart(wasm: DeclaredPlugin['wasm']): WasmPart {
  const { module, imports, bytes } = wasm as WasmPart;
  return { module, imports, bytes: bytes ?? null };
}

/** The module of a plugin if it reaches nothing but what a script reaches too; null for another, and for JavaScript. */
export function codeOf(wasm: DeclaredPlugin['wasm']): WebAssembly.Module | null {
  if (wasm === null) return null;
  const { module } = wasmPart(wasm);
  return isOurs(module) || WebAssembly.Module.imports(module).length === 0 ? module : null;
}

/** The export that holds a function; `ours` is whether Sluice made the module. */
export function exportNameOf(ours: boolean, name: string): string {
  return ours ? directExport(name) : name;
}

/** Whether Sluice made the module, or it says so. */
export function isOurs(module: WebAssembly.Module): boolean {
  return WebAssembly.Module.customSections(module, manifestSection).length > 0;
}
