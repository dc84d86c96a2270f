// Whether a marshalled value from a log is of the type that the module expects: the module relies on that.

import type { ManifestStruct } from '../../src/abi/manifest.ts';
import type { TypeDescriptor } from '../../src/abi/values.ts';
import { Composite } from '../marshalling/marshalled-values.ts';
import { arrayOf, guard, isOf, numbers } from '../marshalling/type-guards.ts';

const form = guard(
  (type, value) =>
    type === 'json'
      ? isJson(value)
      : type === 'int'
        ? isInt(value)
        : type === 'string'
          ? value === null || typeof value === 'string'
          : typeof value === (type === 'double' ? 'number' : type),
  {
    array: (type, value) =>
      arrayOf(
        value instanceof Composite ? numbers(type.array, value.items) : false,
        value instanceof Composite && value.kind === 'array' ? value.items : null,
      ),
    isStruct: ({ fields }, value): value is object =>
      value instanceof Composite && value.kind === 'struct' && value.items.length === fields.length,
    field: (_struct, at, value) => (value as Composite).items[at],
  },
);

/** Whether this is a marshalled value of the type, or a null that the type allows. */
export function isValueOf(type: TypeDescriptor, value: unknown, structs: readonly ManifestStruct[]): boolean {
  return isOf(type, value, structs, form);
}

export function isInt(value: unknown): boolean {
  return typeof value === 'bigint' && BigInt.asIntN(64, value) === value;
}

function isJson(value: unknown): boolean {
  if (!(value instanceof Composite))
    return value === null || isInt(value) || ['number', 'boolean', 'string'].includes(typeof value);
  const { kind, items } = value;
  if (kind === 'struct') return false;
  return (
    Array.from(items).every((item, at) =>
      kind === 'object' && at % 2 === 0 ? typeof item === 'string' : isJson(item),
    ) &&
    (kind === 'array' || items.length % 2 === 0)
  );
}
