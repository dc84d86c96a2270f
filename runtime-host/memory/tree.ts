// The tree of a file system in memory: files, links and directories, and the walk along a path.

import type { FileFaultCode } from '../platform/platform.ts';

export interface FileNode {
  readonly kind: 'file';
  bytes: Uint8Array;
  created: number;
  modified: number;
}

interface LinkNode {
  readonly kind: 'link';
  readonly target: string;
}

export interface DirectoryNode {
  readonly kind: 'directory';
  /** By the key of the name. */
  readonly entries: Map<string, { readonly name: string; readonly node: Node }>;
  readonly created: number;
  modified: number;
}

export type Node = FileNode | LinkNode | DirectoryNode;

/** A resolved path: the directory, the name in it, and the node of that name. */
export interface Found {
  /** Null for the root, and if the directory itself is missing. */
  readonly parent: DirectoryNode | null;
  readonly name: string;
  /** The real path of the existing part, with the missing part behind it. */
  readonly place: string;
  /** Null if there is none. */
  readonly node: Node | null;
  /** The fault to report if there is no node. */
  readonly fault: FileFaultCode;
}

const maxLinks = 40;

export class MemoryTree {
  readonly root: DirectoryNode;
  readonly #caseSensitive: boolean;
  readonly #now: () => number;

  /** `now` gives Unix milliseconds as a whole number. */
  constructor(caseSensitive: boolean, now: () => number) {
    this.#caseSensitive = caseSensitive;
    this.#now = now;
    this.root = this.newDirectory();
  }

  newDirectory(): DirectoryNode {
    return { kind: 'directory', entries: new Map(), created: this.#now(), modified: this.#now() };
  }

  /** The form in which a name or path is compared with others. */
  keyOf(text: string): string {
    return this.#caseSensitive ? text : text.toLowerCase();
  }

  /** Walks an absolute path name by name; `follow` says whether a link at the end is followed too. */
  find(path: string, follow: boolean): Found {
    return this.#walk(partsOf(path), follow, 0);
  }

  /** The node of a name in a directory; null if there is none. */
  entryOf(directory: DirectoryNode, name: string): Node | null {
    return directory.entries.get(this.keyOf(name))?.node ?? null;
  }

  /** Gives a name to a node, replacing the node that had it; the name keeps its spelling. */
  setEntry(directory: DirectoryNode, name: string, node: Node): void {
    const key = this.keyOf(name);
    directory.entries.set(key, { name: directory.entries.get(key)?.name ?? name, node });
    directory.modified = this.#now();
  }

  removeEntry(directory: DirectoryNode, name: string): void {
    directory.entries.delete(this.keyOf(name));
    directory.modified = this.#now();
  }

  #walk(parts: readonly string[], follow: boolean, links: number): Found {
    let node: Node = this.root;
    let parent: DirectoryNode | null = null;
    const real: string[] = [];
    for (let at = 0; at < parts.length; at++) {
      const isLast = at === parts.length - 1;
      const name = parts[at]!;
      const nothing: Found = {
        parent: null,
        name: parts.at(-1)!,
        place: pathOf([...real, ...parts.slice(at)]),
        node: null,
        fault: 'not-found',
      };
      if (node.kind !== 'directory') return { ...nothing, fault: 'not-directory' };
      const entry = node.entries.get(this.keyOf(name));
      if (entry === undefined) return isLast ? { ...nothing, parent: node } : nothing;
      if (entry.node.kind === 'link' && (!isLast || follow)) {
        if (links === maxLinks) return { ...nothing, fault: 'too-many-links' };
        const { target } = entry.node;
        const followed = partsOf(target.startsWith('/') ? target : `${pathOf(real)}/${target}`);
        return this.#walk([...followed, ...parts.slice(at + 1)], follow, links + 1);
      }
      parent = node;
      node = entry.node;
      real.push(entry.name);
    }
    return { parent, name: real.at(-1) ?? '', place: pathOf(real), node, fault: 'not-found' };
  }
}

/** The names of a path, with `.` and `..` resolved. */
export function partsOf(path: string): string[] {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts;
}

export function pathOf(parts: readonly string[]): string {
  return `/${parts.join('/')}`;
}
