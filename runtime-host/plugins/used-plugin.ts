// A plugin as a module uses it: what every place where the module may run has to know of it.

import type { ManifestStruct } from '../../src/abi/manifest.ts';
import type { TypeDescriptor } from '../../src/abi/values.ts';
import type { PluginImplementation } from '../../src/language/implementation.ts';
import type { DeclaredPlugin, PluginFunction } from '../../src/library/plugins.ts';

/** A plugin that a module imports from. But for `owned`, all of it can be told to a worker. */
export interface UsedPlugin {
  readonly name: string;
  /** Those that the module imports. */
  readonly functions: readonly UsedFunction[];
  /** The plugin's types, which descriptors refer to by index. */
  readonly structs: readonly ManifestStruct[];
  /**
   * WebAssembly that reaches nothing of the host's and is linked wherever the script is; null for functions that their
   * owner calls.
   */
  readonly code: WebAssembly.Module | null;
  /** Those of `code`, if they are known. */
  readonly bytes: Uint8Array | null;
  /** Null where the plugin's functions are not called: in workers, and where a log answers. */
  readonly owned: OwnedPlugin | null;
}

export interface UsedFunction {
  /** `Stats.mean`, `string.shout`. */
  readonly id: string;
  readonly name: string;
  readonly importName: string;
  readonly way: PluginImplementation['way'];
  readonly waits: boolean;
  /** The receiver first, where there is one. */
  readonly parameters: readonly { readonly name: string; readonly type: TypeDescriptor; readonly nullable: boolean }[];
  /** Null for void. */
  readonly returns: TypeDescriptor | null;
  readonly returnsNull: boolean;
}

/** What of a plugin stays in the thread of whoever gave it. */
export interface OwnedPlugin {
  /** What its functions are called on. */
  readonly self: unknown;
  /** By id, without a prototype. */
  readonly functions: Readonly<Record<string, PluginFunction>>;
  readonly wasm: DeclaredPlugin['wasm'];
}

/** Whether the functions of a plugin are its owner's, wherever the script is. */
export function isAsked({ code }: UsedPlugin): boolean {
  return code === null;
}

/** `Stats.mean`, and for a method `Text.string.shout`. */
export function importNames({ name, functions }: UsedPlugin): string[] {
  return functions.map(({ importName }) => `${name}.${importName}`);
}
