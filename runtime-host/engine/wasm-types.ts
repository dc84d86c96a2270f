// Types of WebAssembly functions. JavaScript cannot read them, but engines refuse to link a function to an import of
// another type. So modules of a few bytes test types: one imports the function under the expected type, another exports
// a function of a given type.

import type { WireType } from '../../src/abi/imports.ts';

const wireCodes: Readonly<Record<WireType, number>> = { i32: 0x7f, i64: 0x7e, f64: 0x7c, string: 0x6f };
const header = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/** The wire type for each of the types int, double, boolean and string. */
export const wireOf: Readonly<Record<string, WireType>> = {
  int: 'i64',
  double: 'f64',
  boolean: 'i32',
  string: 'string',
};

/** Whether an exported function has these parameters and this result; null for no result. */
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

/** A function of that type, for type tests only: a call would trap. */
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

/** Ends in a trap. */
export function trap(): never {
  const fail = functionOfType([], null) as () => never;
  return fail();
}
