// Linux: an object is opened as a handle only (O_PATH), which reads, writes and triggers nothing; /proc/self/fd gives
// the real path of the handle. All later work goes through the handle, so that replacing names or links in between does
// not change the object.

import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readlinkSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { isMissing } from './faults.ts';
import { ownOptions } from '../primordials/own-options.ts';
import type { NodePaths, Reached, ReachedName } from './paths.ts';
import { isWindow } from './windows.ts';
import { FileFault } from '../platform/platform.ts';

/** Node has no constant for it; its value is the same on x64 and arm64. */
const O_PATH = 0o10000000;
const maxLinks = 40;
const orNothing = ownOptions({ throwIfNoEntry: false } as const);

/** Whether this system gives the real paths of handles. */
export function hasHandles(): boolean {
  return process.platform === 'linux' && existsSync('/proc/self/fd');
}

export const linuxPaths: NodePaths = { reach, reachName, statName, placeOf };

function handlePath(handle: number): string {
  return `/proc/self/fd/${handle}`;
}

/** The real path of a handle's object. Throws FileFault if the object has none any more. */
function placeOfHandle(handle: number, stats: Stats): string {
  const place = readlinkSync(handlePath(handle));
  // A pipe or socket has a name such as `pipe:[1]`; the name of a deleted file ends in ` (deleted)`.
  if (place[0] !== '/') throw new FileFault('not-a-file');
  if (stats.nlink === 0) throw new FileFault('not-found');
  return place;
}

function reach(path: string): Reached {
  const handle = openSync(path, O_PATH);
  try {
    const stats = fstatSync(handle);
    return {
      place: placeOfHandle(handle, stats),
      access: handlePath(handle),
      openFlags: 0,
      stats,
      isWindow: isWindow(handlePath(handle), stats.dev),
      confirm: () => {},
      close: () => closeSync(handle),
    };
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

function reachName(path: string): ReachedName {
  const { directory, name } = split(path);
  const handle = openSync(directory, O_PATH | constants.O_DIRECTORY);
  try {
    const stats = fstatSync(handle);
    const real = placeOfHandle(handle, stats);
    return {
      place: join(real, name),
      directory: handlePath(handle),
      name,
      isWindow: isWindow(handlePath(handle), stats.dev),
      confirm: () => {
        if (placeOfHandle(handle, fstatSync(handle)) !== real) throw new FileFault('busy');
      },
      close: () => closeSync(handle),
    };
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

function statName({ directory, name }: ReachedName): Stats | null {
  return lstatSync(join(directory, name), orNothing) ?? null;
}

function placeOf(path: string): string {
  return followMissing(path, { links: 0 });
}

/** `walk` counts the links of the whole path: if there are too many, the place of the last one is the answer. */
function followMissing(path: string, walk: { links: number }): string {
  if (path === '/') return '/';
  const found = tryReal(path);
  if (found !== null) return found;
  const { directory, name } = split(path);
  const parent = followMissing(directory, walk);
  const place = name === '..' ? split(parent).directory : join(parent, name);
  const target = tryReadLink(place);
  if (target === null || walk.links === maxLinks) return place;
  walk.links += 1;
  return followMissing(target[0] === '/' ? target : join(parent, target), walk);
}

function tryReal(path: string): string | null {
  let handle: number;
  try {
    handle = openSync(path, O_PATH);
  } catch {
    return null;
  }
  try {
    return placeOfHandle(handle, fstatSync(handle));
  } catch (error) {
    if (error instanceof FileFault || isMissing(error)) return null;
    throw error;
  } finally {
    closeSync(handle);
  }
}

function tryReadLink(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

/** Splits a path at its last slash, without slashes at its end. */
function split(path: string): { readonly directory: string; readonly name: string } {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  let slash = end - 1;
  while (slash >= 0 && path[slash] !== '/') slash--;
  const name = path.slice(slash + 1, end);
  if (name === '.') return split(path.slice(0, slash));
  return { directory: slash <= 0 ? '/' : path.slice(0, slash), name };
}

function join(directory: string, name: string): string {
  return directory === '/' ? `/${name}` : `${directory}/${name}`;
}
