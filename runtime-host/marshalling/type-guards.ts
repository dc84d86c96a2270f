// Whether a value that a module has written is of the type that a plugin's function takes. Those of a module that Sluice
// made are; a plugin may rely on it with any other module too.

import type { ManifestStruct } from '../../src/abi/manifest.ts';
import type { TypeDescriptor } from '../../src/abi/values.ts';
import type { ScriptValue } from '../values/script-value.ts';

interface Parameter {
  readonly type: TypeDescriptor;
  readonly nullable: boolean;
}

/** Inside arrays and structs null is a value of every type that has it. */
export function fits(type: TypeDescriptor, value: ScriptValue, structs: readonly ManifestStruct[]): boolean {
  switch (type) {
    case 'int':
      return typeof value === 'bigint';
    case 'double':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'string':
      return typeof value === 'string';
    case 'json':
      return true;
    default:
      return 'array' in type ? fitsArray(type.array, value, structs) : fitsStruct(structs[type.struct]!, value, structs);
  }
}

function fitsArray(element: TypeDescriptor, value: ScriptValue, structs: readonly ManifestStruct[]): boolean {
  if (element === 'double') return value instanceof Float64Array;
  if (element === 'int') return value instanceof BigInt64Array;
  return Array.isArray(value) && value.every((item: ScriptValue) => fitsOrNull(element, item, structs));
}

function fitsStruct({ fields }: ManifestStruct, value: ScriptValue, structs: readonly ManifestStruct[]): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) return false;
  return fields.every(({ name, type }) => Object.hasOwn(value, name) && fitsOrNull(type, (value as Readonly<Record<string, ScriptValue>>)[name]!, structs));
}

/** As `fits`; null is a value of every type that has it. */
export function fitsOrNull(type: TypeDescriptor, value: ScriptValue, structs: readonly ManifestStruct[]): boolean {
  return value === null ? !isNumber(type) : fits(type, value, structs);
}

/** Whether a function of a plugin can be called with these. */
export function fitsCall({ structs }: { readonly structs: readonly ManifestStruct[] }, { parameters }: { readonly parameters: readonly Parameter[] }, values: readonly ScriptValue[]): boolean {
  return values.length === parameters.length && parameters.every((parameter, at) => fitsParameter(parameter, values[at]!, structs));
}

export function fitsParameter({ type, nullable }: Parameter, value: ScriptValue, structs: readonly ManifestStruct[]): boolean {
  return value === null ? nullable || type === 'json' : fits(type, value, structs);
}

/** Whether values of a type are never null. */
export function isNumber(type: TypeDescriptor): boolean {
  return type === 'int' || type === 'double' || type === 'boolean';
}

/** Whether an argument crosses as an operand of the call. */
export function isWired({ type, nullable }: Parameter): boolean {
  return isNumber(type) || (type === 'string' && !nullable);
}

/** Throws what looking at the value throws. */
export function isThenable(value: unknown): boolean {
  if (value instanceof Promise) return true;
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
