// Decodes values by their types, whatever their source: arguments and plugins' answers as JavaScript values, values
// that a module has written, answers from a log. The type descriptor gives the structure of the value, a form says how
// each part looks in that source.

import type { ManifestStruct } from '../../src/abi/manifest.ts';
import { deepestValue } from '../../src/abi/nesting.ts';
import type { TypeDescriptor } from '../../src/abi/values.ts';

export type ScalarType = Extract<TypeDescriptor, string>;
export type ArrayType = { readonly array: TypeDescriptor };

/** The path of a part within the value that is decoded. */
export interface Place {
  /** Null for the whole value. */
  readonly outer: Place | null;
  /** The name of the whole value, an index, or the name of a field. */
  readonly step: string | number;
  readonly depth: number;
}

/** How values look in one source. Each function throws for a value that does not fit. */
export interface Form<Decoded> {
  /** An int, double, boolean, string or json; null for the last two. */
  readonly scalar: (type: ScalarType, value: unknown, place: Place) => Decoded;
  /** An array from its elements, or the whole array if it is not decoded element by element. */
  readonly array: (
    type: ArrayType,
    value: unknown,
    place: Place,
  ) => { readonly elements: ArrayLike<unknown> } | { readonly whole: Decoded };
  /** The field with that name and index. */
  readonly field: (struct: ManifestStruct, at: number, value: object, place: Place) => unknown;
  /** Whether a value can be a struct at all. */
  readonly isStruct: (struct: ManifestStruct, value: unknown) => value is object;
  readonly compose: (kind: 'array' | 'struct', items: readonly Decoded[]) => Decoded;
  /** The null of an array or struct. */
  readonly nothing: Decoded;
  readonly mismatch: (type: TypeDescriptor, value: unknown, place: Place) => never;
  readonly tooDeep: (place: Place) => never;
}

/** Decodes a value of the type. Throws the errors of the form. */
export function decode<Decoded>(
  type: TypeDescriptor,
  value: unknown,
  structs: readonly ManifestStruct[],
  form: Form<Decoded>,
  place: Place,
): Decoded {
  if (typeof type === 'string') return form.scalar(type, value, place);
  if (value === null) return form.nothing;
  if (place.depth >= deepestValue) return form.tooDeep(place);
  if ('array' in type) {
    const found = form.array(type, value, place);
    if ('whole' in found) return found.whole;
    const { elements } = found;
    const items: Decoded[] = [];
    for (let at = 0; at < elements.length; at++)
      items.push(decode(type.array, elements[at], structs, form, inside(place, at)));
    return form.compose('array', items);
  }
  const struct = structs[type.struct]!;
  if (!form.isStruct(struct, value)) return form.mismatch(type, value, place);
  return form.compose(
    'struct',
    struct.fields.map((field, at) =>
      decode(field.type, form.field(struct, at, value, place), structs, form, inside(place, field.name)),
    ),
  );
}

export function whole(name: string): Place {
  return { outer: null, step: name, depth: 0 };
}

export function inside(outer: Place, step: string | number): Place {
  return { outer, step, depth: outer.depth + 1 };
}

/** `points[3].x` */
export function describePlace(place: Place): string {
  let text = '';
  let innermost = place;
  for (; innermost.outer !== null; innermost = innermost.outer)
    text = `${typeof innermost.step === 'number' ? `[${innermost.step}]` : `.${innermost.step}`}${text}`;
  return `${innermost.step}${text}`;
}
