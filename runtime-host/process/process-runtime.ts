// The process's side of the channel: it reads its owner's messages when it needs them, and blocks meanwhile.

import type { Unread } from '../limits/meter.ts';
import type { Transport, Post } from '../worker/transport.ts';
import { askOwner } from '../worker/transport.ts';
import { isWithin } from '../worker/mailbox.ts';
import type { FromWorker, ToWorker } from '../worker/messages.ts';
import type { Reply } from '../worker/reply.ts';
import { frameHeader } from './frames.ts';
import { unpackOpening } from './opening.ts';
import type { PackedToWorker } from './opening.ts';
import { decodeWire, encodeWire } from './wire.ts';

/** Both directions of the channel; they block. */
export interface Channel {
  /** Reads so many bytes. */
  readonly read: (length: number) => Uint8Array;
  readonly write: (bytes: Uint8Array) => void;
}

export function sendMessage({ write }: Channel, message: FromWorker): void {
  const bytes = encodeWire(message);
  const header = frameHeader(bytes.length);
  // For small messages, one system call is enough.
  if (bytes.length > joinedBytes) {
    write(header);
    write(bytes);
    return;
  }
  const all = new Uint8Array(header.length + bytes.length);
  all.set(header);
  all.set(bytes, header.length);
  write(all);
}
const joinedBytes = 65_536;

/** The next message of the owner. */
export function nextMessage({ read }: Channel): ToWorker {
  const header = read(frameHeader(0).length);
  const length = new DataView(header.buffer, header.byteOffset).getUint32(0, true);
  const message = decodeWire(read(length), Infinity) as PackedToWorker;
  return message.kind === 'open' ? unpackOpening(message) : message;
}

export function readingTransport(next: () => ToWorker, post: Post): Transport {
  let taken = 0;
  let unread: Unread = { items: 0, bytes: 0 };
  /** The answer if it is the next message; null otherwise. */
  const hear = (): Reply | null => {
    const message = next();
    if (message.kind === 'taken') {
      taken = (taken + message.units) | 0;
      unread = message.unread;
    }
    return message.kind === 'answer' ? message.reply : null;
  };
  return {
    suspends: false,
    ask: (called, values, room = null) => {
      askOwner(post, called, values, room);
      for (;;) {
        const reply = hear();
        if (reply !== null) return reply;
      }
    },
    hasRoom: (sent, most) => isWithin(sent, taken, most),
    waitForRoom: (sent, most) => {
      while (!isWithin(sent, taken, most)) hear();
    },
    get unread() {
      return unread;
    },
    take: () => {},
  };
}
