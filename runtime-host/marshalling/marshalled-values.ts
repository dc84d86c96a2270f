// Marshalled values: values on their way into a module, checked and in the form in which the module reads them.

/** The elements of an array, the fields of a struct, or alternating keys and values of a json object. */
export class Composite {
  readonly kind: 'array' | 'struct' | 'object';
  readonly items: ArrayLike<MarshalledValue>;

  constructor(kind: Composite['kind'], items: ArrayLike<MarshalledValue>) {
    this.kind = kind;
    this.items = items;
  }

  /** Its approximate size in bytes. */
  get size(): number {
    const { items } = this;
    if (items instanceof Float64Array || items instanceof BigInt64Array) return items.byteLength;
    let size = 0;
    for (let at = 0; at < items.length; at++) {
      const item = items[at]!;
      size += 16 + (typeof item === 'string' ? item.length : item instanceof Composite ? item.size : 0);
    }
    return size;
  }
}

export type MarshalledValue = null | bigint | number | boolean | string | Composite;

/** The answer of a call of the library, or of a plugin, for the script; a call fails with a Failure. */
export type Answer = MarshalledValue | undefined | readonly string[];

/** Checked arguments by index of the parameter; undefined for an absent one. */
export type CheckedArguments = readonly (MarshalledValue | undefined)[];
