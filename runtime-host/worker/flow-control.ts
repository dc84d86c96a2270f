// How far a script in a worker may run ahead of the consumer of its values before it waits.

import type { LimitOptions } from '../limits/options.ts';

/** In units; a number or a short text counts as one. */
const windowUnits = 65_536;

export interface YieldWindow {
  /** The fewest units that a value counts as. */
  readonly least: number;
  /** The script continues while at most so many units are unread. */
  readonly most: number;
}

/** With `waitsAtYields`, the script waits until each value has been read. */
export function windowOf(limits: LimitOptions | null, waitsAtYields: boolean): YieldWindow {
  if (waitsAtYields) return { least: 1, most: 0 };
  const items = Math.min(limits?.unreadItems || windowUnits, windowUnits);
  const least = Math.ceil(windowUnits / items);
  return { least, most: Math.floor((items - 1) * least) };
}
