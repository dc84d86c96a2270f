// What a grant's constraints say about a path and about the object that it leads to.

import type { CallScope } from '../call-scope.ts';
import { Failure } from '../../errors/failures.ts';
import type { FileLimits } from './grant.ts';
import { lastIndexInText, lowerAscii, sliceText } from '../../primordials/untampered.ts';
import type { FileRules, FileSystem } from '../../platform/platform.ts';

/** A call of the File namespace under its grant. */
export interface GrantedCall {
  /** `File.read`, for messages. */
  readonly called: string;
  readonly limits: FileLimits;
  /** Real paths of the allowed directories, as far as they exist; null for no restriction. */
  readonly roots: readonly string[] | null;
  /** Where the denied directories lie, or would; null for none. */
  readonly denied: readonly string[] | null;
  /** Whether the constraint on extensions is about this call: not for those that are about directories. */
  readonly checksExtension: boolean;
  /** Whether it takes a name away, which no allowed directory loses itself. */
  readonly removes: boolean;
}

/** The rules for the platform. */
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
      // Nobody can say where the others lie.
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

/** Inside an allowed directory; a special directory, or a window, must be among the allowed itself, or hold one. */
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

/** The special directory that the path lies in. */
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

/** What stands behind the last dot, in lower case; null without a dot, or where the only dot begins the name. */
function extensionOf(path: string): string | null {
  const slash = Math.max(lastIndexInText(path, '/'), lastIndexInText(path, '\\'));
  const name = sliceText(path, slash + 1);
  const dot = lastIndexInText(name, '.');
  return dot <= 0 ? null : lowerAscii(sliceText(name, dot + 1));
}

export function violation({ called }: Pick<GrantedCall, 'called'>, what: string): Failure {
  return new Failure('SecurityError', `${called} denied: ${what}`);
}
