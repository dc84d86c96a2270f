// A file system in memory: for browsers, for tests, and for scripts whose files nobody else should see. Paths have
// slashes; links, and names that differ only in case, behave as on real disks.

import { proceed } from '../errors/failures.ts';
import type { Awaitable } from '../errors/failures.ts';
import { ownOptions } from '../primordials/own-options.ts';
import { MemoryTree, partsOf, pathOf } from './tree.ts';
import type { DirectoryNode, FileNode, Found, Node } from './tree.ts';
import { FileFault, maxListedEntries } from '../platform/platform.ts';
import type { DirectoryEntry, FileMetadata, FileRules, FileSystem } from '../platform/platform.ts';

export interface MemoryFilesOptions {
  /** Texts of files by path; missing directories are made. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Directories that exist although they are empty. */
  readonly directories?: readonly string[];
  /** Targets of links by path. */
  readonly links?: Readonly<Record<string, string>>;
  /** The start of relative paths; `/` if left out. */
  readonly baseDir?: string;
  /** Whether `a` and `A` are two names; true if left out. */
  readonly caseSensitive?: boolean;
  /** Unix milliseconds for file times; Date.now if left out. */
  readonly clock?: () => number;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();
const noRules: FileRules = {
  checkPlace: () => {},
  checkSize: () => {},
  checkNames: () => {},
  read: () => {},
  throwIfOver: () => {},
};

/** Files that can also be read from outside, with `snapshot`. */
export class MemoryFiles implements FileSystem {
  readonly specialDirectories: readonly string[] = [];
  readonly #tree: MemoryTree;
  readonly #baseDir: string;
  readonly #now: () => number;

  constructor(options: MemoryFilesOptions = {}) {
    const {
      files = {},
      directories = [],
      links = {},
      baseDir = '/',
      caseSensitive = true,
      clock = Date.now,
    } = ownOptions(options);
    this.#now = () => Math.floor(clock());
    this.#tree = new MemoryTree(caseSensitive, this.#now);
    this.#baseDir = baseDir;
    for (const path of [baseDir, ...directories]) this.createDirectory(this.resolve(path), noRules);
    for (const [path, content] of Object.entries(files))
      this.#place(path, this.#newFile(typeof content === 'string' ? encoder.encode(content) : content));
    for (const [path, target] of Object.entries(links)) this.#place(path, { kind: 'link', target });
  }

  /** The text of every file by its path, sorted. */
  snapshot(): Readonly<Record<string, string>> {
    return Object.fromEntries(filesBelow(this.#tree.root, '').sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  resolve(path: string): string {
    return pathOf(partsOf(this.isAbsolute(path) ? path : `${this.#baseDir}/${path}`));
  }

  isAbsolute(path: string): boolean {
    return path.startsWith('/');
  }

  isInside(path: string, directory: string): boolean {
    const [inner, outer] = [this.#tree.keyOf(path), this.#tree.keyOf(directory)];
    return inner === outer || outer === '/' || inner.slice(0, outer.length + 1) === `${outer}/`;
  }

  placeOf(path: string): string {
    return this.#tree.find(path, true).place;
  }

  realPath(path: string): string | null {
    const { node, place } = this.#tree.find(path, true);
    return node?.kind === 'directory' ? place : null;
  }

  read(path: string, rules: FileRules): Awaitable<string> {
    const { bytes } = this.#reachFile(path, rules);
    rules.checkSize(bytes.length);
    return proceed(rules.read(bytes.length), () => {
      try {
        return decoder.decode(bytes);
      } catch {
        throw new FileFault('not-utf8');
      }
    });
  }

  write(path: string, content: Uint8Array, rules: FileRules): void {
    const found = this.#find(path, true, rules);
    rules.checkSize(content.length);
    if (found.node?.kind === 'directory') throw new FileFault('is-directory');
    if (found.parent === null) throw new FileFault(found.fault);
    const created = found.node?.kind === 'file' ? found.node.created : this.#now();
    this.#tree.setEntry(found.parent, found.name, { ...this.#newFile(content), created });
  }

  append(path: string, content: Uint8Array, rules: FileRules): void {
    const file = this.#reachFile(path, rules);
    rules.checkSize(file.bytes.length + content.length);
    const bytes = new Uint8Array(file.bytes.length + content.length);
    bytes.set(file.bytes);
    bytes.set(content, file.bytes.length);
    file.bytes = bytes;
    file.modified = this.#now();
  }

  delete(path: string, rules: FileRules): void {
    const { node, parent, name, fault } = this.#find(path, false, rules);
    if (node === null) throw new FileFault(fault);
    if (node.kind === 'directory' && node.entries.size > 0) throw new FileFault('not-empty');
    if (parent === null) throw new FileFault('busy');
    this.#tree.removeEntry(parent, name);
  }

  exists(path: string, rules: FileRules): boolean {
    return this.#find(path, true, rules).node !== null;
  }

  list(path: string, rules: FileRules): readonly DirectoryEntry[] {
    const node = this.#reach(path, rules);
    if (node.kind !== 'directory') throw new FileFault('not-directory');
    if (node.entries.size > maxListedEntries) throw new FileFault('too-many-entries');
    return [...node.entries.values()].map((entry) => ({
      name: entry.name,
      isDirectory: entry.node.kind === 'directory',
    }));
  }

  metadata(path: string, rules: FileRules): FileMetadata {
    const node = this.#reach(path, rules);
    if (node.kind === 'link') throw new FileFault('too-many-links');
    return {
      size: node.kind === 'file' ? node.bytes.length : 0,
      modified: node.modified,
      created: node.created,
      type: node.kind,
    };
  }

  createDirectory(path: string, rules: FileRules): void {
    const { place } = this.#find(path, true, rules);
    const real: string[] = [];
    let node: Node = this.#tree.root;
    for (const name of partsOf(place)) {
      if (node.kind !== 'directory') throw new FileFault('not-directory');
      real.push(name);
      let next = this.#tree.entryOf(node, name);
      if (next === null) {
        rules.checkPlace(pathOf(real), 'missing');
        next = this.#tree.newDirectory();
        this.#tree.setEntry(node, name, next);
      }
      node = next;
    }
    if (node.kind !== 'directory') throw new FileFault('not-directory');
  }

  /** Resolves a path after the rules have allowed it. */
  #find(path: string, follow: boolean, rules: FileRules): Found {
    const found = this.#tree.find(path, follow);
    rules.checkPlace(found.place, kindOf(found.node));
    return found;
  }

  #reach(path: string, rules: FileRules): Node {
    const { node, fault } = this.#find(path, true, rules);
    if (node === null) throw new FileFault(fault);
    return node;
  }

  #reachFile(path: string, rules: FileRules): FileNode {
    const node = this.#reach(path, rules);
    if (node.kind === 'file') return node;
    throw new FileFault(node.kind === 'directory' ? 'is-directory' : 'not-a-file');
  }

  #newFile(bytes: Uint8Array): FileNode {
    return { kind: 'file', bytes, created: this.#now(), modified: this.#now() };
  }

  /** Puts a node at a path without asking the rules; missing directories are made. */
  #place(path: string, node: Node): void {
    const full = this.resolve(path);
    this.createDirectory(full.slice(0, full.lastIndexOf('/')) || '/', noRules);
    const { parent, name } = this.#tree.find(full, false);
    this.#tree.setEntry(parent!, name, node);
  }
}

function filesBelow(directory: DirectoryNode, path: string): [string, string][] {
  return [...directory.entries.values()].flatMap(({ name, node }): [string, string][] => {
    if (node.kind === 'directory') return filesBelow(node, `${path}/${name}`);
    return node.kind === 'file' ? [[`${path}/${name}`, new TextDecoder().decode(node.bytes)]] : [];
  });
}

function kindOf(node: Node | null): 'file' | 'directory' | 'missing' {
  return node === null ? 'missing' : node.kind === 'directory' ? 'directory' : 'file';
}
