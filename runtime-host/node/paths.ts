// Reaching objects of the file system so that what was checked is what is used. `node-paths-linux.ts` holds on to the
// object itself; `node-paths-portable.ts` looks before and after, where the system offers nothing better.

import type { Stats } from 'node:fs';

/** An object that exists. */
export interface Reached {
  /** Its real path: nothing in it is a link. */
  readonly place: string;
  /** A path by which it is opened or listed, and flags that opening it needs. */
  readonly access: string;
  readonly openFlags: number;
  readonly stats: Stats;
  /** Whether it is a window into the system, such as a file of /proc. */
  readonly isWindow: boolean;
  /** Throws FileFault if what was opened by `access` is another object. */
  confirm(opened: Stats): void;
  close(): void;
}

/** A name in a directory that exists; whether something has the name is not said. */
export interface ReachedName {
  /** Real path of the directory, and the name. */
  readonly place: string;
  /** A path of the same directory by which its names are used. */
  readonly directory: string;
  readonly name: string;
  /** Whether the directory is in a file system of such windows. */
  readonly isWindow: boolean;
  /** Throws FileFault if the directory is not where it was. */
  confirm(): void;
  close(): void;
}

export interface NodePaths {
  /** Follows all links. Throws the errors of Node. */
  reach(path: string): Reached;
  /** Follows all links but a last one. Throws the errors of Node. */
  reachName(path: string): ReachedName;
  /** What a name stands for at the moment, without following it; null if there is nothing. */
  statName(at: ReachedName): Stats | null;
  /** Where a path leads, as far as there is something, with what is missing behind that. */
  placeOf(path: string): string;
}
