// The checks of a grant's constraints on a path and on the object that it leads to.

import type { CallScope } from '../call-scope.ts';
import { Failure } from '../../errors/failures.ts';
import type { FileLimits } from './grant.ts';
import { lastIndexInText, lowerAscii, sliceText } from '../../primordials/untampered.ts';
import type { FileRules, FileSystem } from '../../platform/platform.ts';

/** A call of the File namespace with its grant. */
export interface GrantedCall {
  /** `File.read`, for messages. */
  readonly called: string;
  readonly limits: FileLimits;
  /** Real paths of the allowed directories that exist; null for no restriction. */
  readonly roots: readonly string[] | null;
  /** Places of the denied directories, existing or not; null for none. */
  readonly denied: readonly string[] | null;
  /** Whether the constraint on extensions applies: not to calls about directories. */
  readonly checksExtension: boolean;
  /** Whether the call removes a name: then an allowed directory itself is refused. */
  readonly removes: boolean;
}

/** The rules that the platform calls. */
export function makeRules(files: FileSystem, call: GrantedCall, { throwIfOver, read }: CallScope): FileRules {
  return {
    checkPlace: (realPath, _kind, isWindow = false) => {
      checkDenied(files, call, realPath);
      checkDirectories(files, call, realPath, isWindow);
      checkExtension(call, realPath);
    },
    checkSize: (bytes) => {
      const { maxBytes } = call.limits;
      if (maxBytes !== null && bytes > maxBytes) throw violation(call, 'larger than maxBytes');
    },
    checkNames: (count) => {
      // The other names of the file may be outside of the allowed directories.
      if (count > 1 && call.roots !== null)
        throw violation(call, 'it has another name, which may lie outside allowedDirectories');
      if (count > 1 && call.denied !== null)
        throw violation(call, 'it has another name, which may lie inside deniedDirectories');
    },
    read,
    throwIfOver,
  };
}

function checkDenied(files: FileSystem, call: GrantedCall, path: string): void {
  const { denied } = call;
  for (let at = 0; denied !== null && at < denied.length; at++)
    if (files.isInside(path, denied[at]!)) throw violation(call, 'inside deniedDirectories');
}

/**
 * Requires an allowed directory that contains the path. Inside a special directory, the allowed one must be that
 * special directory or lie inside it; for a window, the allowed directory must be a window too.
 */
export function checkDirectories(files: FileSystem, call: GrantedCall, path: string, isWindow = false): void {
  const { roots } = call;
  const special = findSpecial(files, path);
  if (special === null && !isWindow && roots === null) return;
  let isRoot = false;
  for (let at = 0; roots !== null && at < roots.length; at++) {
    const root = roots[at]!;
    if (!files.isInside(path, root)) continue;
    if (special !== null ? !files.isInside(root, special) : isWindow && files.isWindow?.(root) !== true) continue;
    if (!call.removes || !files.isInside(root, path)) return;
    isRoot = true;
  }
  throw violation(call, isRoot ? 'it is one of allowedDirectories itself' : 'outside allowedDirectories');
}

/** The special directory that contains the path. */
export function findSpecial(files: FileSystem, path: string): string | null {
  for (let at = 0; at < files.specialDirectories.length; at++) {
    const special = files.specialDirectories[at]!;
    if (files.isInside(path, special)) return special;
  }
  return null;
}

export function checkExtension(call: GrantedCall, path: string): void {
  if (call.checksExtension && !hasAllowedExtension(call.limits, path))
    throw violation(call, 'outside allowedExtensions');
}

/** Whether the last name of a path has one of the extensions. */
export function hasAllowedExtension({ allowedExtensions }: FileLimits, path: string): boolean {
  if (allowedExtensions === null) return true;
  const extension = extensionOf(path);
  for (let at = 0; at < allowedExtensions.length; at++) if (allowedExtensions[at] === extension) return true;
  return false;
}

/** The text behind the last dot, in lower case; null without a dot, or if the only dot begins the name. */
function extensionOf(path: string): string | null {
  const slash = Math.max(lastIndexInText(path, '/'), lastIndexInText(path, '\\'));
  const name = sliceText(path, slash + 1);
  const dot = lastIndexInText(name, '.');
  return dot <= 0 ? null : lowerAscii(sliceText(name, dot + 1));
}

export function violation({ called }: Pick<GrantedCall, 'called'>, what: string): Failure {
  return new Failure('SecurityError', `${called} denied: ${what}`);
}
