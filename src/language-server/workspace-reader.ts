// Gives the compiler the files of a workspace: open documents as they stand, all others from the disk. What an
// analysis has asked for is noted, with a stamp, so that it is known when it no longer holds.

import type { FoundSource, MissingSource, SourceReader } from '../source-reader.ts';
import type { OpenDocument, Documents } from './documents.ts';
import type { WorkspaceFiles } from './environment.ts';
import { isScriptName, isUri, resolveName } from './names.ts';

/** Names of files with what their stamps were; null for a file that was not there. */
export type Stamps = ReadonlyMap<string, string | null>;

export class WorkspaceReader implements SourceReader {
  readonly #documents: Documents;
  readonly #files: WorkspaceFiles;
  readonly #stamps = new Map<string, string | null>();

  constructor(documents: Documents, files: WorkspaceFiles) {
    this.#documents = documents;
    this.#files = files;
  }

  get stamps(): Stamps {
    return this.#stamps;
  }

  read(path: string, importer: string): FoundSource | MissingSource {
    if (importer.startsWith('untitled:'))
      return { reason: 'this document has no place yet: save it, and its imports are found', nearest: null };
    const name = resolveName(path, importer);
    this.#stamps.set(name, stampOf(name, this.#documents, this.#files));
    const open = this.#documents.byName(name);
    if (open !== null && isScriptName(name)) return foundIn(open, name);
    if (isUri(name)) return { reason: 'no document of this name is open', nearest: null };
    const found = this.#files.reader.read(path, importer);
    if ('reason' in found) return found;
    // Open under another name, through a link.
    const linked = this.#documents.byIdentity(found.identity);
    if (linked === null) return found;
    this.#stamps.set(linked.name, linked.stamp);
    return foundIn(linked, found.name);
  }

  identify(name: string): string {
    return this.#documents.byName(name)?.identity ?? (isUri(name) ? name : this.#files.reader.identify(name));
  }
}

function foundIn({ identity, source }: OpenDocument, name: string): FoundSource {
  return { name, identity, text: source.text };
}

/** What changes when a file does, wherever its text is. */
export function stampOf(name: string, documents: Documents, files: WorkspaceFiles): string | null {
  const open = documents.byName(name);
  if (open !== null) return open.stamp;
  return isUri(name) ? null : files.stamp(name);
}
