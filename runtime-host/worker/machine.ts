// What the environment offers besides a platform: a measure of the heap, workers and processes.

import type { MemoryGauge } from '../limits/meter.ts';
import type { Stacks } from '../limits/depth.ts';
import type { LimitOptions } from '../limits/options.ts';
import type { UsedPlugin } from '../plugins/used-plugin.ts';
import type { ModuleSource } from '../run/module-check.ts';
import type { Thread } from '../run/thread.ts';
import type { WorkerThread } from './messages.ts';

/** What the environment offers besides a platform. */
export interface Machine {
  /** Null if nothing measures the heap: then the memory limit applies only to single allocations. */
  readonly memory: MemoryGauge | null;
  /**
   * The name of a function of the engine that has changed since the host was loaded; null if there is none, or if this
   * is not checked.
   */
  readonly findChangedBuiltIn: () => string | null;
  /** Loads the starter of workers; null if there are none. */
  readonly startWorker: (() => Promise<WorkerStarter>) | null;
  /** Loads the starter of processes; null if there are none. */
  readonly startProcess?: (() => Promise<ProcessStarter>) | null;
  /** The stack sizes for advice to embedders; null if other code gives the advice. */
  readonly stacks: Stacks | null;
  /** The hooks for scripts that run in this thread. */
  readonly thread?: Thread;
}

export const unknownStacks: Stacks = { here: null, isolated: null };

export const bareMachine: Machine = {
  memory: null,
  findChangedBuiltIn: () => null,
  startWorker: null,
  stacks: unknownStacks,
};

/** What a process is started with. */
export interface ProcessOptions {
  readonly source: ModuleSource;
  readonly plugins: readonly UsedPlugin[];
  /** Null for no limits. */
  readonly limits: LimitOptions | null;
  /** The place of the file that it runs, if not the platform's default. */
  readonly url: string | URL | undefined;
}

/** Returns a function that starts processes, one per call. Throws HostError if there can be none. */
export type ProcessStarter = (options: ProcessOptions) => () => WorkerThread;

/** A value that follows asynchronous work, as in AsyncLocalStorage. */
export interface AsyncContext<Store> {
  run<Value>(store: Store, work: () => Value): Value;
  getStore(): Store | undefined;
}

export interface WorkerStarter {
  /** Starts a worker with the file at this place, or at the platform's default. */
  readonly start: (url?: string | URL) => WorkerThread;
  /** How many threads can compute at the same time. */
  readonly cores: () => number;
  /** Absent if the engine has no such contexts. */
  readonly makeContext?: <Store>() => AsyncContext<Store>;
}
