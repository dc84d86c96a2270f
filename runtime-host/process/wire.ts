// Plain data as bytes, for messages between processes: no functions, no cycles, no prototypes. A reader of untrusted
// bytes sets the memory that they may take.

const tags = {
  undefined: 0,
  null: 1,
  false: 2,
  true: 3,
  double: 4,
  int: 5,
  text: 6,
  wideText: 7,
  word: 8,
  doubles: 9,
  ints: 10,
  bytes: 11,
  array: 12,
  set: 13,
  object: 14,
} as const;

/** Words that are frequent in messages take one byte. */
const words = [
  'kind',
  'open',
  'run',
  'call',
  'answer',
  'taken',
  'ready',
  'begun',
  'yield',
  'ask',
  'ended',
  'value',
  'values',
  'printsAsJson',
  'units',
  'unread',
  'called',
  'reply',
  'text',
  'beside',
  'end',
  'result',
  'failed',
  'error',
  'instantiateMs',
  'runMs',
  'fuelUsed',
  'goesOn',
  'keys',
  'items',
  'note',
  'isJson',
  'exceptions',
  'waitsAtYields',
  'name',
  'array',
  'struct',
  'object',
] as const;
const indexOfWord: ReadonlyMap<string, number> = new Map(words.map((word, at) => [word, at]));

/** Values nest up to 512 levels, and each level of a value is two levels of a message. */
const deepest = 1_100;
/** The approximate memory of a part besides its bytes. */
const bytesAPart = 16;

/** Thrown for bytes that are no valid message. */
export class WireError extends Error {
  override readonly name = 'WireError';
  /** The message may be valid, but takes too much memory. */
  readonly isTooLarge: boolean;

  constructor(message: string, isTooLarge = false) {
    super(message);
    this.isTooLarge = isTooLarge;
  }
}

/** Throws RangeError for an int of more than 64 bits, and TypeError for anything but plain data. */
export function encodeWire(value: unknown): Uint8Array {
  const writer = new Writer();
  writer.write(value);
  return writer.bytes;
}

/**
 * Throws WireError for bytes that `encodeWire` does not produce, and for data that would take more than so many bytes
 * of memory.
 */
export function decodeWire(bytes: Uint8Array, mostBytes: number): unknown {
  const reader = new Reader(bytes, mostBytes);
  const value = reader.read(0);
  if (!reader.isAtEnd) throw new WireError('there is more than a message');
  return value;
}

class Writer {
  #bytes = new Uint8Array(256);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }

  write(value: unknown): void {
    switch (typeof value) {
      case 'undefined':
        return this.#tag(tags.undefined);
      case 'boolean':
        return this.#tag(value ? tags.true : tags.false);
      case 'number':
        return this.#number(tags.double, (view, at) => view.setFloat64(at, value, true));
      case 'bigint':
        if (BigInt.asIntN(64, value) !== value) throw new RangeError('an int of more than 64 bits');
        return this.#number(tags.int, (view, at) => view.setBigInt64(at, value, true));
      case 'string':
        return this.#text(value);
      case 'object':
        return value === null ? this.#tag(tags.null) : this.#compound(value);
      case 'symbol':
      case 'function':
        throw new TypeError(`a ${typeof value} is no plain data`);
    }
  }

  #compound(value: object): void {
    if (value instanceof Float64Array) return this.#raw(tags.doubles, value, value.length);
    if (value instanceof BigInt64Array) return this.#raw(tags.ints, value, value.length);
    if (value instanceof Uint8Array) return this.#raw(tags.bytes, value, value.length);
    if (Array.isArray(value) || value instanceof Set) {
      this.#tag(Array.isArray(value) ? tags.array : tags.set);
      this.#count(Array.isArray(value) ? value.length : value.size);
      for (const item of value) this.write(item);
      return;
    }
    const fields = Object.entries(value);
    this.#tag(tags.object);
    this.#count(fields.length);
    for (const [key, field] of fields) {
      this.#text(key);
      this.write(field);
    }
  }

  #text(text: string): void {
    const word = indexOfWord.get(text);
    if (word !== undefined) {
      this.#tag(tags.word);
      this.#tag(word);
      return;
    }
    if (text.isWellFormed()) {
      this.#utf8(text);
      return;
    }
    this.#raw(
      tags.wideText,
      Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)),
      text.length,
    );
  }

  #utf8(text: string): void {
    this.#tag(tags.text);
    const lengthAt = this.#take(4);
    // The upper bound of its size in UTF-8; the unused rest is given back.
    const at = this.#take(text.length * 3);
    const { written } = encoder.encodeInto(text, this.#bytes.subarray(at));
    this.#view.setUint32(lengthAt, written, true);
    this.#at = at + written;
  }

  #raw(tag: number, { buffer, byteOffset, byteLength }: ArrayBufferView, count: number): void {
    this.#tag(tag);
    this.#count(count);
    const at = this.#take(byteLength);
    this.#bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
  }

  #number(tag: number, set: (view: DataView, at: number) => void): void {
    this.#tag(tag);
    const at = this.#take(8);
    set(this.#view, at);
  }

  #tag(tag: number): void {
    const at = this.#take(1);
    this.#bytes[at] = tag;
  }

  #count(count: number): void {
    const at = this.#take(4);
    this.#view.setUint32(at, count, true);
  }

  /** Makes room for so many bytes, in a larger buffer if necessary, and returns their offset. */
  #take(length: number): number {
    const at = this.#at;
    this.#at += length;
    if (this.#at > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#at, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, at));
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    return at;
  }
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;
  #left: number;

  constructor(bytes: Uint8Array, mostBytes: number) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#left = mostBytes - bytes.length;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  read(depth: number): unknown {
    if (depth > deepest) throw new WireError('parts are nested too deep');
    this.#charge(bytesAPart);
    switch (this.#bytes[this.#take(1)]!) {
      case tags.undefined:
        return undefined;
      case tags.null:
        return null;
      case tags.false:
        return false;
      case tags.true:
        return true;
      case tags.double:
        return this.#view.getFloat64(this.#take(8), true);
      case tags.int:
        return this.#view.getBigInt64(this.#take(8), true);
      case tags.text:
        return this.#text(this.#raw(1));
      case tags.wideText:
        return wideText(new Uint16Array(this.#raw(2).buffer));
      case tags.word:
        return this.#word();
      case tags.doubles:
        return new Float64Array(this.#raw(8).buffer);
      case tags.ints:
        return new BigInt64Array(this.#raw(8).buffer);
      case tags.bytes:
        return this.#raw(1);
      case tags.array:
        return this.#items(depth);
      case tags.set:
        return new Set(this.#items(depth));
      case tags.object:
        return this.#object(depth);
      default:
        throw new WireError('there is no such kind of part');
    }
  }

  #items(depth: number): unknown[] {
    const count = this.#count(1);
    const items: unknown[] = [];
    for (let at = 0; at < count; at++) items.push(this.read(depth + 1));
    return items;
  }

  #object(depth: number): object {
    const count = this.#count(2);
    const object = Object.create(null) as Record<string, unknown>;
    for (let at = 0; at < count; at++) {
      const key = this.read(depth + 1);
      if (typeof key !== 'string') throw new WireError('a key is no text');
      object[key] = this.read(depth + 1);
    }
    return object;
  }

  #word(): string {
    const word = words[this.#bytes[this.#take(1)]!];
    if (word === undefined) throw new WireError('there is no such word');
    return word;
  }

  #text(bytes: Uint8Array): string {
    try {
      return decoder.decode(bytes);
    } catch {
      throw new WireError('a text is not UTF-8');
    }
  }

  /** A copy of the next row, with so many bytes for each element. */
  #raw(bytesEach: number): Uint8Array<ArrayBuffer> {
    const length = this.#count(bytesEach) * bytesEach;
    const copy = new Uint8Array(length);
    copy.set(this.#bytes.subarray(this.#take(length), this.#at));
    return copy;
  }

  /** The next count, of elements with at least so many bytes each. */
  #count(bytesEach: number): number {
    const count = this.#view.getUint32(this.#take(4), true);
    if (count * bytesEach > this.#bytes.length - this.#at) throw new WireError('a row is longer than its message');
    return count;
  }

  #take(length: number): number {
    const at = this.#at;
    if (length > this.#bytes.length - at) throw new WireError('a message ends too soon');
    this.#at += length;
    return at;
  }

  #charge(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw new WireError('a message takes too much memory', true);
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Keeps unpaired surrogates, which every decoder would replace. */
function wideText(units: Uint16Array): string {
  let text = '';
  for (let at = 0; at < units.length; at += 4096) text += String.fromCharCode(...units.subarray(at, at + 4096));
  return text;
}
