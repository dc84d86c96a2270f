// Memory that a worker and its owner share. With it a worker can block in the middle of its work: for answers, and
// until yielded values have been taken. The owner never blocks.

import type { Unread } from '../limits/meter.ts';
import { decodeReply, encodeReply } from './reply.ts';
import type { Reply } from './reply.ts';

const stateAt = 0;
const lengthAt = 1;
const takenAt = 2;
const unreadAt = 3;
/** The bytes of unread values, as an int of 64 bits. */
const bytesAt = 16;
const headerBytes = 24;
const contentBytes = 65_536;

/** `part` means that the answer is not complete: more parts follow. */
const states = { empty: 0, answered: 1, part: 2 } as const;

export function makeMailbox(): SharedArrayBuffer {
  return new SharedArrayBuffer(headerBytes + contentBytes);
}

/** Clears the mailbox for the next instance. Nobody may be waiting on it. */
export function wipeMailbox(mailbox: SharedArrayBuffer): void {
  new Uint8Array(mailbox).fill(0);
}

/** Whether memory can be shared here: for that, a page must be cross-origin isolated. */
export function canShareMemory(): boolean {
  return typeof SharedArrayBuffer === 'function';
}

/** The owner's side. */
export class AnswerWriter {
  readonly #header: Int32Array;
  readonly #bytes: BigInt64Array;
  readonly #content: Uint8Array;
  /** The part of the answer that has not been sent. */
  #rest: Uint8Array = new Uint8Array(0);

  constructor(mailbox: SharedArrayBuffer) {
    this.#header = new Int32Array(mailbox, 0, bytesAt / 4);
    this.#bytes = new BigInt64Array(mailbox, bytesAt, 1);
    this.#content = new Uint8Array(mailbox, headerBytes);
  }

  put(reply: Reply): void {
    this.#rest = encodeReply(reply);
    this.putMore();
  }

  /** The worker has taken a part of the answer. */
  putMore(): void {
    const part = this.#rest.subarray(0, this.#content.length);
    this.#rest = this.#rest.subarray(part.length);
    this.#content.set(part);
    this.#header[lengthAt] = part.length;
    this.#tell(this.#rest.length === 0 ? states.answered : states.part);
  }

  /** Reports that so many units of yielded values have been taken; `unread` are still kept for their consumer. */
  take(units: number, unread: Unread): void {
    Atomics.store(this.#header, unreadAt, unread.items);
    Atomics.store(this.#bytes, 0, BigInt(unread.bytes));
    Atomics.add(this.#header, takenAt, units);
    Atomics.notify(this.#header, takenAt);
  }

  #tell(state: number): void {
    Atomics.store(this.#header, stateAt, state);
    Atomics.notify(this.#header, stateAt);
  }
}

/** The worker's side. */
export class AnswerReader {
  readonly #header: Int32Array;
  readonly #bytes: BigInt64Array;
  readonly #content: Uint8Array;

  constructor(mailbox: SharedArrayBuffer) {
    this.#header = new Int32Array(mailbox, 0, bytesAt / 4);
    this.#bytes = new BigInt64Array(mailbox, bytesAt, 1);
    this.#content = new Uint8Array(mailbox, headerBytes);
  }

  /**
   * Waits for the answer to a question; `askForMore` asks for the next part of an answer that is larger than the
   * mailbox.
   */
  wait(ask: () => void, askForMore: () => void): Reply {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for (let state = this.#waitAfter(ask); ; state = this.#waitAfter(askForMore)) {
      // Copied, since text decoders refuse shared memory.
      parts.push(new Uint8Array(this.#content.subarray(0, this.#header[lengthAt])));
      if (state === states.answered) return decodeReply(joined(parts));
    }
  }

  /** Whether at most `most` of the `sent` units are left. */
  hasRoom(sent: number, most: number): boolean {
    return isWithin(sent, Atomics.load(this.#header, takenAt), most);
  }

  /** Waits until at most `most` of the `sent` units are left. */
  waitForRoom(sent: number, most: number): void {
    for (;;) {
      const taken = Atomics.load(this.#header, takenAt);
      if (isWithin(sent, taken, most)) return;
      Atomics.wait(this.#header, takenAt, taken);
    }
  }

  /** The values that were kept when the last one was taken. */
  get unread(): Unread {
    return { items: Atomics.load(this.#header, unreadAt), bytes: Number(Atomics.load(this.#bytes, 0)) };
  }

  #waitAfter(ask: () => void): number {
    Atomics.store(this.#header, stateAt, states.empty);
    ask();
    for (;;) {
      Atomics.wait(this.#header, stateAt, states.empty);
      const state = Atomics.load(this.#header, stateAt);
      if (state !== states.empty) return state;
    }
  }
}

/** Whether at most `most` of the `sent` units are left. Both counts wrap around at 32 bits. */
export function isWithin(sent: number, taken: number, most: number): boolean {
  return ((sent - taken) | 0) <= most;
}

function joined(parts: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  if (parts.length === 1) return parts[0]!;
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
