// What the engine's surroundings have: what measures its heap, and what starts workers and processes.

import type { MemoryGauge } from '../limits/meter.ts';
import type { Stacks } from '../limits/depth.ts';
import type { LimitOptions } from '../limits/options.ts';
import type { UsedPlugin } from '../plugins/used-plugin.ts';
import type { ModuleSource } from '../run/module-check.ts';
import type { Thread } from '../run/thread.ts';
import type { WorkerThread } from './messages.ts';

/** What the engine's surroundings have beside a platform. */
export interface Machine {
  /** Null where nothing measures the heap: then only single allocations are held to a limit of memory. */
  readonly memory: MemoryGauge | null;
  /**
   * The name of a function of the engine that is not what it was when the host was loaded; null while there is none, or
   * nobody looks.
   */
  readonly findChangedBuiltIn: () => string | null;
  /** Gives what starts workers; null where there are none. */
  readonly startWorker: (() => Promise<WorkerStarter>) | null;
  /** Gives what starts processes; null where there are none. */
  readonly startProcess?: (() => Promise<ProcessStarter>) | null;
  /** What embedders are told of stacks; null where somebody else tells it. */
  readonly stacks: Stacks | null;
  /** What this thread does for scripts that run in it. */
  readonly thread?: Thread;
}

export const unknownStacks: Stacks = { here: null, isolated: null };

export const bareMachine: Machine = {
  memory: null,
  findChangedBuiltIn: () => null,
  startWorker: null,
  stacks: unknownStacks,
};

/** What a process is started for. */
export interface ProcessOptions {
  readonly source: ModuleSource;
  readonly plugins: readonly UsedPlugin[];
  /** Null for no limits. */
  readonly limits: LimitOptions | null;
  /** Where the file is that it runs, if not where the platform has it. */
  readonly url: string | URL | undefined;
}

/** Gives what starts one process of the platform after the other. Throws HostError where there can be none. */
export type ProcessStarter = (options: ProcessOptions) => () => WorkerThread;

/** A value that goes along with whatever a piece of work begins, as AsyncLocalStorage has it. */
export interface AsyncContext<Store> {
  run<Value>(store: Store, work: () => Value): Value;
  getStore(): Store | undefined;
}

export interface WorkerStarter {
  /** Starts a worker of the platform whose file is there, or where the platform has it. */
  readonly start: (url?: string | URL) => WorkerThread;
  /** How many can compute at the same time. */
  readonly cores: () => number;
  /** Not there where the engine has none. */
  readonly makeContext?: <Store>() => AsyncContext<Store>;
}
