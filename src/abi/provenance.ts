// What tells bytes that a compiler of this process made from those of somebody else: a mark on the array itself, which
// neither files nor messages carry. Modules of the compiler and of the host may come from different packages: they find
// it by its name.

const mark = Symbol.for('sluice.compiled');

export function markCompiled<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  return Object.defineProperty(bytes, mark, { __proto__: null, value: true } as PropertyDescriptor);
}

export function isCompiledHere(source: unknown): boolean {
  return source instanceof Uint8Array && Object.hasOwn(source, mark);
}
