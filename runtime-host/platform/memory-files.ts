// A file system in memory: for browsers, for tests, and for scripts that shall have files which nobody else sees. Paths
// are written with slashes; links, and names that differ only in case, behave as on disks that have them.

import { FileFault, maxListedEntries } from './platform.ts';
import type { DirectoryEntry, FileFaultCode, FileMetadata, FileRules, FileSystem } from './platform.ts';

export interface MemoryFilesOptions {
  /** Files by path with their text, directories made as needed. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Directories that shall be there though they are empty. */
  readonly directories?: readonly string[];
  /** Links by path with what they lead to. */
  readonly links?: Readonly<Record<string, string>>;
  /** Where relative paths begin; `/` if left out. */
  readonly baseDir?: string;
  /** Whether `a` and `A` are two names; true if left out. */
  readonly caseSensitive?: boolean;
  /** Unix milliseconds for times; Date.now if left out. */
  readonly clock?: () => number;
}

/** A file system that can also be looked at from outside. */
export interface MemoryFiles extends FileSystem {
  /** The text of every file by its path, sorted. */
  snapshot(): Readonly<Record<string, string>>;
}

interface FileNode {
  readonly kind: 'file';
  bytes: Uint8Array;
  created: number;
  modified: number;
}
interface LinkNode {
  readonly kind: 'link';
  readonly target: string;
}
interface DirectoryNode {
  readonly kind: 'directory';
  /** By the name as it is compared. */
  readonly entries: Map<string, { readonly name: string; node: Node }>;
  created: number;
  modified: number;
}
type Node = FileNode | LinkNode | DirectoryNode;

/** Where a path leads: the directory, the name in it, and what has the name. */
interface Found {
  readonly parent: DirectoryNode | null;
  readonly name: string;
  readonly place: string;
  /** Null if there is nothing; then the parent is null too if that is missing. */
  readonly node: Node | null;
  /** What to say of nothing. */
  readonly fault: FileFaultCode;
}

const maxLinks = 40;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

export function createMemoryFiles(options: MemoryFilesOptions = {}): MemoryFiles {
  const { files = {}, directories = [], links = {}, baseDir = '/', caseSensitive = true, clock = Date.now } = options;
  const keyOf = (name: string): string => (caseSensitive ? name : name.toLowerCase());
  const newDirectory = (): DirectoryNode => ({ kind: 'directory', entries: new Map(), created: now(), modified: now() });
  const now = (): number => Math.floor(clock());
  const root = newDirectory();
  const canonical = (path: string): string => `/${partsOf(path.startsWith('/') ? path : `${baseDir}/${path}`).join('/')}`;

  /** Walks name by name; `follow` says whether a last link is followed too. */
  const find = (path: string, follow: boolean): Found => walk(partsOf(path), follow, 0);

  const walk = (parts: readonly string[], follow: boolean, links: number): Found => {
    let node: Node = root;
    let parent: DirectoryNode | null = null;
    const real: string[] = [];
    for (let at = 0; at < parts.length; at++) {
      const isLast = at === parts.length - 1;
      const name = parts[at]!;
      if (node.kind !== 'directory') return { ...missing(real, parts.slice(at)), fault: 'not-directory' };
      const entry = node.entries.get(keyOf(name));
      if (entry === undefined) return isLast ? { parent: node, name, place: placeOf([...real, name]), node: null, fault: 'not-found' } : missing(real, parts.slice(at));
      if (entry.node.kind === 'link' && (!isLast || follow)) {
        if (links === maxLinks) return { ...missing(real, parts.slice(at)), fault: 'too-many-links' };
        const { target } = entry.node;
        const base = target.startsWith('/') ? target : `${placeOf(real)}/${target}`;
        return walk([...partsOf(base), ...parts.slice(at + 1)], follow, links + 1);
      }
      parent = node;
      node = entry.node;
      real.push(entry.name);
    }
    return { parent, name: real.at(-1) ?? '', place: placeOf(real), node, fault: 'not-found' };
  };

  const missing = (real: readonly string[], rest: readonly string[]): Found => ({
    parent: null,
    name: rest.at(-1)!,
    place: placeOf([...real, ...rest]),
    node: null,
    fault: 'not-found',
  });

  const setEntry = (parent: DirectoryNode, name: string, node: Node): void => {
    const known = parent.entries.get(keyOf(name));
    parent.entries.set(keyOf(name), { name: known?.name ?? name, node });
    parent.modified = now();
  };

  /** What is there, after the rules have been asked. */
  const reach = (path: string, rules: FileRules): Found & { readonly node: Node } => {
    const found = find(path, true);
    rules.checkPlace(found.place, kindOf(found.node));
    if (found.node === null) throw new FileFault(found.fault);
    return found as Found & { readonly node: Node };
  };

  const reachFile = (path: string, rules: FileRules): FileNode => {
    const { node } = reach(path, rules);
    if (node.kind === 'file') return node;
    throw new FileFault(node.kind === 'directory' ? 'is-directory' : 'not-a-file');
  };

  const createDirectory = (path: string, rules: FileRules): void => {
    const found = find(path, true);
    rules.checkPlace(found.place, kindOf(found.node));
    const real: string[] = [];
    let node: Node = root;
    for (const name of partsOf(found.place)) {
      if (node.kind !== 'directory') throw new FileFault('not-directory');
      real.push(name);
      const entry = node.entries.get(keyOf(name));
      if (entry === undefined) {
        rules.checkPlace(placeOf(real), 'missing');
        setEntry(node, name, newDirectory());
      }
      node = node.entries.get(keyOf(name))!.node;
    }
    if (node.kind !== 'directory') throw new FileFault('not-directory');
  };

  const write = (path: string, content: Uint8Array, rules: FileRules): void => {
    const found = find(path, true);
    rules.checkPlace(found.place, kindOf(found.node));
    rules.checkSize(content.length);
    if (found.node?.kind === 'directory') throw new FileFault('is-directory');
    if (found.parent === null) throw new FileFault(found.fault);
    const created = found.node?.kind === 'file' ? found.node.created : now();
    setEntry(found.parent, found.name, { kind: 'file', bytes: content, created, modified: now() });
  };

  const memory: MemoryFiles = {
    resolve: canonical,
    isAbsolute: (path) => path.startsWith('/'),
    isInside: (path, directory) => isInside(keyOf(path), keyOf(directory)),
    specialDirectories: [],
    realPath: (path) => {
      const found = find(path, true);
      return found.node?.kind === 'directory' ? found.place : null;
    },
    read: (path, rules) => {
      const { bytes } = reachFile(path, rules);
      rules.checkSize(bytes.length);
      return decode(bytes);
    },
    write,
    append: (path, content, rules) => {
      const file = reachFile(path, rules);
      const bytes = new Uint8Array(file.bytes.length + content.length);
      rules.checkSize(bytes.length);
      bytes.set(file.bytes);
      bytes.set(content, file.bytes.length);
      file.bytes = bytes;
      file.modified = now();
    },
    delete: (path, rules) => {
      const { node, parent, place, name, fault } = find(path, false);
      rules.checkPlace(place, kindOf(node));
      if (node === null) throw new FileFault(fault);
      if (node.kind === 'directory' && node.entries.size > 0) throw new FileFault('not-empty');
      if (parent === null) throw new FileFault('busy');
      parent.entries.delete(keyOf(name));
      parent.modified = now();
    },
    exists: (path, rules) => {
      const { place, node } = find(path, true);
      rules.checkPlace(place, kindOf(node));
      return node !== null;
    },
    list: (path, rules) => {
      const { node } = reach(path, rules);
      if (node.kind !== 'directory') throw new FileFault('not-directory');
      if (node.entries.size > maxListedEntries) throw new FileFault('too-many-entries');
      return [...node.entries.values()].map((entry): DirectoryEntry => ({ name: entry.name, isDirectory: entry.node.kind === 'directory' }));
    },
    metadata: (path, rules): FileMetadata => {
      const { node } = reach(path, rules);
      if (node.kind === 'link') throw new FileFault('too-many-links');
      return { size: node.kind === 'file' ? node.bytes.length : 0, modified: node.modified, created: node.created, type: node.kind };
    },
    createDirectory,
    snapshot: () => Object.fromEntries(filesBelow(root, '').sort(([a], [b]) => (a < b ? -1 : 1))),
  };

  const noRules: FileRules = { checkPlace: () => {}, checkSize: () => {} };
  createDirectory(canonical('.'), noRules);
  const place = (path: string, node: Node): void => {
    const full = canonical(path);
    createDirectory(full.slice(0, full.lastIndexOf('/')) || '/', noRules);
    const { parent, name } = find(full, false);
    setEntry(parent!, name, node);
  };
  for (const [path, content] of Object.entries(files)) {
    place(path, { kind: 'file', bytes: typeof content === 'string' ? encoder.encode(content) : content, created: now(), modified: now() });
  }
  for (const path of directories) createDirectory(canonical(path), noRules);
  for (const [path, target] of Object.entries(links)) place(path, { kind: 'link', target });
  return memory;
}

function filesBelow(directory: DirectoryNode, path: string): [string, string][] {
  return [...directory.entries.values()].flatMap(({ name, node }): [string, string][] => {
    if (node.kind === 'directory') return filesBelow(node, `${path}/${name}`);
    return node.kind === 'file' ? [[`${path}/${name}`, new TextDecoder().decode(node.bytes)]] : [];
  });
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new FileFault('not-utf8');
  }
}

function kindOf(node: Node | null): 'file' | 'directory' | 'missing' {
  return node === null ? 'missing' : node.kind === 'directory' ? 'directory' : 'file';
}

/** The names of a path, `.` and `..` resolved. */
function partsOf(path: string): string[] {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts;
}

function placeOf(parts: readonly string[]): string {
  return `/${parts.join('/')}`;
}

function isInside(path: string, directory: string): boolean {
  return path === directory || directory === '/' || path.slice(0, directory.length + 1) === `${directory}/`;
}
