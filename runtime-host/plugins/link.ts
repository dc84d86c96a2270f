// Compares the plugins that a module was compiled against with those of the host: if they differ, the module is
// refused.

import type { Manifest, ManifestPluginCall } from '../../src/abi/manifest.ts';
import type { TypeDescriptor } from '../../src/abi/values.ts';
import type { PluginImplementation } from '../../src/language/implementation.ts';
import type { Type } from '../../src/language/types.ts';
import { readPlugins } from '../../src/library/plugins.ts';
import type { Plugin, PluginFunction } from '../../src/library/plugins.ts';
import { HostError } from '../errors/errors.ts';
import { describeThrown } from '../errors/failures.ts';
import { createObject, freeze } from '../primordials/untampered.ts';
import type { OwnedPlugin, UsedFunction, UsedPlugin } from './used-plugin.ts';
import { codeOf, wasmPart } from './wasm-part.ts';

/**
 * `areCalled` is false if a log answers for the plugins. Throws HostError for a plugin that is faulty, missing, or
 * different from the one that the module was compiled against.
 */
export function linkPlugins(
  { plugins: calls = [] }: Manifest,
  values: unknown,
  areCalled = true,
): readonly UsedPlugin[] {
  const plugins = readAll(values);
  if (!Array.isArray(calls)) throw new HostError('the manifest of this WebAssembly module is damaged');
  const used = new Map<Plugin, PluginFunction[]>();
  for (const call of calls as readonly ManifestPluginCall[]) {
    const plugin = plugins.find(({ name }) => name === call.plugin);
    if (plugin === undefined)
      throw new HostError(
        `this module calls ${call.name} of the plugin ${call.plugin}, which is not among its plugins: ` +
          'load it with the one that it was compiled against',
      );
    used.set(plugin, [...(used.get(plugin) ?? []), findFunction(plugin, call)]);
  }
  return [...used].map(([plugin, functions]) => use(plugin, functions, areCalled));
}

function readAll(values: unknown): readonly Plugin[] {
  try {
    return readPlugins(values);
  } catch (error) {
    throw error instanceof TypeError ? new HostError(error.message, { cause: error.cause }) : error;
  }
}

function findFunction(plugin: Plugin, { name, contract }: ManifestPluginCall): PluginFunction {
  const found = plugin.functions.find(({ row }) => implementationOf(row).importName === name);
  const present = found === undefined ? null : implementationOf(found.row).contract;
  if (found !== undefined && present === contract) return found;
  const what = present === null ? `has no ${name}` : `has "${present}"`;
  throw new HostError(
    `this module was compiled against another version of the plugin ${plugin.name}: it calls "${contract}", ` +
      `and the plugin here ${what}. Compile the script again with this plugin`,
  );
}

function use(plugin: Plugin, functions: readonly PluginFunction[], isCalled: boolean): UsedPlugin {
  const { name, structs, wasm } = plugin;
  const names = structs.map(({ type }) => type.name);
  const describe = (type: Type): TypeDescriptor => {
    if (type.kind === 'array') return { array: describe(type.element) };
    return type.kind === 'struct' ? { struct: names.indexOf(type.name) } : (type.kind as TypeDescriptor);
  };
  return {
    name,
    functions: functions.map(({ row, returnsNull }): UsedFunction => {
      const { receiver, parameters, returns } = row;
      const { importName, way, waits } = implementationOf(row);
      return {
        id: row.id,
        name: row.name,
        importName,
        way,
        waits,
        parameters: [
          ...(receiver === null ? [] : [{ name: 'this', type: receiver, nullable: false }]),
          ...parameters,
        ].map(({ name, type, nullable }) => ({ name, type: describe(type), nullable })),
        returns: returns.kind === 'void' ? null : describe(returns),
        returnsNull,
      };
    }),
    structs: structs.map(({ type, fields }) => ({
      name: type.name,
      fields: fields.map((field) => ({ name: field.name, type: describe(field.type) })),
    })),
    code: codeOf(wasm),
    bytes: wasm === null ? null : wasmPart(wasm).bytes,
    owned: isCalled ? { self: makeSelf(plugin), functions: byId(functions), wasm } : null,
  };
}

function byId(functions: readonly PluginFunction[]): OwnedPlugin['functions'] {
  const found = createObject(null) as Record<string, PluginFunction>;
  for (const fn of functions) found[fn.row.id] = fn;
  return freeze(found);
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
