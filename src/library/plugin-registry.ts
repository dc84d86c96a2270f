// The library together with the plugins of a host, for the checker and the emitter.

import { formatType } from '../language/types.ts';
import type { Library } from './declare.ts';
import { describeStruct } from './plugin-declaration.ts';
import type { Plugin } from './plugins.ts';
import { builtInLibraries, LibraryRegistry } from './registry.ts';

/** Throws TypeError for a plugin that declares something that the library has already. */
export function registryWith(plugins: readonly Plugin[]): LibraryRegistry {
  const builtIn = new LibraryRegistry();
  for (const { name, functions } of plugins) {
    for (const { row } of functions) {
      if (row.receiver === null || builtIn.method(row.receiver, row.name) === undefined) continue;
      throw new TypeError(`plugin ${name}, ${row.name}: ${formatType(row.receiver)} has a method of this name already`);
    }
  }
  return plugins.length === 0 ? builtIn : new LibraryRegistry([...builtInLibraries, ...plugins.flatMap(librariesOf)]);
}

/** The rows of a plugin by namespace and receiver. */
export function librariesOf({
  name: plugin,
  documentation,
  functions,
}: Pick<Plugin, 'name' | 'documentation' | 'functions'>): readonly Library[] {
  const rows = functions.map(({ row }) => row);
  const byReceiver = Map.groupBy(
    rows.filter(({ receiver }) => receiver !== null),
    ({ receiver }) => formatType(receiver!),
  );
  const namespace: Library = {
    name: plugin,
    documentation,
    receiver: null,
    functions: rows.filter(({ receiver }) => receiver === null),
    preludeOnly: false,
  };
  const methods = [...byReceiver].map(([name, own]): Library => ({
    name,
    documentation,
    receiver: own[0]!.receiver,
    functions: own,
    preludeOnly: false,
  }));
  return [namespace, ...methods];
}

/** The types of a plugin as declarations of a script. */
export function declareStructs({ structs }: Plugin): string {
  return structs.map(describeStruct).join('\n');
}
