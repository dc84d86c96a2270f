// How types of the language travel between a module and its host.

import type { Type } from '../language/types.ts';
import type { WireType } from './imports.ts';

/**
 * How many elements an array has at most, by their type: V8 gives an array at most a gigabyte (measured on V8 14.6).
 */
export const longestArrays = { boolean: 1_073_741_792, other: 134_217_720 } as const;

/** A type in the manifest; a struct is an index into the manifest's table of structs. */
export type TypeDescriptor =
  | 'int'
  | 'double'
  | 'boolean'
  | 'string'
  | 'json'
  | { readonly array: TypeDescriptor }
  | { readonly struct: number };

/** Whether a value of the type crosses the boundary as one wasm number. */
export function travelsAlone(type: TypeDescriptor): boolean {
  return type === 'int' || type === 'double' || type === 'boolean';
}

/**
 * The wire type of a parameter or result of a library function; the positions that functions of the prelude take are
 * i32.
 */
export function wireType(type: Type, namespace: string): WireType {
  switch (type.kind) {
    case 'int':
      return namespace === 'Native' ? 'i32' : 'i64';
    case 'double':
      return 'f64';
    case 'boolean':
      return 'i32';
    case 'string':
      return 'string';
    case 'json':
    case 'void':
    case 'struct':
    case 'array':
    case 'null':
    case 'invalid':
    case 'variable':
    case 'codeUnits':
    case 'offsets':
    case 'slots':
    case 'elements':
    case 'vector':
      throw new Error(`a value of type ${type.kind} does not travel alone`);
  }
}
