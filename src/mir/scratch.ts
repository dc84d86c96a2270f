// How numbers lie in the scratch memory: in eight bytes, but for ints that fit in fewer bits, which lie in four.

import type { IntStorage, Type } from '../language/types.ts';

/** The part of an int that elements of this type have room for, if that is no whole one. */
export function storageIn(element: Type): IntStorage | undefined {
  return element.kind === 'int' ? element.storage : undefined;
}

/** The bytes between two numbers that are next to each other. */
export function bytesOf(storage: IntStorage | undefined): number {
  return storage === undefined ? 8 : 4;
}
