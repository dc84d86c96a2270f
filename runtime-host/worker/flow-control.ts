// How far a script in a worker may run ahead of whoever reads what it yields, before it waits.

import type { LimitOptions } from '../limits/options.ts';

/** In units, of which a number or a short text has one. */
const windowUnits = 65_536;

export interface YieldWindow {
  /** A value counts as so many units, if it has no more. */
  readonly least: number;
  /** The script goes on while so many units, and no more, are unread. */
  readonly most: number;
}

/** `waitsAtYields` is for a script that waits until each value has been read. */
export function windowOf(limits: LimitOptions | null, waitsAtYields: boolean): YieldWindow {
  if (waitsAtYields) return { least: 1, most: 0 };
  const items = Math.min(limits?.unreadItems || windowUnits, windowUnits);
  const least = Math.ceil(windowUnits / items);
  return { least, most: Math.floor((items - 1) * least) };
}
