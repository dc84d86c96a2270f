// Reads objects that somebody else has made, each part once. They may be proxies or have getters: any error while
// reading is handled in one place, and no part is read a second time, when it could differ.

/** Throws the error for a part that cannot be read. */
export type CannotRead = (cause: unknown) => never;

/** Runs work that may call code of the object. */
export function read<Value>(work: () => Value, cannotRead: CannotRead): Value {
  try {
    return work();
  } catch (cause) {
    return cannotRead(cause);
  }
}

const typedArrays = Object.getPrototypeOf(Uint8Array.prototype) as object;

/** Reads the engine's own data about a typed array, whatever the object says about itself. */
function getterOf<Value>(name: PropertyKey): (array: object) => Value {
  const descriptor = Reflect.getOwnPropertyDescriptor(typedArrays, name) as { readonly get: () => Value };
  return (array) => Reflect.apply(descriptor.get, array, []);
}

const nameOfTyped = getterOf<string | undefined>(Symbol.toStringTag);
const lengthOfTyped = getterOf<number>('length');
const offsetOfTyped = getterOf<number>('byteOffset');
const bufferOfTyped = getterOf<ArrayBuffer>('buffer');

/** `Float64Array` and the like; undefined for any other value. */
export function typedArrayName(value: unknown): string | undefined {
  return ArrayBuffer.isView(value) ? nameOfTyped(value) : undefined;
}

/** Whether the memory of a typed array was transferred away. */
export function isDetached(array: object): boolean {
  return typedArrayName(array) !== undefined && lengthOfTyped(array) === 0 && bufferOfTyped(array).detached;
}

/** The same numbers in a typed array without properties of its own. */
export function viewOf<Numbers>(
  array: object,
  type: new (buffer: ArrayBuffer, offset: number, length: number) => Numbers,
): Numbers {
  return new type(bufferOfTyped(array), offsetOfTyped(array), lengthOfTyped(array));
}

/** Like `Array.isArray`, but false for a revoked proxy. */
export function isArray(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** Whether a value can be read as an array of the language. */
export function isList(value: unknown): value is ArrayLike<unknown> {
  return isArray(value) || typedArrayName(value) !== undefined;
}

/** The length that a list claims: a proxy may claim anything. */
export function lengthOf(list: ArrayLike<unknown>, cannotRead: CannotRead): unknown {
  return typedArrayName(list) === undefined ? read(() => list.length, cannotRead) : lengthOfTyped(list);
}

/** The first `count` elements of a list in an array of our own. */
export function elementsOf(
  list: ArrayLike<unknown>,
  length: number,
  cannotRead: (cause: unknown, at: number) => never,
): readonly unknown[] {
  const items: unknown[] = [];
  read(
    () => {
      while (items.length < length) items.push(list[items.length]);
    },
    (cause) => cannotRead(cause, items.length),
  );
  return items;
}

/** An own property; undefined if there is none. */
export function ownValue(object: object, name: string): { readonly value: unknown } | undefined {
  return Object.hasOwn(object, name) ? { value: (object as Readonly<Record<string, unknown>>)[name] } : undefined;
}
