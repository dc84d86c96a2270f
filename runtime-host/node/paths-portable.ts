// Systems without such handles: the real path is looked up, and after opening, the object must be the same and still at
// the same place. A process that replaces directories at the right moment can still make the host touch a name
// elsewhere, as the documentation says; but nothing unchecked is read.

import { constants, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { dirname, basename, join, resolve } from 'node:path';
import { ownOptions } from '../primordials/own-options.ts';
import type { NodePaths, Reached, ReachedName } from './paths.ts';
import { isWindow } from './windows.ts';
import { FileFault } from '../platform/platform.ts';

const maxLinks = 40;
const orNothing = ownOptions({ throwIfNoEntry: false } as const);

export const portablePaths: NodePaths = { reach, reachName, statName, placeOf };

function reach(path: string): Reached {
  const place = realpathSync.native(path);
  // A real path has no links: if it is one now, somebody has just made it.
  const stats = lstatSync(place);
  if (stats.isSymbolicLink()) throw new FileFault('busy');
  return {
    place,
    access: place,
    openFlags: constants.O_NOFOLLOW ?? 0,
    stats,
    isWindow: isWindow(place, stats.dev),
    confirm: (opened) => {
      const isSame = opened.dev === stats.dev && opened.ino === stats.ino;
      if (!isSame || realpathSync.native(path) !== place) throw new FileFault('busy');
    },
    close: () => {},
  };
}

function reachName(path: string): ReachedName {
  const directory = realpathSync.native(dirname(path));
  const before = statSync(directory);
  const name = basename(path);
  return {
    place: join(directory, name),
    directory,
    name,
    isWindow: isWindow(directory, before.dev),
    confirm: () => {
      const after = statSync(directory);
      if (after.dev !== before.dev || after.ino !== before.ino || realpathSync.native(directory) !== directory)
        throw new FileFault('busy');
    },
    close: () => {},
  };
}

function statName({ directory, name }: ReachedName): Stats | null {
  return lstatSync(join(directory, name), orNothing) ?? null;
}

function placeOf(path: string): string {
  return followMissing(path, { links: 0 });
}

function followMissing(path: string, walk: { links: number }): string {
  const parentPath = dirname(path);
  if (parentPath === path) return path;
  try {
    return realpathSync.native(path);
  } catch {
    const parent = followMissing(parentPath, walk);
    const place = join(parent, basename(path));
    const target = tryReadLink(place);
    if (target === null || walk.links === maxLinks) return place;
    walk.links += 1;
    return followMissing(resolve(parent, target), walk);
  }
}

function tryReadLink(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
