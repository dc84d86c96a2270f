// The request of an instance to a pool, and its answer: a lease of one thread.

import type { Program } from '../run/execution.ts';
import type { PoolThread } from './pool-thread.ts';

/** The request of an instance. */
export interface LeaseRequest {
  /** The script whose turn is used. */
  readonly caller: object;
  readonly program: Program;
  /** Whether somebody other than the module's owner may have compiled it. */
  readonly isForeign: boolean;
  /** Only threads of this kind can serve it. */
  readonly kind: unknown;
  /** Whether another thread is started as soon as this one must be replaced because of the code that it ran. */
  readonly startsAhead: boolean;
  readonly start: () => PoolThread;
}

/** A request that waits. */
export interface PendingLease {
  /** Rejects with BusyError, HostError, or the error that `leave` got. */
  readonly lease: Promise<Lease>;
  /** Withdraws the request; does nothing once there is a lease. */
  leave(error: unknown): void;
}

/** A thread for one instance alone. */
export interface Lease {
  readonly thread: PoolThread;
  /** The error that ended the pool; null while it is open. */
  readonly ended: { readonly error: unknown } | null;
  /** Called when the pool is closed. */
  onClose: (error: unknown) => void;
  /** Reports that the script waits for something outside of its thread, or no longer does. */
  setWaiting(isWaiting: boolean): void;
  /** Runs work that the script waits for: the script also waits for every run that begins inside. */
  answer<Value>(work: () => Value): Value;
  /** Returns the thread; `isSound` says whether it may serve others. */
  release(isSound: boolean): void;
}
