// What the permission bridge needs of the world: files, HTTP, and what the system says of itself. A platform does
// what it is told and knows nothing of grants; the rules that must hold of the very object that was opened, or of the
// very address that is connected to, are handed in and asked at that moment.

import type { Awaitable } from '../errors/failures.ts';

/** What scripts can reach at all; each part may be null. */
export interface Platform {
  /** Null where there is no file system: every File call is then a SecurityError. */
  readonly files: FileSystem | null;
  /** Null where there is no network. */
  readonly http: HttpClient | null;
  /** Null where nothing is told of the system, and Env.get is refused too. */
  readonly system: SystemProperties | null;
}

/** The value of a property that Env.system knows; null for one that is not known here. */
export type SystemProperties = (property: SystemProperty) => string | null;

export type SystemProperty =
  | 'os.name'
  | 'os.arch'
  | 'os.version'
  | 'runtime.name'
  | 'runtime.version'
  | 'user.locale'
  | 'user.timezone';

/** What a file operation must obey. */
export interface FileRules {
  /**
   * Throws a Failure unless the object at this place may be used. Asked with the real path, in which nothing is a link,
   * of what was opened, or of where something would be made, before anything is told of it or done to it. `isWindow` is
   * true of what the system makes up as it is read, such as a file of /proc, wherever that is mounted.
   */
  readonly checkPlace: (realPath: string, kind: 'file' | 'directory' | 'missing', isWindow?: boolean) => void;
  /** Throws a Failure if a file of so many bytes may not be read, or may not come to be. */
  readonly checkSize: (bytes: number) => void;
  /** Throws a Failure if a file that has so many names, of which one was asked about, may not be changed. */
  readonly checkNames: (count: number) => void;
  /**
   * Asked before so many bytes more are read, of a file or of a directory. Throws, or rejects with, a Failure if they
   * may not be.
   */
  readonly read: (bytes: number) => Awaitable<void>;
  /** Throws once nobody waits for the operation any more: asked before anything is changed. */
  readonly throwIfOver: () => void;
}

/** What goes wrong with files, in the words of `fileFaults` in files/faults.ts. */
export type FileFaultCode =
  | 'not-found'
  | 'is-directory'
  | 'not-directory'
  | 'not-a-file'
  | 'not-empty'
  | 'no-access'
  | 'read-only'
  | 'no-space'
  | 'too-many-links'
  | 'too-many-entries'
  | 'too-large'
  | 'name-too-long'
  | 'not-utf8'
  | 'busy'
  | 'unknown';

/** Thrown by a FileSystem. */
export class FileFault {
  readonly code: FileFaultCode;

  constructor(code: FileFaultCode) {
    this.code = code;
  }
}

/** Times are Unix milliseconds. */
export interface FileMetadata {
  readonly size: number;
  readonly modified: number;
  readonly created: number;
  readonly type: 'file' | 'directory' | 'other';
}

/** At most so many names come from `list`. */
export const maxListedEntries = 100_000;

/**
 * Files by absolute path. Every operation follows links itself, asks the rules about the place where that leads, and
 * acts on the object that it asked about, whatever happens to names meanwhile. Throws FileFault, and what the rules
 * throw.
 */
export interface FileSystem {
  /** The canonical absolute form of a path, by its text alone; a relative one begins at the base directory. */
  resolve(path: string): string;
  /** Whether it is absolute as it stands. */
  isAbsolute(path: string): boolean;
  /** The real path of a directory of the grant's; null if there is none. */
  realPath(path: string): Awaitable<string | null>;
  /** Where a path leads, links followed as far as there is something, with what is missing behind that. */
  placeOf(path: string): Awaitable<string>;
  /** Whether an absolute canonical path is the directory or lies below it. */
  isInside(path: string, directory: string): boolean;
  /** The directories that are known to hold no files but windows into the system, such as /proc. */
  readonly specialDirectories: readonly string[];
  /** Whether what lies at a real path is such a window, in a directory that is not among those. */
  isWindow?(path: string): boolean;

  read(path: string, rules: FileRules): Awaitable<string>;
  /** Creates or replaces; never leaves half a file where a whole one was. */
  write(path: string, content: Uint8Array, rules: FileRules): Awaitable<void>;
  /** To a file that exists. */
  append(path: string, content: Uint8Array, rules: FileRules): Awaitable<void>;
  /** A file, a link itself, or an empty directory. */
  delete(path: string, rules: FileRules): Awaitable<void>;
  exists(path: string, rules: FileRules): Awaitable<boolean>;
  /** Names and whether each is a directory, in no order. */
  list(path: string, rules: FileRules): Awaitable<readonly DirectoryEntry[]>;
  metadata(path: string, rules: FileRules): Awaitable<FileMetadata>;
  /** With its parents; one that exists is fine. */
  createDirectory(path: string, rules: FileRules): Awaitable<void>;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly isDirectory: boolean;
}

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One exchange; the URL is http or https, in canonical form. */
export interface HttpExchange {
  readonly method: HttpMethod;
  readonly url: URL;
  readonly body: { readonly type: string; readonly bytes: Uint8Array } | null;
  /** Ends the exchange, whatever it is doing. */
  readonly signal: AbortSignal;
  /**
   * Throws a Failure unless all of these addresses, which the name stands for, may be connected to. Not asked where
   * the platform does not see addresses.
   */
  readonly checkAddresses: (addresses: readonly string[]) => void;
  /** Throws a Failure once a body of so many bytes is too large; asked as they come. */
  readonly checkSize: (bytes: number) => void;
  /**
   * Asked when so many bytes more of a body have come, before any more are taken. Throws, or rejects with, a Failure if
   * they may not be.
   */
  readonly read: (bytes: number) => Awaitable<void>;
}

export interface HttpAnswer {
  readonly status: number;
  /** Of a redirect; null if there is none. */
  readonly location: string | null;
  /** As the header says it; null without one. */
  readonly contentType: string | null;
  /** As it came; empty where the status is not 200 to 299, since nobody reads it then. */
  readonly body: Uint8Array;
}

/** What goes wrong on the network, in the words of `networkFaults` in http/faults.ts. */
export type NetworkFaultCode =
  | 'no-such-host'
  | 'refused'
  | 'reset'
  | 'unreachable'
  | 'tls'
  | 'malformed'
  | 'encoded'
  | 'not-told'
  | 'too-large'
  | 'not-text'
  | 'unknown';

/** Thrown by an HttpClient. */
export class NetworkFault {
  readonly code: NetworkFaultCode;

  constructor(code: NetworkFaultCode) {
    this.code = code;
  }
}

export interface HttpClient {
  /**
   * Sends and receives once, follows no redirect, keeps nothing for the next time. Rejects with NetworkFault, and what
   * the rules throw.
   */
  exchange(exchange: HttpExchange): Promise<HttpAnswer>;
  /** Whether an address, as URLs write it, is one of the internet; false where the platform cannot tell. */
  isPublicAddress(address: string): boolean;
}
