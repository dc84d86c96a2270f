// How elements of arrays lie in memory: as the values that they are, but for booleans, which are bytes, and for ints of
// which the optimiser knows that fewer bits are enough.

import type { IntStorage, Type } from '../language/types.ts';
import { i16, i32, i8, notPacked } from './binaryen.ts';
import type { WasmType } from './binaryen.ts';

interface Storage {
  readonly packed: typeof notPacked;
  readonly isSigned: boolean;
  /** The least number, and how many there are. */
  readonly low: bigint;
  readonly count: bigint;
}

const storages: Readonly<Record<IntStorage, Storage>> = {
  u8: { packed: i8, isSigned: false, low: 0n, count: 1n << 8n },
  u16: { packed: i16, isSigned: false, low: 0n, count: 1n << 16n },
  u32: { packed: notPacked, isSigned: false, low: 0n, count: 1n << 32n },
  i32: { packed: notPacked, isSigned: true, low: -(1n << 31n), count: 1n << 32n },
};

export function storageOf(element: Type): Storage | null {
  return element.kind === 'int' && element.storage !== undefined ? storages[element.storage] : null;
}

/** How an array type has elements that are no references. */
export function packingOf(
  element: Type,
  type: WasmType,
): { readonly type: WasmType; readonly packed: typeof notPacked } {
  const storage = storageOf(element);
  if (storage !== null) return { type: i32, packed: storage.packed };
  return { type, packed: element.kind === 'boolean' ? i8 : notPacked };
}
