// Places in the file system, for the flags and questions about files: where a path really leads, and which directory
// contains it. Nothing is decided here: the host checks again what it opens.

import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, parse, relative, sep } from 'node:path';

/** Whether a path is the directory or lies below it; both paths are absolute. */
export function isInside(path: string, directory: string): boolean {
  const rest = relative(directory, path);
  return rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest);
}

/**
 * The real path of an existing object, with links followed; for a missing object, the real path at which it would be
 * made.
 */
export function realPlace(path: string): string {
  for (let above = path, rest = ''; ; rest = join(basename(above), rest), above = dirname(above)) {
    const real = tryReal(above);
    if (real !== null) return join(real, rest);
    if (above === dirname(above)) return path;
  }
}

/** As realPlace, but a link at the end of the path is not followed. */
export function realName(path: string): string {
  return isRoot(path) ? path : join(realPlace(dirname(path)), basename(path));
}

/** The directory itself if the real path is one, otherwise the directory that contains it. */
export function directoryOf(place: string): string {
  return isDirectory(place) ? place : dirname(place);
}

/** The directory itself, or the nearest above it that exists. */
export function existingDirectory(directory: string): string {
  let above = directory;
  while (!isDirectory(above) && !isRoot(above)) above = dirname(above);
  return above;
}

/** The root of the file system, or of a drive. */
export function isRoot(path: string): boolean {
  return path === parse(path).root;
}

function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function tryReal(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}
