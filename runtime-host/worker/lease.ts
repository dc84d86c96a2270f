// What an instance asks a pool for, and what it gets: a lease of one thread.

import type { Program } from '../run/execution.ts';
import type { PoolThread } from './pool-thread.ts';

/** What an instance wants. */
export interface LeaseRequest {
  /** Whose turn it takes. */
  readonly caller: object;
  readonly program: Program;
  /** Whether the module's owner did not compile it. */
  readonly isForeign: boolean;
  /** Threads of another kind do not serve it. */
  readonly kind: unknown;
  /** Whether another thread is started as soon as this one has been replaced for what it ran. */
  readonly startsAhead: boolean;
  readonly start: () => PoolThread;
}

/** A place that is waited for. */
export interface PendingLease {
  /** Rejects with BusyError, HostError, or with what it is left with. */
  readonly lease: Promise<Lease>;
  /** Nobody wants it any more; does nothing once there is a lease. */
  leave(error: unknown): void;
}

/** A thread that an instance has to itself. */
export interface Lease {
  readonly thread: PoolThread;
  /** What ended the pool; null while it lives. */
  readonly ended: { readonly error: unknown } | null;
  /** Hears of that. */
  onClose: (error: unknown) => void;
  /** The script waits for somebody outside of its thread, or no longer does. */
  setWaiting(isWaiting: boolean): void;
  /** Does what the script waits for: a run that begins in there is one that the script waits for. */
  answer<Value>(work: () => Value): Value;
  /** The thread is free; `isSound` says whether it may serve others. */
  release(isSound: boolean): void;
}
