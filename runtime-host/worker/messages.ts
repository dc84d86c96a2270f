// What a worker and its owner tell each other, and what the owner needs of a worker, whatever the platform calls it.

import { abiVersion } from '../../src/abi/manifest.ts';
import type { Manifest } from '../../src/abi/manifest.ts';
import type { Traffic, Unread } from '../limits/meter.ts';
import type { LimitOptions } from '../limits/options.ts';
import type { UsedPlugin } from '../plugins/used-plugin.ts';
import type { PackedError } from './errors.ts';
import type { PackedPart, PackedValue } from './packing.ts';
import type { Reply } from './reply.ts';

/**
 * Where the script's random numbers, or its clock, are: with the engine, with the owner, or in a seed or fixed time.
 */
export type NumberSource = 'engine' | 'owner' | number;

/**
 * What a worker says first: its file must be of the same version. The second part is raised whenever messages change.
 */
export const workerVersion = `${abiVersion}.2`;

/** A module as workers have it. */
export interface PackedProgram {
  readonly module: WebAssembly.Module;
  readonly manifest: Manifest;
  readonly imports: ReadonlySet<string>;
  /** Without what stays with the owner. */
  readonly plugins: readonly UsedPlugin[];
}

/** A module by its number; workers keep those that they have been told, until they are to forget them. */
export interface ProgramReference {
  readonly id: number;
  /** Null where the worker has it. */
  readonly program: PackedProgram | null;
  readonly forget: readonly number[];
}

/** Makes a worker ready for one instance. */
export interface Opening {
  readonly kind: 'open';
  readonly program: ProgramReference;
  readonly random: NumberSource;
  readonly clock: NumberSource;
  /** Null for no limits. */
  readonly limits: Omit<LimitOptions, 'onLimit'> | null;
  /** Whether the owner is asked when a limit is reached. */
  readonly asksAtLimits: boolean;
  /**
   * By which the worker waits for its owner (mailbox.ts); null where memory cannot be shared, and the engine must
   * suspend the script.
   */
  readonly mailbox: SharedArrayBuffer | null;
}

export type Work =
  | { readonly kind: 'run'; readonly values: readonly PackedPart[]; readonly waitsAtYields: boolean }
  | { readonly kind: 'call'; readonly name: string; readonly values: readonly PackedPart[] };

export type ToWorker =
  | Opening
  | Work
  /** Nothing runs: garbage is to be collected. */
  | { readonly kind: 'collect' }
  /**
   * The answer to the last question, and units of yielded values that were taken, with how many are kept: only where
   * memory is not shared.
   */
  | { readonly kind: 'answer'; readonly reply: Reply }
  | { readonly kind: 'taken'; readonly units: number; readonly unread: Unread };

/** What came of a call: a value, and what was yielded on the way. */
export interface PackedCall {
  readonly value: PackedValue;
  readonly yields: readonly PackedValue[];
}

export type FromWorker =
  /** It is there, and has done nothing; `heapBytes` is null where nothing measures the heap. */
  | { readonly kind: 'ready'; readonly version: string; readonly heapBytes: number | null }
  | { readonly kind: 'collected'; readonly heapBytes: number | null }
  /** The script begins: from now on its time counts. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'yield'; readonly value: PackedValue; readonly printsAsJson: boolean; readonly units: number }
  /**
   * A call of the library, `File.read`, or of a plugin; or `Math.random`, `Date.now` and `onLimit` where the owner has
   * them; or
   * `goOn` and `giveUp`, where the owner has asked whether a call may take more than its `room`, which is null without
   * limits.
   */
  | {
      readonly kind: 'ask';
      readonly called: string;
      readonly values: readonly PackedValue[];
      readonly room: Traffic | null;
    }
  /** The answer was larger than the mailbox: the next part may come. */
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
  /** Of the worker, garbage included; null where nothing measures it. */
  readonly heapBytes: number | null;
}

/** One worker. */
export interface WorkerThread {
  post(message: ToWorker): void;
  /** Who hears of it from now on; `onEnd` gets what ended it by itself. */
  listen(onMessage: (message: FromWorker) => void, onEnd: (error: Error) => void): void;
  /** Whether it keeps the process alive. */
  keepAlive(keeps: boolean): void;
  /** It may use so much memory from now on. */
  extendMemory?(bytes: number): void;
  /** Gives once the thread has had a turn, whatever it is doing; not there where nothing says so. */
  whenResponsive?(): Promise<void>;
  /** For how long it has had nothing to do since it is there, in milliseconds; not there where nothing says so. */
  idleMs?(): number;
  /** Ends it, whatever it is doing; gives when it is gone, where that takes time. */
  end(): Promise<void> | void;
}

export type StartWorker = () => WorkerThread;
