// Folders and files that only the caller, or root, can have written: their content may be run later. Every directory on
// the path counts, since whoever can rename one can replace it.

import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
} from 'node:fs';
import type { Stats } from 'node:fs';
import { dirname, join, parse, resolve, sep } from 'node:path';
import { isPrivateGroup } from './private-group.ts';

/** Why a path is not used, in words that follow its name: `belongs to another user`. */
export class Doubt {
  readonly path: string;
  readonly text: string;

  constructor(path: string, text: string) {
    this.path = path;
    this.text = text;
  }
}

const mostLinks = 40;
const writableByOthers = 0o022;
const accessibleByOthers = 0o077;
const sticky = 0o1000;

/**
 * The real path of a directory that belongs to the caller alone; missing directories are made. Null if it cannot be
 * made; a Doubt if somebody else could have written to it.
 */
export function openOwnFolder(path: string): string | Doubt | null {
  const start = resolve(path);
  let place = parse(start).root;
  const doubtOfRoot = doubtOnWay(place, lstatSync(place));
  if (doubtOfRoot !== null) return doubtOfRoot;
  const rest = namesOf(start);
  for (let links = 0; rest.length > 0;) {
    const name = rest.shift()!;
    if (name === '..') {
      place = dirname(place);
      continue;
    }
    const next = join(place, name);
    const stats = lookOrMake(next);
    if (stats === null) return null;
    const doubt = rest.length > 0 || stats.isSymbolicLink() ? doubtOnWay(next, stats) : doubtOfFolder(next, stats);
    if (doubt !== null) return doubt;
    if (stats.isSymbolicLink()) {
      if (rest.length === 0) return new Doubt(next, 'is a link');
      if (++links > mostLinks) return null;
      const target = readlinkSync(next);
      if (parse(target).root !== '') place = parse(target).root;
      rest.unshift(...namesOf(target));
      continue;
    }
    if (!stats.isDirectory()) return null;
    place = next;
  }
  try {
    if (isKnown() && (lstatSync(place).mode & accessibleByOthers) !== 0) chmodSync(place, 0o700);
  } catch {
    return null;
  }
  return place;
}

/**
 * The content of a file of the caller's own in such a folder. Null if there is none that can be read; a Doubt if it
 * belongs to somebody else, is not a regular file, has another hard link, or is larger than `maxBytes`.
 */
export function readOwnFile(path: string, maxBytes: number): Buffer | Doubt | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code } = error as { code?: unknown };
    return code === 'ELOOP' ? new Doubt(path, 'is a link') : null;
  }
  try {
    const stats = fstatSync(descriptor);
    if (stats.size > maxBytes) return new Doubt(path, 'is too large');
    return doubtOfFile(path, stats) ?? readFileSync(descriptor);
  } catch {
    return null;
  } finally {
    closeSync(descriptor);
  }
}

/** Why a file is not one of the caller's own; null if it is. */
export function doubtOfFile(path: string, stats: Stats): Doubt | null {
  if (stats.isSymbolicLink()) return new Doubt(path, 'is a link');
  if (!stats.isFile()) return new Doubt(path, 'is no file');
  if (!isKnown()) return null;
  if (!isOwn(stats)) return new Doubt(path, 'belongs to another user');
  if (stats.nlink > 1) return new Doubt(path, 'has another name too');
  return (stats.mode & writableByOthers) === 0 ? null : new Doubt(path, 'can be changed by other users');
}

/** Checks a directory or link on the path to the folder: only the caller and root may replace it or its entries. */
function doubtOnWay(path: string, stats: Stats): Doubt | null {
  if (!isKnown()) return null;
  if (!isOwn(stats) && stats.uid !== 0) return new Doubt(path, 'belongs to another user');
  // In a sticky directory everybody may add names, but replace only their own.
  const isOpen = stats.isDirectory() && isWritableByOthers(stats) && (stats.mode & sticky) === 0;
  return isOpen ? new Doubt(path, 'can be changed by other users') : null;
}

/** A group counts as the caller if nobody else is in it. */
function isWritableByOthers({ mode, gid, uid }: Stats): boolean {
  if ((mode & 0o002) !== 0) return true;
  return (mode & 0o020) !== 0 && !(uid === process.geteuid!() && isPrivateGroup(gid, uid));
}

function doubtOfFolder(path: string, stats: Stats): Doubt | null {
  if (!isKnown() || !stats.isDirectory()) return null;
  if (!isOwn(stats)) return new Doubt(path, 'belongs to another user');
  return (stats.mode & writableByOthers) === 0 ? null : new Doubt(path, 'can be changed by other users');
}

/**
 * Whether the system has owners and permission bits: Windows has access lists, and its profiles are closed to others.
 */
function isKnown(): boolean {
  return process.geteuid !== undefined;
}

function isOwn({ uid }: Stats): boolean {
  return uid === process.geteuid!();
}

function lookOrMake(path: string): Stats | null {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found !== undefined) return found;
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process has made it first; it is checked like everything else.
    if ((error as { code?: unknown }).code !== 'EEXIST') return null;
  }
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}

function namesOf(path: string): string[] {
  return path
    .slice(parse(path).root.length)
    .split(sep)
    .filter((name) => name !== '' && name !== '.');
}
