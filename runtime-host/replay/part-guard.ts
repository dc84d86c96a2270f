// Whether a part from a log is of the type that the module expects: the module relies on that.

import type { ManifestStruct } from '../../src/abi/manifest.ts';
import type { TypeDescriptor } from '../../src/abi/values.ts';
import { Parts } from '../marshalling/parts.ts';
import { arrayOf, guard, isOf, numbers } from '../marshalling/type-guards.ts';

const parts = guard(
  (type, part) =>
    type === 'json'
      ? isJson(part)
      : type === 'int'
        ? isInt(part)
        : type === 'string'
          ? part === null || typeof part === 'string'
          : typeof part === (type === 'double' ? 'number' : type),
  {
    array: (type, part) =>
      arrayOf(
        part instanceof Parts ? numbers(type.array, part.items) : false,
        part instanceof Parts && part.kind === 'array' ? part.items : null,
      ),
    isStruct: ({ fields }, part): part is object =>
      part instanceof Parts && part.kind === 'struct' && part.items.length === fields.length,
    field: (_struct, at, part) => (part as Parts).items[at],
  },
);

/** Whether a part is a value of the type, or a null that the type allows. */
export function isPart(type: TypeDescriptor, part: unknown, structs: readonly ManifestStruct[]): boolean {
  return isOf(type, part, structs, parts);
}

export function isInt(part: unknown): boolean {
  return typeof part === 'bigint' && BigInt.asIntN(64, part) === part;
}

function isJson(part: unknown): boolean {
  if (!(part instanceof Parts))
    return part === null || isInt(part) || ['number', 'boolean', 'string'].includes(typeof part);
  const { kind, items } = part;
  if (kind === 'struct') return false;
  return (
    Array.from(items).every((item, at) =>
      kind === 'object' && at % 2 === 0 ? typeof item === 'string' : isJson(item),
    ) &&
    (kind === 'array' || items.length % 2 === 0)
  );
}
