// The WebAssembly module in the declaration of a plugin, whichever copy of Sluice has made it, and what can be read
// from that module without running it.

import { directExport } from '../../src/abi/imports.ts';
import { manifestSection } from '../../src/abi/manifest.ts';
import type { DeclaredPlugin } from '../../src/library/plugins.ts';

export type Imports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** What a run needs from such a plugin. */
export interface WasmPart {
  readonly module: WebAssembly.Module;
  /** The imports of a module that Sluice did not make. */
  readonly imports: Imports;
  /** The bytes of the module; null if the plugin was made from a WebAssembly.Module. */
  readonly bytes: Uint8Array | null;
}

export function wasmPart(wasm: DeclaredPlugin['wasm']): WasmPart {
  const { module, imports, bytes } = wasm as WasmPart;
  return { module, imports, bytes: bytes ?? null };
}

/** The module of a plugin if it imports only what scripts import too; null for any other module, and for JavaScript. */
export function codeOf(wasm: DeclaredPlugin['wasm']): WebAssembly.Module | null {
  if (wasm === null) return null;
  const { module } = wasmPart(wasm);
  return isOurs(module) || WebAssembly.Module.imports(module).length === 0 ? module : null;
}

/** The name of the export for a function; `ours` says whether Sluice made the module. */
export function exportNameOf(ours: boolean, name: string): string {
  return ours ? directExport(name) : name;
}

/** Whether the module has a manifest of Sluice. */
export function isOurs(module: WebAssembly.Module): boolean {
  return WebAssembly.Module.customSections(module, manifestSection).length > 0;
}
