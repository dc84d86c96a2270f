// The messages between a worker and its owner, and the interface of a worker for the owner, on any platform.

import { abiVersion } from '../../src/abi/manifest.ts';
import type { Manifest } from '../../src/abi/manifest.ts';
import type { Traffic, Unread } from '../limits/meter.ts';
import type { LimitOptions } from '../limits/options.ts';
import type { UsedPlugin } from '../plugins/used-plugin.ts';
import type { PackedError } from './errors.ts';
import type { PackedArgument, PackedValue } from './packing.ts';
import type { Reply } from './reply.ts';

/** The source of the script's random numbers or clock: the engine, the owner, or a seed or fixed time. */
export type NumberSource = 'engine' | 'owner' | number;

/**
 * The first message of a worker contains it, since its file must be of the same version. The second number is raised
 * whenever messages change.
 */
export const workerVersion = `${abiVersion}.3`;

/** The form of a module that is sent to workers. */
export interface PackedProgram {
  readonly module: WebAssembly.Module;
  readonly manifest: Manifest;
  readonly imports: ReadonlySet<string>;
  /** Without the parts that stay with the owner. */
  readonly plugins: readonly UsedPlugin[];
}

/** A module by its number; workers keep the modules that they got until they are told to forget them. */
export interface ProgramReference {
  readonly id: number;
  /** Null if the worker has it. */
  readonly program: PackedProgram | null;
  readonly forget: readonly number[];
}

/** Prepares a worker for one instance. */
export interface Opening {
  readonly kind: 'open';
  readonly program: ProgramReference;
  readonly random: NumberSource;
  readonly clock: NumberSource;
  /** Null for no limits. */
  readonly limits: Omit<LimitOptions, 'onLimit'> | null;
  /** Whether the worker asks the owner when a limit is reached. */
  readonly asksAtLimits: boolean;
  /**
   * The memory through which the worker waits for its owner (mailbox.ts). Null if memory cannot be shared; then the
   * engine must suspend the script.
   */
  readonly mailbox: SharedArrayBuffer | null;
}

export type Work =
  | { readonly kind: 'run'; readonly values: readonly PackedArgument[]; readonly waitsAtYields: boolean }
  | { readonly kind: 'call'; readonly name: string; readonly values: readonly PackedArgument[] };

export type ToWorker =
  | Opening
  | Work
  /** Nothing runs: the worker should collect garbage. */
  | { readonly kind: 'collect' }
  /**
   * The answer to the last question, or the units of yielded values that were taken and the number of kept ones: only
   * used if memory is not shared.
   */
  | { readonly kind: 'answer'; readonly reply: Reply }
  | { readonly kind: 'taken'; readonly units: number; readonly unread: Unread };

/** The result of a call: a value, and what it yielded. */
export interface PackedCall {
  readonly value: PackedValue;
  readonly yields: readonly PackedValue[];
}

export type FromWorker =
  /** The worker has started and done nothing yet; `heapBytes` is null if nothing measures the heap. */
  | { readonly kind: 'ready'; readonly version: string; readonly heapBytes: number | null }
  | { readonly kind: 'collected'; readonly heapBytes: number | null }
  /** The script begins: from now on its time counts. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'yield'; readonly value: PackedValue; readonly printsAsJson: boolean; readonly units: number }
  /**
   * A call of the library, such as `File.read`, or of a plugin; or `Math.random`, `Date.now` and `onLimit`, if the
   * owner has these functions; or `goOn` and `giveUp`, which answer the owner's question whether a call may use more
   * than its `room`. `room` is null without limits.
   */
  | {
      readonly kind: 'ask';
      readonly called: string;
      readonly values: readonly PackedValue[];
      readonly room: Traffic | null;
    }
  /** The answer was larger than the mailbox: asks for the next part. */
  | { readonly kind: 'fetch' }
  | ({ readonly kind: 'ended' } & Ending);

export interface Ending {
  readonly end:
    | { readonly kind: 'run'; readonly result: { readonly value: PackedValue; readonly printsAsJson: boolean } | null }
    | { readonly kind: 'call'; readonly call: PackedCall }
    | { readonly kind: 'failed'; readonly error: PackedError };
  readonly instantiateMs: number;
  readonly runMs: number;
  readonly fuelUsed: number | null;
  /** Whether the instance can take further calls. */
  readonly goesOn: boolean;
  /** The worker's heap, garbage included; null if nothing measures it. */
  readonly heapBytes: number | null;
}

/** One worker. */
export interface WorkerThread {
  post(message: ToWorker): void;
  /** Sets the listeners; `onEnd` gets the error if the worker ends by itself. */
  listen(onMessage: (message: FromWorker) => void, onEnd: (error: Error) => void): void;
  /** Sets whether it keeps the process alive. */
  keepAlive(keeps: boolean): void;
  /** Raises its memory limit to so many bytes. */
  extendMemory?(bytes: number): void;
  /** Resolves once the thread has had a turn, whatever it is doing; absent if the platform cannot tell. */
  whenResponsive?(): Promise<void>;
  /** How long it has been idle since its start, in milliseconds; absent if the platform cannot tell. */
  idleMs?(): number;
  /** Ends it, whatever it is doing. If that takes time, the promise resolves when it is gone. */
  end(): Promise<void> | void;
}

export type StartWorker = () => WorkerThread;
