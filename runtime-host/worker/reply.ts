// An answer for a worker: JSON, and beside it arrays of numbers in binary form, since their text would be long.

import type { AnswerJson } from '../marshalling/answer-json.ts';
import type { Traffic } from '../limits/meter.ts';
import type { TrafficKind } from '../limits/options.ts';
import type { Numbers } from '../marshalling/staging.ts';

export interface Reply {
  readonly text: string;
  readonly beside: readonly Numbers[];
}

/**
 * The content of a reply: an answer with the traffic that the call has used so far, or the question whether it may use
 * more.
 */
export interface Told {
  readonly answer: AnswerJson;
  readonly pausedMs: number;
  readonly used: Traffic;
}

export interface Wanted {
  readonly wants: { readonly kind: TrafficKind; readonly amount: number; readonly held: number };
  readonly used: Traffic;
}

/** The header: the length of the text, the number of arrays, and the length of each, negative for ints. */
const fixedInts = 2;

/** The bytes of a reply, for shared memory. */
export function encodeReply({ text, beside }: Reply): Uint8Array {
  const encoded = new TextEncoder().encode(text);
  const begin = (fixedInts + beside.length) * 4;
  const end = padded(begin + encoded.length);
  const bytes = new Uint8Array(beside.reduce((sum, { byteLength }) => sum + byteLength, end));
  new Int32Array(bytes.buffer, 0, fixedInts + beside.length).set([
    encoded.length,
    beside.length,
    ...beside.map((numbers) => (numbers instanceof Float64Array ? numbers.length : -1 - numbers.length)),
  ]);
  bytes.set(encoded, begin);
  let at = end;
  for (const { buffer, byteOffset, byteLength } of beside) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return bytes;
}

/** The arrays are views of the buffer, which the bytes begin. */
export function decodeReply({ buffer }: Uint8Array<ArrayBuffer>): Reply {
  const [textLength = 0, count = 0] = new Int32Array(buffer, 0, fixedInts);
  const lengths = new Int32Array(buffer, fixedInts * 4, count);
  const begin = (fixedInts + count) * 4;
  let at = padded(begin + textLength);
  const beside = Array.from(lengths, (length): Numbers => {
    const numbers = length < 0 ? new BigInt64Array(buffer, at, -1 - length) : new Float64Array(buffer, at, length);
    at += numbers.byteLength;
    return numbers;
  });
  return { text: new TextDecoder().decode(new Uint8Array(buffer, begin, textLength)), beside };
}

function padded(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}
