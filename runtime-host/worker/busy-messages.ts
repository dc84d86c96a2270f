// The message for a run that gets no thread.

import { deepestNesting } from './nested-queue.ts';

interface Situation {
  /** What the pool has: workers or processes. */
  readonly what: string;
  readonly mostQueued: number;
  readonly mostQueuedMs: number | null;
  /** Whether all scripts in the pool's threads wait for something outside. */
  readonly doAllWait: boolean;
}

const count = (amount: number): string => amount.toLocaleString('en-US');
const ofItsOwn = 'give those a pool of their own';

const reasons: Readonly<
  Record<'queue-length' | 'queue-time' | 'nesting', (situation: Situation) => readonly [why: string, remedy: string]>
> = {
  'queue-length': ({ what, mostQueued }) => [
    mostQueued === 0
      ? `every ${what} is in use, and none may be waited for`
      : `${count(mostQueued)} ${mostQueued === 1 ? 'other waits' : 'others wait'} for a ${what} already`,
    'Try again later, or let more of them wait with the option maxQueue of createPool()',
  ],
  'queue-time': ({ what, mostQueuedMs, doAllWait }) => [
    `no ${what} has come free within ${count(mostQueuedMs!)} ms`,
    doAllWait
      ? `The script of each ${what} waits for its host, its reader or its next call: ` +
        `if these wait for other runs of this pool, ${ofItsOwn}`
      : 'Try again later, or let it wait for longer with the option maxQueueMs of createPool()',
  ],
  nesting: ({ what }) => [
    `every ${what} is in use, and more than ${deepestNesting} ` +
      'runs wait for this one, each in a handler of the one before',
    `Where handlers wait for runs that deep, ${ofItsOwn}`,
  ],
};

export function describeRefusedLease(why: keyof typeof reasons, situation: Situation): string {
  const [reason, remedy] = reasons[why](situation);
  return `the pool is busy: ${reason}. ${remedy}`;
}
