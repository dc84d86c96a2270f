// The arrays that a piece of a program writes: for each type of elements, the places that hold those arrays.

import { typeKey } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import type { Node } from '../../mir/children.ts';
import type { Location } from '../../mir/effects.ts';
import type { Expression } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import type { ArrayAliases, WrittenArray } from './array-aliases.ts';
import { fieldKey, localKey } from './assignments.ts';

/** If more places than this hold arrays of a type that are written, any array of the type may be. */
const most = 64;

export class ArrayWrites {
  /** By the keys of the types of elements; null for any array of the type. */
  readonly #written = new Map<string, Set<WrittenArray> | null>();

  get size(): number {
    return this.#written.size;
  }

  /** Takes in an array of a type; null for any. */
  add(type: Type, array: WrittenArray | null): void {
    this.#add(type.kind === 'array' ? typeKey(type.element) : typeKey(type), array);
  }

  addAll(other: ArrayWrites): void {
    for (const [key, arrays] of other.#written) for (const array of arrays ?? [null]) this.#add(key, array);
  }

  /** Whether the array that an expression of a function gives may be among them. */
  mayBe(fn: MirFunction, array: Expression, aliases: () => ArrayAliases): boolean {
    const key = array.type.kind === 'array' ? typeKey(array.type.element) : null;
    if (key === null) return true;
    const written = this.#written.get(key);
    if (written === undefined) return false;
    return written === null || [...written].some((one) => aliases().mayBe(one, fn, array));
  }

  #add(key: string, array: WrittenArray | null): void {
    const known = this.#written.get(key);
    if (known === null) return;
    if (array === null || known?.size === most) this.#written.set(key, null);
    else if (known === undefined) this.#written.set(key, new Set([array]));
    else known.add(array);
  }
}

/** The array that a node of a function writes; null where nothing is known of it. */
export function writtenAt(
  node: Node,
  { of, depth }: Location & { readonly kind: 'contents' | 'length' },
  fn: MirFunction,
): WrittenArray | null {
  if (node.kind === 'set-element') return placeOf(node.array, fn) ?? { fn, array: node.array };
  if (node.kind === 'set-hoisted' || node.kind === 'set-range') return localKey(fn.id, node.hoisted.elements);
  if (node.kind !== 'library-call' || of === undefined) return null;
  const place = depth === 'itself' && of !== 'result' ? placeOf(node.arguments[of]!, fn) : null;
  return place ?? { fn, call: node, place: { of, depth } };
}

/** The key of the variable or field that an array is read from; null for others. */
function placeOf(array: Expression, fn: MirFunction): string | null {
  if (array.kind === 'get-local') return localKey(fn.id, array.local);
  if (array.kind === 'get-global') return `global ${array.global}`;
  return array.kind === 'get-field' ? fieldKey(array.struct, array.field) : null;
}
