// An answer on its way to a worker: JSON, and beside it arrays of numbers as they are, which would be long as text.

import type { AnswerJson } from '../marshalling/answer-json.ts';
import type { Traffic } from '../limits/meter.ts';
import type { TrafficKind } from '../limits/options.ts';
import type { Numbers } from '../marshalling/staging.ts';

export interface Reply {
  readonly text: string;
  readonly beside: readonly Numbers[];
}

/** What stands in a reply: an answer with what the call has used up to now, or a question whether it may take more. */
export interface Told {
  readonly answer: AnswerJson;
  readonly pausedMs: number;
  readonly used: Traffic;
}

export interface Wanted {
  readonly wants: { readonly kind: TrafficKind; readonly amount: number; readonly held: number };
  readonly used: Traffic;
}

/** In front: bytes of the text, how many arrays there are, and for each its length, below 0 for ints. */
const fixedInts = 2;

/** As bytes, for memory that is shared. */
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

/** The arrays lie in the bytes, which begin a buffer. */
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
