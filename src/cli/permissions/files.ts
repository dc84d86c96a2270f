// Requests for files: which directories flags allow, and how a wish is put. What counts is where a path really leads;
// the host asks the same of the object that it opens.

import { extname, parse, relative } from 'node:path';
import { FileGrant, Granted } from '../../../runtime-host/api/node.ts';
import type { Grant } from '../../../runtime-host/api/node.ts';
import { FileRequest } from '../../../runtime-host/namespaces/file/requests.ts';
import { lowerAscii } from '../../../runtime-host/primordials/untampered.ts';
import { deniedPlaces } from './denied-constraints.ts';
import { directoryOf, existingDirectory, isInside, isRoot, realName, realPlace } from './places.ts';
import type { FileVerb, PermissionFlags } from './read-flags.ts';
import { show, showFlag, showQuoted } from './show.ts';
import type { Scope, Wish } from './wish.ts';

interface FileKind {
  readonly called: string;
  readonly verb: FileVerb;
  /** What the script wants to do with it. */
  readonly wants: string;
  /** Whether --file-extensions is about it. */
  readonly hasExtension: boolean;
}

export const fileKinds: Readonly<Record<FileRequest['kind'], FileKind>> = {
  'File.Read': { called: 'File.read', verb: 'read', wants: 'read the file', hasExtension: true },
  'File.Write': { called: 'File.write', verb: 'write', wants: 'write the file', hasExtension: true },
  'File.Append': { called: 'File.append', verb: 'write', wants: 'append to the file', hasExtension: true },
  'File.Delete': { called: 'File.delete', verb: 'write', wants: 'delete', hasExtension: true },
  'File.Exists': { called: 'File.exists', verb: 'read', wants: 'know whether there is', hasExtension: true },
  'File.List': { called: 'File.list', verb: 'read', wants: 'list the directory', hasExtension: false },
  'File.Metadata': { called: 'File.metadata', verb: 'read', wants: 'know the size and times of', hasExtension: true },
  'File.CreateDir': { called: 'File.createDir', verb: 'write', wants: 'create the directory', hasExtension: false },
};

const topics = {
  read: { id: 'file-read', text: 'every request to read or list files' },
  write: { id: 'file-write', text: 'every request to change files' },
} as const;

const scopes: Readonly<Record<FileVerb, string>> = {
  read: 'reading and listing everything',
  write: 'writing, creating and deleting everything',
};

/** What the flags grant; null if none covers the request. */
export function grantFile(flags: PermissionFlags, request: FileRequest): Grant | null {
  const { verb } = fileKinds[request.kind];
  const directories = flags.directories[verb];
  if (flags.allowAll) return grantAll(flags, request, directories);
  if (directories.length === 0) return null;
  const place = placeOf(request);
  return directories.some((directory) => isInside(place, directory)) ? grantDirectories(flags, verb, directories) : null;
}

/** A place such as /proc is never allowed but by a directory of its own, so those of the flags are named beside everything. */
function grantAll(flags: PermissionFlags, { kind, resolvedPath }: FileRequest, directories: readonly string[]): Grant {
  const limits = { ...flags.fileLimits, ...deniedPlaces(flags, fileKinds[kind].verb) };
  if (directories.length > 0) return FileGrant({ ...limits, allowedDirectories: [parse(resolvedPath).root, ...directories] });
  return Object.keys(limits).length === 0 ? Granted : FileGrant(limits);
}

function grantDirectories(flags: PermissionFlags, verb: FileVerb, allowedDirectories: readonly string[]): Grant {
  return FileGrant({ ...flags.fileLimits, ...deniedPlaces(flags, verb), ...(verb === 'read' ? { readOnly: true } : {}), allowedDirectories });
}

export function wishForFile(flags: PermissionFlags, request: FileRequest, baseDir: string): Wish {
  const { called, verb, wants } = fileKinds[request.kind];
  const place = placeOf(request);
  const directory = directoryOf(place);
  const existing = existingDirectory(directory);
  const resolved = request.path === request.resolvedPath ? '' : ` (${show(request.resolvedPath)})`;
  return {
    call: `${called} ${showQuoted(request.path)}`,
    text: `${wants} ${showQuoted(request.path)}${resolved}`,
    notes: place === request.resolvedPath ? [] : [`A link leads from there to ${show(place)}.`],
    topic: topics[verb],
    ruledOut: ruleOut(flags, request, place),
    flag: isRoot(existing) && existing !== directory ? null : showFlag(`--allow-file-${verb}=${fromBase(existing, baseDir)}`),
    grant: grantDirectories(flags, verb, [existing]),
    scope: isRoot(directory) ? null : scopeOf(flags, verb, directory),
  };
}

function scopeOf(flags: PermissionFlags, verb: FileVerb, directory: string): Scope {
  return {
    text: `${scopes[verb]} in ${show(directory)} and below`,
    allows: (request) => {
      if (!(request instanceof FileRequest) || fileKinds[request.kind].verb !== verb || !isInside(placeOf(request), directory)) return null;
      return grantDirectories(flags, verb, [existingDirectory(directory)]);
    },
  };
}

/** A link is deleted itself; everything else is done to where it leads. */
export function placeOf({ kind, resolvedPath }: FileRequest): string {
  return kind === 'File.Delete' ? realName(resolvedPath) : realPlace(resolvedPath);
}

function ruleOut({ fileLimits: { readOnly, allowedExtensions } }: PermissionFlags, { kind }: FileRequest, place: string): string | null {
  const { verb, hasExtension } = fileKinds[kind];
  if (verb === 'write' && readOnly === true) return '--file-read-only is given';
  if (!hasExtension || allowedExtensions === undefined || allowedExtensions === null) return null;
  const extension = lowerAscii(extname(place));
  const isAllowed = allowedExtensions.some((allowed) => extension === lowerAscii(allowed.startsWith('.') ? allowed : `.${allowed}`));
  return isAllowed ? null : '--file-extensions leaves it out';
}

/** As short as it can be written on the command line. */
function fromBase(directory: string, baseDir: string): string {
  const base = realPlace(baseDir);
  if (!isInside(directory, base)) return directory;
  const path = relative(base, directory);
  return path === '' ? '.' : path.startsWith('-') ? `./${path}` : path;
}
