// Node's file system for the permission bridge. Only this file, paths*.ts and file-content.ts touch files. Each
// operation reaches an object, asks the rules about its real place, and then uses that object.

import { randomUUID } from 'node:crypto';
import { mkdirSync, opendirSync, rmdirSync, unlinkSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { isAbsolute, resolve, sep } from 'node:path';
import { proceed } from '../errors/failures.ts';
import type { Awaitable } from '../errors/failures.ts';
import { beginsWith } from '../primordials/untampered.ts';
import { appendBytes, readText, replaceFile } from './file-content.ts';
import { faultOf, isMissing, saysAbsent } from './faults.ts';
import { hasHandles, linuxPaths } from './paths-linux.ts';
import { portablePaths } from './paths-portable.ts';
import type { NodePaths, Reached, ReachedName } from './paths.ts';
import { isBelowWindow, isWindow, listWindows } from './windows.ts';
import { FileFault, maxListedEntries } from '../platform/platform.ts';
import type { DirectoryEntry, FileMetadata, FileRules, FileSystem } from '../platform/platform.ts';

const maxLinks = 40;
/** With all options set: Node would read missing ones from Object.prototype. */
const listing = { encoding: 'utf8', bufferSize: 1_024, recursive: false } as const;

/** The files of this machine. Relative paths start at `baseDir`, even if the working directory changes. */
export function createNodeFiles(
  baseDir: string,
  paths: NodePaths = hasHandles() ? linuxPaths : portablePaths,
): FileSystem {
  /** Reaches an object and works on it. For a missing object the rules are asked before the fault is reported. */
  const withObject = <Result>(
    path: string,
    rules: FileRules,
    work: (object: Reached) => Awaitable<Result>,
  ): Awaitable<Result> =>
    guarded(() => {
      let object: Reached;
      try {
        object = paths.reach(path);
      } catch (error) {
        checkMissing(paths, path, rules);
        throw error;
      }
      return closing(object, () => {
        checkReached(object, rules);
        return work(object);
      });
    });

  return {
    resolve: (path) => resolve(baseDir, path),
    isAbsolute,
    isInside: (path, directory) =>
      path === directory || beginsWith(path, directory[directory.length - 1] === sep ? directory : directory + sep),
    specialDirectories: process.platform === 'win32' ? [] : ['/proc', '/sys', '/dev', ...listWindows()],
    isWindow: (path) => isWindow(path),
    placeOf: (path) => paths.placeOf(path),
    realPath: (path) => {
      try {
        const object = paths.reach(path);
        object.close();
        return object.stats.isDirectory() ? object.place : null;
      } catch {
        return null;
      }
    },

    read: (path, rules) =>
      withObject(path, rules, (object) => {
        mustBeFile(object.stats);
        rules.checkSize(object.stats.size);
        return readText(object, rules);
      }),

    append: (path, content, rules) =>
      withObject(path, rules, (object) => {
        mustBeFile(object.stats);
        rules.checkSize(object.stats.size + content.length);
        return appendBytes(object, content, rules);
      }),

    write: (path, content, rules) => guarded(() => writeFollowing(paths, path, content, rules, 0)),

    delete: (path, rules) =>
      guarded(() => {
        const at = reachNameOrFail(paths, path, rules);
        return closing(at, () => {
          const stats = paths.statName(at);
          rules.checkPlace(at.place, kindOf(stats), at.isWindow);
          if (stats === null) throw new FileFault('not-found');
          checkSpelling(paths, at, stats, rules);
          at.confirm();
          rules.throwIfOver();
          if (stats.isDirectory()) rmdirSync(`${at.directory}/${at.name}`);
          else unlinkSync(`${at.directory}/${at.name}`);
        });
      }),

    exists: (path, rules) =>
      guarded(() => {
        try {
          return closing(paths.reach(path), (object) => {
            checkReached(object, rules);
            return true;
          });
        } catch (error) {
          if (!isFileSystemError(error)) throw error;
          checkMissing(paths, path, rules);
          if (!saysAbsent(error)) throw error;
          return false;
        }
      }),

    list: (path, rules) =>
      withObject(path, rules, (object) => {
        if (!object.stats.isDirectory()) throw new FileFault('not-directory');
        return listEntries(object, rules);
      }),

    metadata: (path, rules) => withObject(path, rules, ({ stats }) => describe(stats)),

    createDirectory: (path, rules) => guarded(() => createDirectories(paths, path, rules)),
  };
}

function checkReached({ place, stats, isWindow }: Reached, rules: FileRules): void {
  rules.checkPlace(place, stats.isDirectory() ? 'directory' : 'file', isWindow);
}

/**
 * A name may have several spellings, for example another case: the rules are also asked about the spelling on the disk.
 */
function checkSpelling(paths: NodePaths, { place, isWindow }: ReachedName, stats: Stats, rules: FileRules): void {
  const real = stats.isSymbolicLink() ? place : paths.placeOf(place);
  if (real !== place) rules.checkPlace(real, kindOf(stats), isWindow);
}

function checkMissing(paths: NodePaths, path: string, rules: FileRules): void {
  const place = paths.placeOf(path);
  rules.checkPlace(place, 'missing', isBelowWindow(place));
}

/** Follows a link at the end of the path itself, so that its target is what the rules check and what is replaced. */
function writeFollowing(
  paths: NodePaths,
  path: string,
  content: Uint8Array,
  rules: FileRules,
  links: number,
): Awaitable<void> {
  const at = reachNameOrFail(paths, path, rules);
  return closing(at, () => {
    const stats = paths.statName(at);
    if (stats?.isSymbolicLink() === true) {
      const target = paths.placeOf(at.place);
      rules.checkPlace(target, 'missing', isBelowWindow(target));
      if (links === maxLinks || target === at.place) throw new FileFault('too-many-links');
      return writeFollowing(paths, target, content, rules, links + 1);
    }
    rules.checkPlace(at.place, kindOf(stats), at.isWindow);
    rules.checkSize(content.length);
    if (stats === null) return replaceFile(at, null, content, rules, randomUUID);
    mustBeFile(stats);
    // Reached through the directory that was checked; if a link has replaced the name meanwhile, its target is not at
    // this place.
    return closing(paths.reach(`${at.directory}/${at.name}`), (old) => {
      if (old.place !== at.place) throw new FileFault('busy');
      mustBeFile(old.stats);
      rules.checkNames(old.stats.nlink);
      return replaceFile(at, old, content, rules, randomUUID);
    });
  });
}

function reachNameOrFail(paths: NodePaths, path: string, rules: FileRules) {
  try {
    return paths.reachName(path);
  } catch (error) {
    checkMissing(paths, path, rules);
    throw error;
  }
}

/** Makes directories one by one from the deepest existing one on; the rules are asked before each. */
function createDirectories(paths: NodePaths, path: string, rules: FileRules): void {
  const place = paths.placeOf(path);
  rules.checkPlace(place, 'missing', isBelowWindow(place));
  const missing: string[] = [];
  let existing = place;
  for (;;) {
    try {
      const object = paths.reach(existing);
      object.close();
      if (object.place !== existing) throw new FileFault('busy');
      if (!object.stats.isDirectory()) throw new FileFault('not-directory');
      break;
    } catch (error) {
      if (!isMissing(error)) throw error;
      missing.unshift(existing);
      existing = resolve(existing, '..');
    }
  }
  for (const next of missing) {
    // It is synchronous: making a directory waits for nothing.
    void closing(paths.reachName(next), (at) => {
      if (at.place !== next) throw new FileFault('busy');
      rules.checkPlace(at.place, 'missing', at.isWindow);
      at.confirm();
      rules.throwIfOver();
      makeDirectory(`${at.directory}/${at.name}`);
    });
  }
}

/** Another process may have made the directory meanwhile; if the name is something else, the next step fails. */
function makeDirectory(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
  }
}

/** After so many entries, the rules are asked whether more may be read. */
const entriesAtOnce = 4_096;
/** The memory of an entry besides its name. */
const entryBytes = 64;

function listEntries(reached: Reached, rules: FileRules): Awaitable<DirectoryEntry[]> {
  const directory = opendirSync(reached.access, listing);
  return closing({ close: () => directory.closeSync() }, () => {
    const entries: DirectoryEntry[] = [];
    const goOn = (): Awaitable<DirectoryEntry[]> => {
      let bytes = 0;
      for (let at = 0; at < entriesAtOnce; at++) {
        const entry = directory.readSync();
        if (entry === null) {
          reached.confirm(reached.stats);
          return proceed(rules.read(bytes), () => entries);
        }
        if (entries.length === maxListedEntries) throw new FileFault('too-many-entries');
        entries.push({ name: entry.name, isDirectory: entry.isDirectory() });
        bytes += entry.name.length + entryBytes;
      }
      return proceed(rules.read(bytes), goOn);
    };
    return goOn();
  });
}

function describe(stats: Stats): FileMetadata {
  const type = stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other';
  return { size: stats.size, modified: Math.floor(stats.mtimeMs), created: Math.floor(stats.birthtimeMs), type };
}

function mustBeFile(stats: Stats): void {
  if (stats.isDirectory()) throw new FileFault('is-directory');
  if (!stats.isFile()) throw new FileFault('not-a-file');
}

function kindOf(stats: Stats | null): 'file' | 'directory' | 'missing' {
  return stats === null ? 'missing' : stats.isDirectory() ? 'directory' : 'file';
}

function isFileSystemError(error: unknown): boolean {
  return faultOf(error) instanceof FileFault || error instanceof FileFault;
}

/** Converts Node's errors to faults. */
function guarded<Result>(work: () => Awaitable<Result>): Awaitable<Result> {
  const fail = (error: unknown): never => {
    throw faultOf(error);
  };
  try {
    const result = work();
    return result instanceof Promise ? result.catch(fail) : result;
  } catch (error) {
    return fail(error);
  }
}

/** Closes the reached object when the work is done, however it ends. */
function closing<Held extends { close(): void }, Result>(
  held: Held,
  work: (held: Held) => Awaitable<Result>,
): Awaitable<Result> {
  let result: Awaitable<Result>;
  try {
    result = work(held);
  } catch (error) {
    held.close();
    throw error;
  }
  if (!(result instanceof Promise)) {
    held.close();
    return result;
  }
  return result.finally(() => held.close());
}
