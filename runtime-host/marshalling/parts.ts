// Values on their way into a module: checked and split into parts, which the module reads one by one.

import { jsonKinds } from '../../src/abi/imports.ts';
import type { Numbers, Staging } from './staging.ts';

/**
 * A row of parts: the elements of an array, the fields of a struct, or alternating keys and values of a json object.
 */
export class Parts {
  readonly kind: 'array' | 'struct' | 'object';
  readonly items: ArrayLike<Part>;

  constructor(kind: Parts['kind'], items: ArrayLike<Part>) {
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
      size += 16 + (typeof item === 'string' ? item.length : item instanceof Parts ? item.size : 0);
    }
    return size;
  }
}

export type Part = null | bigint | number | boolean | string | Parts;

/** The answer of a call of the library, or of a plugin, for the script; a call fails with a Failure. */
export type Answer = Part | undefined | readonly string[];

/** Checked arguments by index of the parameter; undefined for an absent one. */
export type CheckedArguments = readonly (Part | undefined)[];

function kindOf(part: Part): (typeof jsonKinds)[number] {
  if (part === null) return 'null';
  if (typeof part === 'bigint') return 'int';
  if (typeof part === 'number') return 'double';
  if (typeof part === 'object') return part.kind === 'array' ? 'array' : 'object';
  return typeof part === 'string' ? 'string' : 'boolean';
}

/** Gives the parts of checked arguments, and of results of host calls, in the order in which the module reads them. */
export class PartReader {
  #arguments: CheckedArguments = [];
  /** The rows that are being read, innermost last, each with its position. */
  readonly #open: { readonly items: ArrayLike<Part>; at: number }[] = [];

  begin(checked: CheckedArguments): void {
    this.#arguments = checked;
    this.#open.length = 0;
  }

  has(parameter: number): boolean {
    const value = this.#arguments[parameter];
    if (value === undefined) return false;
    this.turnTo(value);
    return true;
  }

  /** Makes the reads begin at this value. */
  turnTo(value: Part): void {
    this.#open.length = 0;
    this.#open.push({ items: [value], at: 0 });
  }

  /** Takes the next part if it is null. If it is a struct, the next parts are its fields. */
  takeNull(): boolean {
    const next = this.#peek();
    if (next !== null && !(next instanceof Parts && next.kind === 'struct')) return false;
    this.take();
    if (next !== null) this.#open.push({ items: next.items, at: 0 });
    return next === null;
  }

  /** The number of elements or keys; these are the next parts. */
  takeArray(): number {
    const { items, kind } = this.take() as Parts;
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

  take(): Part {
    const value = this.#peek();
    this.#open.at(-1)!.at++;
    return value;
  }

  #peek(): Part {
    let innermost = this.#open.at(-1)!;
    while (innermost.at >= innermost.items.length) {
      this.#open.pop();
      innermost = this.#open.at(-1)!;
    }
    return innermost.items[innermost.at]!;
  }
}
