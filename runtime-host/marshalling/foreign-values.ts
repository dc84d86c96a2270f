// How an object that somebody else has made is read: each part once. It may be a proxy, or have getters: whatever
// reading throws goes to one place, and what it says the second time counts for nothing.

/** Throws what the reader of a value has for a part that cannot be read. */
export type CannotRead = (cause: unknown) => never;

/** Does what calls code of the object's own. */
export function read<Value>(work: () => Value, cannotRead: CannotRead): Value {
  try {
    return work();
  } catch (cause) {
    return cannotRead(cause);
  }
}

const typedArrays = Object.getPrototypeOf(Uint8Array.prototype) as object;

/** What the engine knows of a typed array, whatever the object says of itself. */
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

/** Whether the memory of a typed array was given away. */
export function isDetached(array: object): boolean {
  return typedArrayName(array) !== undefined && lengthOfTyped(array) === 0 && bufferOfTyped(array).detached;
}

/** The same numbers in an array that has nothing of its own. */
export function viewOf<Numbers>(
  array: object,
  type: new (buffer: ArrayBuffer, offset: number, length: number) => Numbers,
): Numbers {
  return new type(bufferOfTyped(array), offsetOfTyped(array), lengthOfTyped(array));
}

/** As `Array.isArray`; a proxy that was revoked is none. */
export function isArray(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** Whether a value can stand for an array of the language. */
export function isList(value: unknown): value is ArrayLike<unknown> {
  return isArray(value) || typedArrayName(value) !== undefined;
}

/** How many elements a list says that it has: a proxy may say anything. */
export function lengthOf(list: ArrayLike<unknown>, cannotRead: CannotRead): unknown {
  return typedArrayName(list) === undefined ? read(() => list.length, cannotRead) : lengthOfTyped(list);
}

/** So many elements of a list in an array of our own. */
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

/** An own property; undefined where there is none. */
export function ownValue(object: object, name: string): { readonly value: unknown } | undefined {
  return Object.hasOwn(object, name) ? { value: (object as Readonly<Record<string, unknown>>)[name] } : undefined;
}
