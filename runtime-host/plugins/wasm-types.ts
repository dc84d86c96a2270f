// Whether an exported function has the types of a signature. Engines do not tell the types of functions, but they refuse to
// link one to an import of another type: a module of a few bytes, which imports the function as it should be, finds out.

const wireTypes: Readonly<Record<string, number>> = { int: 0x7e, double: 0x7c, boolean: 0x7f };

/** `parameters` and `returns` are int, double, boolean, and void for no result. */
export function testTypes(fn: unknown, parameters: readonly string[], returns: string): boolean {
  const results = returns === 'void' ? [] : [wireTypes[returns]!];
  const type = [0x01, 0x60, ...list(parameters.map((parameter) => wireTypes[parameter]!)), ...list(results)];
  // (import "p" "f" (func (type 0)))
  const imports = [0x01, 0x01, 0x70, 0x01, 0x66, 0x00, 0x00];
  const bytes = Uint8Array.from([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x01, ...list(type), 0x02, ...list(imports)]);
  try {
    return new WebAssembly.Instance(new WebAssembly.Module(bytes), { p: { f: fn } }) !== null;
  } catch (error) {
    if (error instanceof WebAssembly.LinkError) return false;
    throw error;
  }
}

/** Bytes with their count in front, as LEB128. */
function list(bytes: readonly number[]): readonly number[] {
  const count = bytes.length < 0x80 ? [bytes.length] : [(bytes.length & 0x7f) | 0x80, bytes.length >> 7];
  return [...count, ...bytes];
}
