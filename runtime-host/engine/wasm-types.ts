// Types of functions of WebAssembly. Engines do not tell them, but they refuse to link a function to an import of
// another type: modules of a few bytes find out, one that imports the function as it should be, or one that has such a
// function.

import type { WireType } from '../../src/abi/imports.ts';

const wireCodes: Readonly<Record<WireType, number>> = { i32: 0x7f, i64: 0x7e, f64: 0x7c, string: 0x6f };
const header = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/** The wire of a value by its type: int, double, boolean or string. */
export const wireOf: Readonly<Record<string, WireType>> = {
  int: 'i64',
  double: 'f64',
  boolean: 'i32',
  string: 'string',
};

/** Whether an exported function takes and gives these; null for no result. */
export function hasType(fn: unknown, parameters: readonly WireType[], result: WireType | null): boolean {
  // (import "p" "f" (func (type 0)))
  const bytes = [
    ...header,
    ...typeSection(parameters, result),
    0x02,
    ...sized([0x01, 0x01, 0x70, 0x01, 0x66, 0x00, 0x00]),
  ];
  try {
    void new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(bytes)), { p: { f: fn } });
    return true;
  } catch (error) {
    if (error instanceof WebAssembly.LinkError) return false;
    throw error;
  }
}

/** A function of that type, which is not to be called. */
export function functionOfType(parameters: readonly WireType[], result: WireType | null): unknown {
  // (func (export "f") (type 0) unreachable)
  const rest = [
    [0x03, ...sized([0x01, 0x00])],
    [0x07, ...sized([0x01, 0x01, 0x66, 0x00, 0x00])],
    [0x0a, ...sized([0x01, 0x03, 0x00, 0x00, 0x0b])],
  ];
  const bytes = [...header, ...typeSection(parameters, result), ...rest.flat()];
  return new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(bytes)), {}).exports['f'];
}

function typeSection(parameters: readonly WireType[], result: WireType | null): readonly number[] {
  const codes = (wires: readonly WireType[]): readonly number[] => sized(wires.map((wire) => wireCodes[wire]));
  return [0x01, ...sized([0x01, 0x60, ...codes(parameters), ...codes(result === null ? [] : [result])])];
}

/** Bytes with their count in front, as LEB128. */
function sized(bytes: readonly number[]): readonly number[] {
  const count = bytes.length < 0x80 ? [bytes.length] : [(bytes.length & 0x7f) | 0x80, bytes.length >> 7];
  return [...count, ...bytes];
}

/** Runs into a trap. */
export function trap(): never {
  const fail = functionOfType([], null) as () => never;
  return fail();
}
