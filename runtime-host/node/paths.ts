// Reaches objects of the file system so that the object that is used is the one that was checked. `paths-linux.ts`
// keeps a handle of the object; `paths-portable.ts` checks before and after, since other systems offer nothing better.

import type { Stats } from 'node:fs';

/** An object that exists. */
export interface Reached {
  /** Its real path, without any links. */
  readonly place: string;
  /** A path by which the object is opened or listed, and the flags that opening it needs. */
  readonly access: string;
  readonly openFlags: number;
  readonly stats: Stats;
  /** Whether it is a window into the system, such as a file of /proc. */
  readonly isWindow: boolean;
  /** Throws FileFault if `access` has opened another object. */
  confirm(opened: Stats): void;
  close(): void;
}

/** A name in an existing directory; something may have the name or not. */
export interface ReachedName {
  /** The real path of the directory, with the name. */
  readonly place: string;
  /** A path of the same directory, through which its names are used. */
  readonly directory: string;
  readonly name: string;
  /** Whether the directory is in a file system of windows into the system. */
  readonly isWindow: boolean;
  /** Throws FileFault if the directory has moved. */
  confirm(): void;
  close(): void;
}

export interface NodePaths {
  /** Follows all links. Throws the errors of Node. */
  reach(path: string): Reached;
  /** Follows all links except one at the end. Throws the errors of Node. */
  reachName(path: string): ReachedName;
  /** The object that has the name now, links not followed; null if there is none. */
  statName(at: ReachedName): Stats | null;
  /** The real path of the existing part of a path, with the missing part behind it. */
  placeOf(path: string): string;
}
