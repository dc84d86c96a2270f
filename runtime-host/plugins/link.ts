// What a module was compiled against, and what the host has: the same plugins, or the module is refused.

import type { Manifest, ManifestPluginCall, ManifestStruct } from '../../src/abi/manifest.ts';
import type { TypeDescriptor } from '../../src/abi/values.ts';
import type { PluginImplementation } from '../../src/language/implementation.ts';
import type { Type } from '../../src/language/types.ts';
import { readPlugins } from '../../src/library/plugins.ts';
import type { Plugin, PluginFunction } from '../../src/library/plugins.ts';
import { HostError } from '../errors.ts';
import { describeThrown } from '../failures.ts';

/** A plugin that a module imports from. */
export interface UsedPlugin {
  readonly plugin: Plugin;
  /** What its functions are called on. */
  readonly self: unknown;
  /** Those that the module imports. */
  readonly functions: readonly UsedFunction[];
  /** The plugin's types, which descriptors refer to by index. */
  readonly structs: readonly ManifestStruct[];
}

export interface UsedFunction extends PluginFunction {
  readonly importName: string;
  readonly way: PluginImplementation['way'];
  readonly waits: boolean;
  /** The receiver first, where there is one. */
  readonly parameters: readonly { readonly name: string; readonly type: TypeDescriptor; readonly nullable: boolean }[];
  /** Null for void. */
  readonly returns: TypeDescriptor | null;
}

/** `Stats.mean`, and for a method `Text.string.shout`. */
export function importNames({ plugin, functions }: UsedPlugin): string[] {
  return functions.map(({ importName }) => `${plugin.name}.${importName}`);
}

/** Throws HostError for a faulty plugin, one that is missing, and one that is not what the module was compiled against. */
export function linkPlugins({ plugins: calls = [] }: Manifest, values: unknown): readonly UsedPlugin[] {
  const plugins = readAll(values);
  if (!Array.isArray(calls)) throw new HostError('the manifest of this WebAssembly module is damaged');
  const used = new Map<Plugin, PluginFunction[]>();
  for (const call of calls) {
    const plugin = plugins.find(({ name }) => name === call.plugin);
    if (plugin === undefined) throw new HostError(`this module calls ${call.name} of the plugin ${call.plugin}, which is not among its plugins: load it with the one that it was compiled against`);
    used.set(plugin, [...(used.get(plugin) ?? []), findFunction(plugin, call)]);
  }
  return [...used].map(([plugin, functions]) => use(plugin, functions));
}

function readAll(values: unknown): readonly Plugin[] {
  try {
    return readPlugins(values);
  } catch (error) {
    throw error instanceof TypeError ? new HostError(error.message) : error;
  }
}

function findFunction(plugin: Plugin, { name, contract }: ManifestPluginCall): PluginFunction {
  const found = plugin.functions.find(({ row }) => implementationOf(row).importName === name);
  const present = found === undefined ? null : implementationOf(found.row).contract;
  if (found !== undefined && present === contract) return found;
  const what = present === null ? `has no ${name}` : `has "${present}"`;
  throw new HostError(`this module was compiled against another version of the plugin ${plugin.name}: it calls "${contract}", and the plugin here ${what}. Compile the script again with this plugin`);
}

function use(plugin: Plugin, functions: readonly PluginFunction[]): UsedPlugin {
  const names = plugin.structs.map(({ type }) => type.name);
  const describe = (type: Type): TypeDescriptor => {
    if (type.kind === 'array') return { array: describe(type.element) };
    return type.kind === 'struct' ? { struct: names.indexOf(type.name) } : (type.kind as TypeDescriptor);
  };
  return {
    plugin,
    self: makeSelf(plugin),
    structs: plugin.structs.map(({ type, fields }) => ({ name: type.name, fields: fields.map((field) => ({ name: field.name, type: describe(field.type) })) })),
    functions: functions.map((fn): UsedFunction => {
      const { receiver, parameters, returns } = fn.row;
      const { importName, way, waits } = implementationOf(fn.row);
      return {
        ...fn,
        importName,
        way,
        waits,
        parameters: [...(receiver === null ? [] : [{ name: 'this', type: receiver, nullable: false }]), ...parameters].map(({ name, type, nullable }) => ({ name, type: describe(type), nullable })),
        returns: returns.kind === 'void' ? null : describe(returns),
      };
    }),
  };
}

function implementationOf({ implementation }: PluginFunction['row']): PluginImplementation {
  return implementation as PluginImplementation;
}

function makeSelf(plugin: Plugin): unknown {
  try {
    return plugin.self();
  } catch (error) {
    throw new HostError(`the plugin ${plugin.name} cannot be made: ${describeThrown(error)}`, { cause: error });
  }
}
