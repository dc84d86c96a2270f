// A plugin in the view of a module that uses it: the data that every place where the module can run needs.

import type { ManifestStruct } from '../../src/abi/manifest.ts';
import type { TypeDescriptor } from '../../src/abi/values.ts';
import type { PluginImplementation } from '../../src/language/implementation.ts';
import type { DeclaredPlugin, PluginFunction } from '../../src/library/plugins.ts';

/** A plugin that a module imports from. All of it except `owned` can be sent to a worker. */
export interface UsedPlugin {
  readonly name: string;
  /** The functions that the module imports. */
  readonly functions: readonly UsedFunction[];
  /** The plugin's types; descriptors contain indexes into this list. */
  readonly structs: readonly ManifestStruct[];
  /**
   * WebAssembly code that uses nothing of the host and is linked wherever the script runs; null for functions that
   * their owner calls.
   */
  readonly code: WebAssembly.Module | null;
  /** The bytes of `code`, if known. */
  readonly bytes: Uint8Array | null;
  /** Null if the plugin's functions are not called here: in workers, and if a log answers. */
  readonly owned: OwnedPlugin | null;
}

export interface UsedFunction {
  /** `Stats.mean`, `string.shout`. */
  readonly id: string;
  readonly name: string;
  readonly importName: string;
  readonly way: PluginImplementation['way'];
  readonly waits: boolean;
  /** With the receiver first, if there is one. */
  readonly parameters: readonly { readonly name: string; readonly type: TypeDescriptor; readonly nullable: boolean }[];
  /** Null for void. */
  readonly returns: TypeDescriptor | null;
  readonly returnsNull: boolean;
}

/** The parts of a plugin that stay in the thread of its owner. */
export interface OwnedPlugin {
  /** The receiver of its functions. */
  readonly self: unknown;
  /** The functions by id, without a prototype. */
  readonly functions: Readonly<Record<string, PluginFunction>>;
  readonly wasm: DeclaredPlugin['wasm'];
}

/** Whether the owner calls the functions of a plugin, wherever the script runs. */
export function isAsked({ code }: UsedPlugin): boolean {
  return code === null;
}

/** The names `Stats.mean`, and for a method `Text.string.shout`. */
export function importNames({ name, functions }: UsedPlugin): string[] {
  return functions.map(({ importName }) => `${name}.${importName}`);
}
