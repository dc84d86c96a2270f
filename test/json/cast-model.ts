// What a cast gives, worked out by another way: the typed value as json, or the message of the CastError.

import type { Model, ModelNumber } from './model.ts';
import { isObject, kindOf } from './random-model.ts';

export type CastType =
  | 'int'
  | 'double'
  | 'boolean'
  | 'string'
  | 'json'
  | { readonly array: CastType }
  | { readonly struct: string };
export type Cast = { readonly value: Model } | { readonly error: string };

/** Fields in the order of their declaration. */
const structs: Readonly<Record<string, Readonly<Record<string, CastType>>>> = {
  Leaf: { i: 'int', d: 'double', b: 'boolean', s: 'string' },
  Node: {
    leaf: { struct: 'Leaf' },
    ints: { array: 'int' },
    grid: { array: { array: 'double' } },
    kids: { array: { struct: 'Node' } },
    any: 'json',
    next: { struct: 'Node' },
  },
};

/** `path` is the way from the value that is cast to this part of it. */
export function castModel(type: CastType, model: Model, path: string): Cast {
  if (type === 'json') return { value: model };
  const isNullable = type === 'string' || typeof type === 'object';
  if (model === null && isNullable) return { value: null };
  const found = kindOf(model);
  const fail = (wanted: string): Cast => ({
    error: `${path === '' ? '' : `${path}: `}expected ${wanted}, got ${found}`,
  });
  if (typeof type === 'string') {
    if (type === 'double' && found === 'int') return { value: { double: Number((model as { int: bigint }).int) } };
    return found === type ? { value: model as ModelNumber } : fail(type);
  }
  if ('array' in type) {
    if (!Array.isArray(model)) return fail('array');
    return gather(
      (model as readonly Model[]).map((item, at) => () => castModel(type.array, item, `${path}[${at}]`)),
      (values) => values,
    );
  }
  if (!isObject(model)) return fail(type.struct);
  const fields = Object.entries(structs[type.struct]!);
  const casts = fields.map(([name, field]) => (): Cast => {
    const inner = path === '' ? name : `${path}.${name}`;
    return model.members.has(name) ? castModel(field, model.members.get(name)!, inner) : { error: `${inner}: missing` };
  });
  return gather(casts, (values) => ({ members: new Map(fields.map(([name], at) => [name, values[at]!])) }));
}

/** The first error, or all values put together. */
function gather(casts: readonly (() => Cast)[], join: (values: readonly Model[]) => Model): Cast {
  const values: Model[] = [];
  for (const cast of casts) {
    const result = cast();
    if ('error' in result) return result;
    values.push(result.value);
  }
  return { value: join(values) };
}
