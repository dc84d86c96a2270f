// Requests for files: which directories flags allow and deny, and how a person is asked. The real path counts; the host
// checks the object that it opens in the same way.

import { extname, parse, relative } from 'node:path';
import { Granted } from '../../../permissions/grants.ts';
import type { Grant } from '../../../permissions/grants.ts';
import {
  allowAllExceeds,
  inBoth,
  innerOf,
  least,
  narrowedLimit,
  newlyDenied,
  notGiven,
  readBounded,
} from '../../../permissions/command-line/bounds.ts';
import type { Bounded } from '../../../permissions/command-line/bounds.ts';
import { constraintsOf, findDenying, readSize, together } from '../../../permissions/command-line/given-flags.ts';
import type { DenyList, GivenFlags } from '../../../permissions/command-line/given-flags.ts';
import type { FlagPolicy, PermissionPrompt, Scope } from '../../../permissions/command-line/policy.ts';
import { show, showFlag, showQuoted } from '../../../permissions/command-line/shown-text.ts';
import { lowerAscii } from '../../../primordials/untampered.ts';
import { FileGrant } from '../grant.ts';
import type { FileConstraints } from '../grant.ts';
import type { AnyFileRequest } from '../requests.ts';
import { directoryOf, existingDirectory, isInside, isRoot, realName, realPlace } from './places.ts';
import { placesOf, readDeniedPlaces, readDirectory, readExtensions } from './values.ts';

type FileVerb = 'read' | 'write';

interface FileFlags {
  readonly baseDir: string;
  readonly allowAll: boolean;
  /** Real paths of existing directories. */
  readonly directories: Readonly<Record<FileVerb, readonly string[]>>;
  readonly limits: FileConstraints;
  readonly denied: Readonly<Record<FileVerb, DenyList>>;
}

export function readPolicy(given: GivenFlags, bound: GivenFlags | null): FlagPolicy<AnyFileRequest> {
  const { flags, exceeding } = readBounded(given, bound, readFlags, cutFlags);
  return {
    exceeding,
    grant: (request) => grantFile(flags, request),
    denyingFlag: (request) =>
      findDenying(flags.denied[fileKinds[request.kind].verb], () => {
        const place = placeOf(request);
        return (value) => isInside(place, value);
      }),
    limiting: (_request, reason) => constraintFlags.get(reason) ?? null,
    prompt: (request) => promptFor(flags, request),
  };
}

const readOnlyGiven = '--file-read-only is given';
const otherExtension = '--file-extensions leaves it out';

/** The reasons in messages about constraints, and the flags that such constraints come from. */
const constraintFlags: ReadonlyMap<string, string> = new Map([
  ['readOnly', readOnlyGiven],
  ['outside allowedExtensions', otherExtension],
  ['larger than maxBytes', '--file-max-bytes allows less'],
  ['outside allowedDirectories', 'it leads out of what the flags allow'],
  ['inside deniedDirectories', 'it leads to what a flag denies'],
]);

function readFlags(given: GivenFlags): FileFlags {
  const { baseDir, ownFiles } = given;
  const directories = (flag: string): readonly string[] =>
    given.all(flag, (value, complain) => readDirectory(value, baseDir, complain));
  const denied = (flag: string): DenyList =>
    given.denied(flag, (value, complain) => readDeniedPlaces(value, baseDir, complain));
  const bothWays = directories('allow-file');
  const neitherWay = denied('deny-file');
  const own: DenyList = {
    all: null,
    items: ownFiles.flatMap(({ flag, value }) => placesOf(value, baseDir).map((place) => ({ flag, value: place }))),
  };
  return {
    baseDir,
    allowAll: given.allowAll,
    directories: {
      read: [...directories('allow-file-read'), ...bothWays],
      write: [...directories('allow-file-write'), ...bothWays],
    },
    limits: constraintsOf({
      allowedExtensions: given.one('file-extensions', readExtensions),
      maxBytes: given.one('file-max-bytes', readSize),
      readOnly: given.has('file-read-only') ? true : undefined,
    }),
    denied: {
      read: together(denied('deny-file-read'), neitherWay, own),
      write: together(denied('deny-file-write'), neitherWay, own),
    },
  };
}

const verbs = ['read', 'write'] as const;

/** What is opened is checked against the directories of both, so that a link which changes meanwhile leads nowhere. */
function cutFlags(own: FileFlags, bound: FileFlags): Bounded<FileFlags> {
  const directories = {
    read: innerOf(own.directories.read, bound.directories.read, isInside),
    write: innerOf(own.directories.write, bound.directories.write, isInside),
  };
  const limits = constraintsOf({
    allowedExtensions: inBoth(own.limits.allowedExtensions, bound.limits.allowedExtensions),
    maxBytes: least(own.limits.maxBytes, bound.limits.maxBytes),
    readOnly: own.limits.readOnly === true || bound.limits.readOnly === true ? true : undefined,
  });
  const denied = {
    read: together(own.denied.read, bound.denied.read),
    write: together(own.denied.write, bound.denied.write),
  };
  const flags: FileFlags = { baseDir: own.baseDir, allowAll: false, directories, limits, denied };
  return { flags, exceeding: own.allowAll ? allowAllExceeds : exceedingOf(own, bound, flags) };
}

function exceedingOf(own: FileFlags, bound: FileFlags, cut: FileFlags): string | null {
  for (const verb of verbs) {
    const allowed = own.directories[verb];
    const lost = allowed.find((directory) => !cut.directories[verb].includes(directory));
    if (lost !== undefined) return notGiven(showFlag(`--allow-file-${verb}=${lost}`));
    if (allowed.length === 0) continue;
    const matters = (place: string): boolean =>
      allowed.some((directory) => isInside(place, directory) || isInside(directory, place));
    const denying = newlyDenied(own.denied[verb], bound.denied[verb], matters, isInside);
    if (denying !== null) return denying;
  }
  if (verbs.every((verb) => own.directories[verb].length === 0)) return null;
  const limits = own.directories.write.length > 0 ? cut.limits : { ...cut.limits, readOnly: own.limits.readOnly };
  return narrowedLimit(own.limits, limits, limitFlags);
}

const limitFlags: Readonly<Record<string, string>> = {
  allowedExtensions: '--file-extensions',
  maxBytes: '--file-max-bytes',
  readOnly: '--file-read-only',
};

interface FileKind {
  readonly called: string;
  readonly verb: FileVerb;
  /** What the script wants to do with the file. */
  readonly wants: string;
  /** Whether --file-extensions applies to it. */
  readonly hasExtension: boolean;
}

const fileKinds: Readonly<Record<AnyFileRequest['kind'], FileKind>> = {
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

/** The grant of the flags; null if none covers the request. */
function grantFile(flags: FileFlags, request: AnyFileRequest): Grant | null {
  const { verb } = fileKinds[request.kind];
  const directories = flags.directories[verb];
  if (flags.allowAll) return grantAll(flags, request, directories);
  if (directories.length === 0) return null;
  const place = placeOf(request);
  return directories.some((directory) => isInside(place, directory))
    ? grantDirectories(flags, verb, directories)
    : null;
}

/**
 * A place such as /proc is allowed only by a directory that names it, so the grant for everything names the directories
 * of the flags too.
 */
function grantAll(flags: FileFlags, { kind, resolvedPath }: AnyFileRequest, directories: readonly string[]): Grant {
  const limits = { ...flags.limits, ...deniedPlaces(flags, fileKinds[kind].verb) };
  if (directories.length > 0)
    return FileGrant({ ...limits, allowedDirectories: [parse(resolvedPath).root, ...directories] });
  return Object.keys(limits).length === 0 ? Granted : FileGrant(limits);
}

function grantDirectories(flags: FileFlags, verb: FileVerb, allowedDirectories: readonly string[]): Grant {
  return FileGrant({
    ...flags.limits,
    ...deniedPlaces(flags, verb),
    ...(verb === 'read' ? { readOnly: true } : {}),
    allowedDirectories,
  });
}

/** The denying flags as constraints of every grant: only the host sees where a path really leads. */
function deniedPlaces({ denied }: FileFlags, verb: FileVerb): FileConstraints {
  const places = denied[verb].items.map(({ value }) => value);
  return places.length === 0 ? {} : { deniedDirectories: places };
}

function promptFor(flags: FileFlags, request: AnyFileRequest): PermissionPrompt<AnyFileRequest> {
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
    flag:
      isRoot(existing) && existing !== directory
        ? null
        : showFlag(`--allow-file-${verb}=${fromBase(existing, flags.baseDir)}`),
    grant: grantDirectories(flags, verb, [existing]),
    scope: isRoot(directory) ? null : scopeOf(flags, verb, directory),
  };
}

function scopeOf(flags: FileFlags, verb: FileVerb, directory: string): Scope<AnyFileRequest> {
  return {
    text: `${scopes[verb]} in ${show(directory)} and below`,
    allows: (request) => {
      if (fileKinds[request.kind].verb !== verb || !isInside(placeOf(request), directory)) return null;
      return grantDirectories(flags, verb, [existingDirectory(directory)]);
    },
  };
}

/** The place that a request changes: a delete removes a link itself, every other operation follows it. */
function placeOf({ kind, resolvedPath }: AnyFileRequest): string {
  return kind === 'File.Delete' ? realName(resolvedPath) : realPlace(resolvedPath);
}

function ruleOut(
  { limits: { readOnly, allowedExtensions } }: FileFlags,
  { kind }: AnyFileRequest,
  place: string,
): string | null {
  const { verb, hasExtension } = fileKinds[kind];
  if (verb === 'write' && readOnly === true) return readOnlyGiven;
  if (!hasExtension || allowedExtensions === undefined || allowedExtensions === null) return null;
  const extension = lowerAscii(extname(place));
  const isAllowed = allowedExtensions.some(
    (allowed) => extension === lowerAscii(allowed.startsWith('.') ? allowed : `.${allowed}`),
  );
  return isAllowed ? null : otherExtension;
}

/** The shortest way to write the directory on the command line. */
function fromBase(directory: string, baseDir: string): string {
  const base = realPlace(baseDir);
  if (!isInside(directory, base)) return directory;
  const path = relative(base, directory);
  return path === '' ? '.' : path.startsWith('-') ? `./${path}` : path;
}
