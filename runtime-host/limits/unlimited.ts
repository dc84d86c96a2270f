// The limits of a run without any, behind the same interface: scripts without limits load no more than this.

import { depthExport } from '../../src/abi/imports.ts';
import type { Handing, Meter, Unread } from './meter.ts';
import type { LimitOptions, TrafficKind } from './options.ts';

export interface LimitEnforcement {
  /** Null if there is no limit. */
  readonly meter: Meter | null;
  /** The import `look`: answers how many more units may be used, or minus an error type; the reads give its message. */
  poll(units: number): number;
  /** The import `reserve`, in the same way. */
  reserve(bytes: number): number;
  /** Called when a value that leaves the script has grown to so many bytes. Throws. */
  grow(bytes: number): void;
  /** Called before a value is handed over while others are unread. Throws. */
  output(value: Handing, unread: () => Unread): void;
  /** As in Meter. Throws a Failure that the script may catch, or that ends the run. */
  use(kind: TrafficKind, amount: number, held: number): void;
  /** Throws if the time is up. */
  time(): void;
  /** Throws an error that no clause catches if the time is up. */
  endInTime(): void;
  /** Rejects a wait once the time is up; the returned function ends the watch. */
  watch(reject: (error: unknown) => void): () => void;
}

/** The answer for a module that asks although there is no limit. */
const unlimited = 1 << 30;

/** Few enough units that the engine gets a chance to switch to optimised code. */
const unlimitedUnits = 1 << 17;

const nothing = (): void => {};

export const noLimits: LimitEnforcement = {
  meter: null,
  poll: () => unlimitedUnits,
  reserve: () => unlimited,
  grow: nothing,
  output: nothing,
  use: nothing,
  time: nothing,
  endInTime: nothing,
  watch: () => nothing,
};

/** Sets the depth limit of a new instance. */
export function setDepth(exports: Readonly<Record<string, unknown>>, limits: LimitOptions | null): void {
  const depthBytes = limits?.depthBytes;
  if (depthBytes === undefined || depthBytes === null || !(depthExport in exports)) return;
  (exports[depthExport] as WebAssembly.Global).value = depthBytes === 0 ? unlimited : Math.min(depthBytes, unlimited);
}
