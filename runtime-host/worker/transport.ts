// How a script in a worker waits for its owner: through shared memory, where the whole worker blocks, or, if memory
// cannot be shared, through messages, while the engine suspends the script.

import type { Awaitable } from '../errors/failures.ts';
import type { Traffic, Unread } from '../limits/meter.ts';
import type { ScriptValue } from '../values/script-value.ts';
import { AnswerReader, isWithin } from './mailbox.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { packValue } from './packing.ts';
import type { Reply } from './reply.ts';

export type Post = (message: FromWorker, moves?: readonly ArrayBuffer[]) => void;

export interface Transport {
  /** Whether a wait needs the engine to suspend the script. */
  readonly suspends: boolean;
  /**
   * The answer to a question with values that are not used here any more; `room` is the traffic that the call may use,
   * null for no limit.
   */
  ask(called: string, values: readonly ScriptValue[], room?: Traffic | null): Awaitable<Reply>;
  /** Whether at most `most` of the `sent` units are left. */
  hasRoom(sent: number, most: number): boolean;
  /** Waits until at most `most` of the `sent` units are left. */
  waitForRoom(sent: number, most: number): Awaitable<void>;
  /** The values that the owner kept when the last one was taken. */
  readonly unread: Unread;
  /** Takes a message of the owner during the wait. */
  take(message: ToWorker): void;
}

export function blockingTransport(mailbox: SharedArrayBuffer, post: Post): Transport {
  const reader = new AnswerReader(mailbox);
  return {
    suspends: false,
    ask: (called, values, traffic = null) =>
      reader.wait(
        () => askOwner(post, called, values, traffic),
        () => post({ kind: 'fetch' }),
      ),
    hasRoom: (sent, most) => reader.hasRoom(sent, most),
    waitForRoom: (sent, most) => reader.waitForRoom(sent, most),
    get unread() {
      return reader.unread;
    },
    take: () => {},
  };
}

export function suspendingTransport(post: Post): Transport {
  let answered: ((reply: Reply) => void) | null = null;
  let taken = 0;
  let unread: Unread = { items: 0, bytes: 0 };
  let waiting: { readonly sent: number; readonly most: number; readonly go: () => void } | null = null;
  return {
    suspends: true,
    ask: (called, values, traffic = null) =>
      new Promise((resolve) => {
        answered = resolve;
        askOwner(post, called, values, traffic);
      }),
    hasRoom: (sent, most) => isWithin(sent, taken, most),
    waitForRoom: (sent, most) =>
      new Promise<void>((go) => {
        waiting = { sent, most, go };
      }),
    get unread() {
      return unread;
    },
    take: (message) => {
      if (message.kind === 'answer') answered?.(message.reply);
      if (message.kind !== 'taken') return;
      taken = (taken + message.units) | 0;
      unread = message.unread;
      if (waiting !== null && isWithin(waiting.sent, taken, waiting.most)) waiting.go();
    },
  };
}

export function askOwner(post: Post, called: string, values: readonly ScriptValue[], room: Traffic | null): void {
  const parcels = values.map(packValue);
  post(
    { kind: 'ask', called, values: parcels.map(({ value }) => value), room },
    parcels.flatMap(({ moves }) => moves),
  );
}
