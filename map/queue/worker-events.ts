// What a worker tells of its work.

import type { Done } from '../local/threads.ts';

/**
 * Something that a worker has done, or that happened to it. `task` is the number of a partition, the name of a merge,
 * or `summary`.
 */
export type WorkerEvent =
  | {
      readonly kind: 'done';
      readonly run: string;
      readonly task: string;
      readonly done: Done;
      readonly ms: number;
    }
  /** Somebody else had committed it, or the run is over. */
  | { readonly kind: 'givenWay'; readonly task: string }
  | { readonly kind: 'givenBack'; readonly task: string }
  | { readonly kind: 'failed' | 'refused'; readonly task: string | null; readonly message: string }
  /** The queue is gone, and is waited for. */
  | { readonly kind: 'queue'; readonly message: string };
