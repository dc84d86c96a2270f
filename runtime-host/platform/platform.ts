// What the permission bridge needs from the outside: files, HTTP, and system properties. A platform knows nothing of
// grants: rules about the object that was really opened, or the address of the connection, are passed in, and the
// platform calls them at that moment.

import type { Awaitable } from '../errors/failures.ts';

/** What scripts can reach at all; each part may be null. */
export interface Platform {
  /** Null if there is no file system: every File call then raises a SecurityError. */
  readonly files: FileSystem | null;
  /** Null if there is no network. */
  readonly http: HttpClient | null;
  /** Null if the system may not be described; Env.get is refused then too. */
  readonly system: SystemProperties | null;
}

/** The value of a property of Env.system; null for one that this platform does not know. */
export type SystemProperties = (property: SystemProperty) => string | null;

export type SystemProperty =
  | 'os.name'
  | 'os.arch'
  | 'os.version'
  | 'runtime.name'
  | 'runtime.version'
  | 'user.locale'
  | 'user.timezone';

/** The rules for a file operation. */
export interface FileRules {
  /**
   * Throws a Failure unless the object at this place may be used. It is called with the real path, without any links,
   * of the object that was opened, or of the place where one would be made, and before anything is reported about it or
   * done to it. `isWindow` is true for objects that the system generates on reading, such as a file of /proc, wherever
   * that is mounted.
   */
  readonly checkPlace: (realPath: string, kind: 'file' | 'directory' | 'missing', isWindow?: boolean) => void;
  /** Throws a Failure if a file of so many bytes may not be read or written. */
  readonly checkSize: (bytes: number) => void;
  /** Throws a Failure if a file with so many hard links, of which only one was checked, may not be changed. */
  readonly checkNames: (count: number) => void;
  /**
   * Called before so many more bytes of a file or directory are read. Throws, or rejects with, a Failure if they may
   * not be.
   */
  readonly read: (bytes: number) => Awaitable<void>;
  /** Throws once the operation's result is not needed any more: called before anything is changed. */
  readonly throwIfOver: () => void;
}

/** The faults of files, as `fileFaults` in files/faults.ts words them. */
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

/** The largest number of names from `list`. */
export const maxListedEntries = 100_000;

/**
 * Files by absolute path. Every operation follows links itself, asks the rules about the resulting place, and works on
 * that same object, even if names change meanwhile. Throws FileFault, and the errors of the rules.
 */
export interface FileSystem {
  /** The canonical absolute form of a path, from its text alone; a relative path starts at the base directory. */
  resolve(path: string): string;
  /** Whether the path is absolute as written. */
  isAbsolute(path: string): boolean;
  /** The real path of a directory in a grant; null if it does not exist. */
  realPath(path: string): Awaitable<string | null>;
  /** The real path of the existing part of a path, with the missing part behind it. */
  placeOf(path: string): Awaitable<string>;
  /** Whether an absolute canonical path is the directory or lies below it. */
  isInside(path: string, directory: string): boolean;
  /** The known directories whose files are windows into the system, such as /proc. */
  readonly specialDirectories: readonly string[];
  /** Whether the object at a real path is such a window outside of those directories. */
  isWindow?(path: string): boolean;

  read(path: string, rules: FileRules): Awaitable<string>;
  /** Creates or replaces a file; a failure never leaves half a file in place of a complete one. */
  write(path: string, content: Uint8Array, rules: FileRules): Awaitable<void>;
  /** Appends to an existing file. */
  append(path: string, content: Uint8Array, rules: FileRules): Awaitable<void>;
  /** Deletes a file, a link itself, or an empty directory. */
  delete(path: string, rules: FileRules): Awaitable<void>;
  exists(path: string, rules: FileRules): Awaitable<boolean>;
  /** The names, and whether each is a directory, in any order. */
  list(path: string, rules: FileRules): Awaitable<readonly DirectoryEntry[]>;
  metadata(path: string, rules: FileRules): Awaitable<FileMetadata>;
  /** Makes the directory and its parents; it may exist already. */
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
  /** Aborts the exchange at any point. */
  readonly signal: AbortSignal;
  /**
   * Throws a Failure unless all of these addresses of the name may be connected to. Not called if the platform does not
   * see addresses.
   */
  readonly checkAddresses: (addresses: readonly string[]) => void;
  /** Throws a Failure if a body of so many bytes is too large; called as the bytes come. */
  readonly checkSize: (bytes: number) => void;
  /**
   * Called when so many more bytes of a body have come, before any more are read. Throws, or rejects with, a Failure if
   * they may not be.
   */
  readonly read: (bytes: number) => Awaitable<void>;
}

export interface HttpAnswer {
  readonly status: number;
  /** The target of a redirect; null if there is none. */
  readonly location: string | null;
  /** The value of the header; null without one. */
  readonly contentType: string | null;
  /** The received bytes; empty for a status other than 200 to 299, since nobody reads the body then. */
  readonly body: Uint8Array;
}

/** The faults of the network, as `networkFaults` in http/faults.ts words them. */
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
   * Sends one request and receives its answer; follows no redirect and keeps no connection. Rejects with NetworkFault,
   * and with the errors of the rules.
   */
  exchange(exchange: HttpExchange): Promise<HttpAnswer>;
  /** Whether an address, in the spelling of URLs, is public; false if the platform cannot tell. */
  isPublicAddress(address: string): boolean;
}
