// What a run asks about its limits, and what it hears where nothing is limited: all that scripts without limits load of
// them.

import { depthExport } from '../../src/abi/imports.ts';
import type { Handing, Meter, Unread } from './meter.ts';
import type { LimitOptions, TrafficKind } from './options.ts';

export interface LimitEnforcement {
  /** Null where nothing is limited. */
  readonly meter: Meter | null;
  /** The import of this name: how many more units, or minus an error type, of which the reads give the message. */
  poll(units: number): number;
  /** The import of this name, likewise. */
  reserve(bytes: number): number;
  /** A value that leaves the script has grown to so many bytes. Throws. */
  grow(bytes: number): void;
  /** Before a value is handed over, while others are unread. Throws. */
  output(value: Handing, unread: () => Unread): void;
  /** As Meter has it. Throws a Failure, which the script may take, or which ends the run. */
  use(kind: TrafficKind, amount: number, held: number): void;
  /** Throws when the time is up. */
  time(): void;
  /** Throws what no clause takes when the time is up. */
  endInTime(): void;
  /** Rejects a wait once the time is up; the answer ends the watch. */
  watch(reject: (error: unknown) => void): () => void;
}

/** What a module may use or allocate that asks where nothing is limited. */
const unlimited = 1 << 30;

/** So many units in a row leave an engine the chance to put optimised code in place. */
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

/** Tells a new instance how deep calls may nest. */
export function setDepth(exports: Readonly<Record<string, unknown>>, limits: LimitOptions | null): void {
  const depthBytes = limits?.depthBytes;
  if (depthBytes === undefined || depthBytes === null || !(depthExport in exports)) return;
  (exports[depthExport] as WebAssembly.Global).value = depthBytes === 0 ? unlimited : Math.min(depthBytes, unlimited);
}
