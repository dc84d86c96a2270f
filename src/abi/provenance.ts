// Tells bytes that a compiler of this process made from all others: by a mark on the array itself, which neither files
// nor messages carry. The compiler and the host may come from different packages, so both find the mark by its name.

const mark = Symbol.for('sluice.compiled');

export function markCompiled<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  return Object.defineProperty(bytes, mark, { __proto__: null, value: true } as PropertyDescriptor);
}

export function isCompiledHere(source: unknown): boolean {
  return source instanceof Uint8Array && Object.hasOwn(source, mark);
}
