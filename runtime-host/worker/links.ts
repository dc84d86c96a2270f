// How a script in a worker waits for its owner: in shared memory, where the whole worker stands still, or, where memory
// cannot be shared, by messages, while the engine suspends the script.

import type { Awaitable } from '../failures.ts';
import { AnswerReader } from './mailbox.ts';
import type { FromWorker, ToWorker } from './messages.ts';

export type Post = (message: FromWorker, moves?: readonly ArrayBuffer[]) => void;

export interface Link {
  /** Whether waiting takes a suspension by the engine. */
  readonly suspends: boolean;
  /** The answer to a question, as JSON. */
  ask(called: string, texts: readonly string[]): Awaitable<string>;
  /** Waits until all but so many of the units that were sent have been taken. */
  waitForRoom(sent: number, most: number): Awaitable<void>;
  /** What the owner says meanwhile. */
  take(message: ToWorker): void;
}

export function blockingLink(mailbox: SharedArrayBuffer, post: Post): Link {
  const reader = new AnswerReader(mailbox);
  return {
    suspends: false,
    ask: (called, texts) => reader.wait(() => post({ kind: 'ask', called, texts }), (room) => post({ kind: 'fetch', room })),
    waitForRoom: (sent, most) => reader.waitForRoom(sent, most),
    take: () => {},
  };
}

export function suspendingLink(post: Post): Link {
  let answered: ((text: string) => void) | null = null;
  let taken = 0;
  let waiting: { readonly until: number; readonly go: () => void } | null = null;
  return {
    suspends: true,
    ask: (called, texts) =>
      new Promise((resolve) => {
        answered = resolve;
        post({ kind: 'ask', called, texts });
      }),
    waitForRoom: (sent, most) => {
      if (sent - taken <= most) return undefined;
      return new Promise<void>((go) => {
        waiting = { until: sent - most, go };
      });
    },
    take: (message) => {
      if (message.kind === 'answer') answered?.(message.text);
      if (message.kind !== 'taken') return;
      taken += message.units;
      if (waiting !== null && taken >= waiting.until) waiting.go();
    },
  };
}
