// What a worker tells of its work.

import type { Done } from '../local/threads.ts';

/** Something that a worker has done, or that happened to it. */
export type WorkerEvent =
  | {
      readonly kind: 'done';
      readonly run: string;
      readonly partition: number;
      readonly done: Done;
      readonly ms: number;
    }
  /** Somebody else had committed it, or the run is over. */
  | { readonly kind: 'givenWay'; readonly partition: number }
  | { readonly kind: 'givenBack'; readonly partition: number }
  | { readonly kind: 'failed' | 'refused'; readonly partition: number | null; readonly message: string }
  /** The queue is gone, and is waited for. */
  | { readonly kind: 'queue'; readonly message: string };
