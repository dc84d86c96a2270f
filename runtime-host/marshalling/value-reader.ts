// Reads marshalled values for the module: the module asks for them one by one, in the order of a depth-first walk.

import { jsonKinds } from '../../src/abi/imports.ts';
import { Composite } from './marshalled-values.ts';
import type { CheckedArguments, MarshalledValue } from './marshalled-values.ts';
import type { Numbers, Staging } from './staging.ts';

function kindOf(value: MarshalledValue): (typeof jsonKinds)[number] {
  if (value === null) return 'null';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'double';
  if (typeof value === 'object') return value.kind === 'array' ? 'array' : 'object';
  return typeof value === 'string' ? 'string' : 'boolean';
}

/** Reads checked arguments, and results of host calls. */
export class ValueReader {
  #arguments: CheckedArguments = [];
  /** The composite values that are being read, innermost last, each with the position of the next value. */
  readonly #open: { readonly items: ArrayLike<MarshalledValue>; at: number }[] = [];

  begin(checked: CheckedArguments): void {
    this.#arguments = checked;
    this.#open.length = 0;
  }

  has(parameter: number): boolean {
    const value = this.#arguments[parameter];
    if (value === undefined) return false;
    this.readFrom(value);
    return true;
  }

  /** Continues with this value. */
  readFrom(value: MarshalledValue): void {
    this.#open.length = 0;
    this.#open.push({ items: [value], at: 0 });
  }

  /** Takes the next value if it is null. If it is a struct, its fields are the next values. */
  takeNull(): boolean {
    const next = this.#peek();
    if (next !== null && !(next instanceof Composite && next.kind === 'struct')) return false;
    this.take();
    if (next !== null) this.#open.push({ items: next.items, at: 0 });
    return next === null;
  }

  /** The number of elements or keys; these are the next values. */
  takeArray(): number {
    const { items, kind } = this.take() as Composite;
    this.#open.push({ items, at: 0 });
    return kind === 'object' ? items.length / 2 : items.length;
  }

  /** The kind of the next json, as an index into the ABI's kinds; a null is taken. */
  takeKind(): number {
    const next = this.#peek();
    if (next === null) this.take();
    return jsonKinds.indexOf(kindOf(next));
  }

  /** Puts the next `count` elements of the open int[] or double[] into the staging memory. */
  readStaged(staging: Staging, count: number): void {
    const open = this.#open.at(-1)!;
    staging.put(open.items as Numbers, open.at, count);
    open.at += count;
  }

  take(): MarshalledValue {
    const value = this.#peek();
    this.#open.at(-1)!.at++;
    return value;
  }

  #peek(): MarshalledValue {
    let innermost = this.#open.at(-1)!;
    while (innermost.at >= innermost.items.length) {
      this.#open.pop();
      innermost = this.#open.at(-1)!;
    }
    return innermost.items[innermost.at]!;
  }
}
