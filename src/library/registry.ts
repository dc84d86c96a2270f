// The library registry: every function that a script can call, by namespace or receiver type. It holds the built-in
// libraries; plugins are added in the same form.

import { formatType, sameType } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import { arrayMethods, doubleArrayMethods, intArrayMethods, stringArrayMethods } from './array.ts';
import { json, jsonMethods } from './json.ts';
import type { Library, LibraryFunction } from './declare.ts';
import { namespaceRows } from './generated/rows.ts';
import { booleanMethods, doubleMethods, intMethods } from './number.ts';
import { stringMethods } from './string.ts';

export const builtInLibraries: readonly Library[] = [
  ...Object.values(namespaceRows),
  json,
  intMethods,
  doubleMethods,
  booleanMethods,
  stringMethods,
  arrayMethods,
  intArrayMethods,
  doubleArrayMethods,
  stringArrayMethods,
  jsonMethods,
];

/** A method for a receiver, and the type for its type variable. */
export interface MethodMatch {
  readonly method: LibraryFunction;
  readonly typeArgument: Type | null;
}

export class LibraryRegistry {
  readonly libraries: readonly Library[];
  readonly #byId = new Map<string, LibraryFunction>();

  constructor(libraries: readonly Library[] = builtInLibraries) {
    this.libraries = libraries;
    for (const library of libraries) {
      for (const row of library.functions) {
        if (this.#byId.has(row.id)) throw new Error(`the library declares ${row.id} twice`);
        this.#byId.set(row.id, row);
      }
    }
  }

  /** The function of an id in the typed tree; a missing one is a fault of the compiler. */
  byId(id: string): LibraryFunction {
    const row = this.find(id);
    if (row === undefined) throw new Error(`no library function ${id}`);
    return row;
  }

  find(id: string): LibraryFunction | undefined {
    return this.#byId.get(id);
  }

  /** The namespace of that name, if there is one; those for the prelude only are found with `forPrelude`. */
  namespace(name: string, forPrelude = false): Library | undefined {
    return this.libraries.find(
      (library) => library.receiver === null && library.name === name && (forPrelude || !library.preludeOnly),
    );
  }

  /** The method of that name on values of a type. */
  method(receiver: Type, name: string): MethodMatch | undefined {
    for (const library of this.librariesOf(receiver)) {
      const method = library.functions.find((row) => row.name === name);
      if (method === undefined) continue;
      const isOfAll = library.receiver?.kind === 'array' && library.receiver.element.kind === 'variable';
      const { implementation } = method;
      const isGeneric = isOfAll || (implementation.kind === 'prelude' && implementation.isGeneric === true);
      return { method, typeArgument: isGeneric && receiver.kind === 'array' ? receiver.element : null };
    }
    return undefined;
  }

  /** Every method of a type, for suggestions and completion. */
  methodsOf(receiver: Type): readonly LibraryFunction[] {
    return this.librariesOf(receiver).flatMap((library) => library.functions);
  }

  private librariesOf(receiver: Type): readonly Library[] {
    return this.libraries.filter((library) => library.receiver !== null && accepts(library.receiver, receiver));
  }
}

/** Whether a library's receiver type takes a value of the type. */
function accepts(receiver: Type, type: Type): boolean {
  if (receiver.kind === 'array' && receiver.element.kind === 'variable') return type.kind === 'array';
  return sameType(receiver, type);
}

/** The signature with the receiver in front, for hovers and documentation. */
export function describeFunction(row: LibraryFunction): string {
  const owner = row.receiver === null ? row.library : formatType(row.receiver);
  return row.signature.replace(new RegExp(` ${row.name}(?=\\(|$)`), ` ${owner}.${row.name}`);
}
