// Plugins: libraries that a host adds. An author's declaration, made by decorators or defineModule, is checked
// (plugin-declaration.ts) and stored under a registered symbol, so that every copy of Sluice in a process finds it: the
// checker and the host read the same rows. Only own data properties are read, so nothing on a prototype counts.

import type { LibraryFunction } from './declare.ts';
import type { PluginStruct } from './plugin-signature.ts';

/** The property of a module, a class or a class's prototype that holds the declaration. */
export const pluginMark: unique symbol = Symbol.for('sluice.plugin') as never;
/** The version of declarations, raised whenever another copy could misread one. */
export const pluginVersion = 1;

export type Work = (...values: never[]) => unknown;

export interface PluginFunction {
  readonly row: LibraryFunction;
  /** The function may return null. */
  readonly returnsNull: boolean;
  /** The permission of each call; null for none. */
  readonly permission: { readonly category: string; readonly action: string } | null;
  /** Null in a WebAssembly module. */
  readonly work: Work | null;
  /** Makes the details of a permission request from a call's arguments. */
  readonly details: Work | null;
}

/** The declaration under the mark. */
export interface DeclaredPlugin {
  readonly version: number;
  /** The namespace. */
  readonly name: string;
  readonly documentation: string;
  readonly structs: readonly PluginStruct[];
  readonly functions: readonly PluginFunction[];
  /** The WebAssembly module that holds the functions, its imports, and its bytes if known; null for JavaScript. */
  readonly wasm: { readonly module: unknown; readonly imports: unknown; readonly bytes?: unknown } | null;
}

/** A plugin that was given to a host. */
export interface Plugin extends DeclaredPlugin {
  /** The receiver of the functions; for a class, an object is made on first use. */
  readonly self: () => unknown;
}

/**
 * The plugins of an option. Throws TypeError, which names the place, for a value that is no plugin, and for plugins
 * that conflict.
 */
export function readPlugins(values: unknown): readonly Plugin[] {
  if (values === undefined) return [];
  if (!readable('the option plugins', () => Array.isArray(values)))
    throw new TypeError(
      'the option plugins is an array of what defineModule gives, and of classes with @ScriptModule or objects of them',
    );
  const listed = readable('the option plugins', () => Array.from(values as readonly unknown[]));
  const plugins = listed.map((value, at) => readPlugin(value, `plugins[${at}]`));
  const owners = new Map<string, string>();
  for (const { name, functions } of plugins) {
    for (const id of [name, ...functions.filter(({ row }) => row.receiver !== null).map(({ row }) => row.id)]) {
      const owner = owners.get(id);
      if (owner !== undefined)
        throw new TypeError(
          id === name
            ? `two plugins are called ${name}`
            : `the plugins ${owner} and ${name} both declare the method ${id}`,
        );
      owners.set(id, name);
    }
  }
  return plugins;
}

/** What is declared, for another thread or process, where no function of JavaScript can go. */
export function declarationOf({ version, name, documentation, structs, functions }: DeclaredPlugin): DeclaredPlugin {
  return {
    version,
    name,
    documentation,
    structs,
    functions: functions.map((declared) => ({ ...declared, work: null, details: null })),
    wasm: null,
  };
}

/** Whether a value is a plugin. */
export function isPlugin(value: unknown): boolean {
  return findDeclaration(value) !== null;
}

/**
 * Runs a read that may throw, since the value may be a proxy: the error becomes the cause of a TypeError that names the
 * place.
 */
function readable<Value>(place: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    throw new TypeError(`${place}: it cannot be read, since reading it throws an error`, { cause });
  }
}

function readPlugin(value: unknown, place: string): Plugin {
  const found = readable(place, () => findDeclaration(value));
  if (found === null)
    throw new TypeError(
      `${place} is no plugin: it takes what defineModule gives, a class with @ScriptModule or an object of one`,
    );
  const { declaration, self } = found;
  if (ownData(declaration, 'version') !== pluginVersion)
    throw new TypeError(`${place} was made with another version of Sluice`);
  const part = (name: keyof DeclaredPlugin): never => ownData(declaration, name) as never;
  return {
    version: pluginVersion,
    name: part('name'),
    documentation: part('documentation'),
    structs: part('structs'),
    functions: part('functions'),
    wasm: part('wasm'),
    self,
  };
}

/** The declaration of a module, a class or an instance, and the receiver of its functions. */
function findDeclaration(value: unknown): { readonly declaration: object; readonly self: () => unknown } | null {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return null;
  const declared = ownData(value, pluginMark);
  if (typeof declared === 'object' && declared !== null) {
    return {
      declaration: declared,
      self: typeof value === 'function' ? () => new (value as new () => object)() : () => undefined,
    };
  }
  for (
    let prototype: unknown = Object.getPrototypeOf(value);
    typeof prototype === 'object' && prototype !== null;
    prototype = Object.getPrototypeOf(prototype)
  ) {
    const inherited = ownData(prototype, pluginMark);
    if (typeof inherited === 'object' && inherited !== null) return { declaration: inherited, self: () => value };
  }
  return null;
}

/** An own property that is plain data; nothing on a prototype counts. */
export function ownData(object: object, key: PropertyKey): unknown {
  const descriptor = Object.getOwnPropertyDescriptor(object, key);
  return descriptor !== undefined && Object.hasOwn(descriptor, 'value') ? descriptor.value : undefined;
}

/** The file name in diagnostics for a plugin's types. */
export function pluginFile(plugin: string): string {
  return `plugin ${plugin}`;
}
