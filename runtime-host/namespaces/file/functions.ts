// The File namespace. It checks the text, asks for permission, reads the grant and checks the path; only then it calls
// the platform's file system, which checks the rules again for the object that it has opened.

import type { CallScope } from '../call-scope.ts';
import { Failure, proceed } from '../../errors/failures.ts';
import type { Awaitable } from '../../errors/failures.ts';
import { fileFaults } from './faults.ts';
import { readFileGrant } from './grant.ts';
import type { FileLimits } from './grant.ts';
import { requests } from './requests.ts';
import type { AnyFileRequest } from './requests.ts';
import { checkDirectories, checkExtension, findSpecial, hasAllowedExtension, makeRules, violation } from './rules.ts';
import type { GrantedCall } from './rules.ts';
import { checkText, maxPathLength } from '../../permissions/texts.ts';
import { indexInText, isInstance, sliceText } from '../../primordials/untampered.ts';
import { FileFault } from '../../platform/platform.ts';
import type { DirectoryEntry, FileRules, FileSystem } from '../../platform/platform.ts';
import { encoded } from '../encoded.ts';
import type { GuardedNamespace } from '../namespace.ts';

export interface FileHost {
  /** Null if there are no files. */
  readonly files: FileSystem | null;
  /** Throws, or rejects with, a Failure if the request is denied. */
  readonly ask: (request: AnyFileRequest, called: string) => Awaitable<FileLimits>;
  /** The real path of an allowed directory, resolved once; null if the directory does not exist. */
  readonly realRoot: (directory: string) => Awaitable<string | null>;
}

interface Operation {
  readonly called: string;
  readonly request: new (path: string, resolvedPath: string) => AnyFileRequest;
  /** Whether a read-only grant refuses the operation. */
  readonly changes: boolean;
  readonly checksExtension: boolean;
  readonly removes?: true;
}

const operations = {
  read: { called: 'File.read', request: requests.Read, changes: false, checksExtension: true },
  write: { called: 'File.write', request: requests.Write, changes: true, checksExtension: true },
  append: { called: 'File.append', request: requests.Append, changes: true, checksExtension: true },
  delete: { called: 'File.delete', request: requests.Delete, changes: true, checksExtension: true, removes: true },
  exists: { called: 'File.exists', request: requests.Exists, changes: false, checksExtension: true },
  list: { called: 'File.list', request: requests.List, changes: false, checksExtension: false },
  metadata: { called: 'File.metadata', request: requests.Metadata, changes: false, checksExtension: true },
  createDir: { called: 'File.createDir', request: requests.CreateDir, changes: true, checksExtension: false },
} as const satisfies Readonly<Record<string, Operation>>;

/** The functions of the namespace; they throw, or reject with, a Failure. */
export function fileFunctions(host: FileHost) {
  const perform = <Result>(
    operation: Operation,
    scope: CallScope,
    path: string,
    work: (files: FileSystem, target: string, rules: FileRules, limits: FileLimits) => Awaitable<Result>,
  ): Awaitable<Result> => {
    const { files } = host;
    const { called, request, changes, checksExtension, removes = false } = operation;
    checkText(path, 'path', called, maxPathLength);
    if (path === '') throw violation(operation, 'the path is empty');
    if (files === null) throw violation(operation, 'this host has no files');
    const resolved = files.resolve(path);
    return proceed(host.ask(new request(path, resolved), called), (limits) => {
      if (changes && limits.readOnly) throw violation(operation, 'readOnly');
      const target = targetOf(files, operation, resolved, limits);
      const extensionCall: GrantedCall = { called, limits, roots: null, denied: null, checksExtension, removes };
      checkExtension(extensionCall, target);
      return proceed(findPlaces(host, files, limits), ({ roots, denied }) => {
        const call: GrantedCall = { called, limits, roots, denied, checksExtension, removes };
        // To open such a file may already have an effect, so it is refused by its name.
        if (findSpecial(files, target) !== null) checkDirectories(files, call, target);
        if (changes) scope.throwIfOver();
        return translated(() => work(files, target, makeRules(files, call, scope), limits), called, path);
      });
    });
  };
  return {
    read: (scope: CallScope, path: string) =>
      perform(operations.read, scope, path, (files, target, rules) => files.read(target, rules)),
    write: (scope: CallScope, path: string, content: string) =>
      perform(operations.write, scope, path, (files, target, rules) =>
        encoded(scope, content, (bytes) => files.write(target, bytes, rules)),
      ),
    append: (scope: CallScope, path: string, content: string) =>
      perform(operations.append, scope, path, (files, target, rules) =>
        encoded(scope, content, (bytes) => files.append(target, bytes, rules)),
      ),
    delete: (scope: CallScope, path: string) =>
      perform(operations.delete, scope, path, (files, target, rules) => files.delete(target, rules)),
    exists: (scope: CallScope, path: string) =>
      perform(operations.exists, scope, path, (files, target, rules) => files.exists(target, rules)),
    list: (scope: CallScope, path: string) =>
      perform(operations.list, scope, path, (files, target, rules, limits) =>
        proceed(files.list(target, rules), (entries) => namesOf(entries, limits)),
      ),
    metadata: (scope: CallScope, path: string) =>
      perform(operations.metadata, scope, path, (files, target, rules) =>
        proceed(files.metadata(target, rules), (metadata) => JSON.stringify(metadata)),
      ),
    createDir: (scope: CallScope, path: string) =>
      perform(operations.createDir, scope, path, (files, target, rules) => files.createDirectory(target, rules)),
  };
}

export const namespace: GuardedNamespace = {
  fault: 'FileError',
  bind: (capabilities, ask) =>
    fileFunctions({
      files: capabilities.platform.files,
      ask: (request, called) => ask(request, called, readFileGrant),
      realRoot: (directory) => capabilities.realRoot(directory),
    }),
};

/** The path that is used: that of the script, or the one by which the grant replaces it. */
function targetOf(files: FileSystem, operation: Operation, resolved: string, { rewrittenPath }: FileLimits): string {
  if (rewrittenPath === null) return resolved;
  if (!files.isAbsolute(rewrittenPath) || indexInText(rewrittenPath, '\0') >= 0)
    throw violation(operation, 'the host does not permit it');
  return files.resolve(rewrittenPath);
}

/**
 * The real paths of the allowed directories that exist, and of the denied ones, existing or not: both by their names
 * and by where these lead now.
 */
function findPlaces(
  { realRoot }: FileHost,
  files: FileSystem,
  { allowedDirectories, deniedDirectories }: FileLimits,
): Awaitable<Pick<GrantedCall, 'roots' | 'denied'>> {
  return proceed(findEach(files, allowedDirectories, realRoot, false), (roots) =>
    proceed(
      findEach(files, deniedDirectories, (path) => files.placeOf(path), true),
      (denied) => ({ roots, denied }),
    ),
  );
}

function findEach(
  files: FileSystem,
  directories: readonly string[] | null,
  find: (path: string) => Awaitable<string | null>,
  withNames: boolean,
): Awaitable<readonly string[] | null> {
  if (directories === null) return null;
  const places: string[] = [];
  const next = (at: number): Awaitable<readonly string[]> => {
    if (at === directories.length) return places;
    const path = files.resolve(directories[at]!);
    if (withNames) places[places.length] = path;
    return proceed(find(path), (place) => {
      if (place !== null) places[places.length] = place;
      return next(at + 1);
    });
  };
  return next(0);
}

/** Converts faults of the platform into errors of the language; `path` is the script's text. */
function translated<Result>(work: () => Awaitable<Result>, called: string, path: string): Awaitable<Result> {
  const fail = (error: unknown): never => {
    if (isInstance(error, FileFault))
      throw new Failure('FileError', `${called} failed: ${fileFaults[error.code]}: ${clip(path)}`);
    throw error;
  };
  try {
    const result = work();
    return result instanceof Promise ? result.catch(fail) : result;
  } catch (error) {
    return fail(error);
  }
}

/** Keeps the beginning and the end of a long path; characters stay whole. */
function clip(path: string): string {
  return path.length <= 200 ? path : `${sliceText(path, 0, 80)}…${sliceText(path, -100)}`.toWellFormed();
}

function namesOf(entries: readonly DirectoryEntry[], limits: FileLimits): readonly string[] {
  return entries
    .filter(({ name, isDirectory }) => isDirectory || hasAllowedExtension(limits, name))
    .map(({ name }) => name)
    .sort(byCodePoint);
}

/** Needed because UTF-16 code units order surrogates before U+E000 to U+FFFF, and code points do not. */
function byCodePoint(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let at = 0; at < end; at++) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (left !== right) return weight(left) - weight(right);
  }
  return a.length - b.length;
}

function weight(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
