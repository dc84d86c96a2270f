// What is known of each file: analysed as a program of its own, with all that it imports. An analysis is kept as long
// as every file that it read is as it was.

import { analyse } from '../queries/index.ts';
import type { Analysis } from '../queries/index.ts';
import { createSourceFile } from '../source.ts';
import type { SourceFile } from '../source.ts';
import type { Documents } from './documents.ts';
import type { WorkspaceFiles } from './environment.ts';
import { isUri, nameOfUri } from './names.ts';
import { stampOf, WorkspaceReader } from './workspace-reader.ts';
import type { Stamps } from './workspace-reader.ts';

interface Kept {
  readonly analysis: Analysis;
  readonly stamps: Stamps;
  readonly plugins: readonly unknown[];
}

/** So many analyses of files that are not open are kept. */
const mostClosed = 200;

export class Analyses {
  readonly #documents: Documents;
  readonly #files: WorkspaceFiles;
  readonly #kept = new Map<string, Kept>();
  #plugins: readonly unknown[] = [];

  constructor(documents: Documents, files: WorkspaceFiles) {
    this.#documents = documents;
    this.#files = files;
  }

  /** From now on scripts may call these. */
  usePlugins(plugins: readonly unknown[]): void {
    this.#plugins = plugins;
  }

  get plugins(): readonly unknown[] {
    return this.#plugins;
  }

  /** What a file's text is now: that of its window, or of the disk; null if there is none. */
  source(name: string): SourceFile | null {
    const open = this.#documents.byName(name);
    if (open !== null) return open.source;
    if (isUri(name)) return null;
    const text = this.#files.read(name);
    return text === null ? null : createSourceFile(name, text);
  }

  /** The analysis of a file as the one that is compiled; null where there is no such file. */
  of(uri: string): Analysis | null {
    return this.ofName(nameOfUri(uri));
  }

  ofName(name: string): Analysis | null {
    const kept = this.#kept.get(name);
    if (kept !== undefined && this.#holds(kept)) return kept.analysis;
    const stamp = stampOf(name, this.#documents, this.#files);
    const source = this.source(name);
    if (source === null) {
      this.#kept.delete(name);
      return null;
    }
    const reader = new WorkspaceReader(this.#documents, this.#files);
    const analysis = analyse(source, reader, { plugins: this.#plugins, previous: kept?.analysis ?? null });
    this.#kept.delete(name);
    this.#kept.set(name, { analysis, stamps: new Map([...reader.stamps, [name, stamp]]), plugins: this.#plugins });
    this.#dropOldest();
    return analysis;
  }

  /** What was last known of a file, whatever has changed since; for what need not be of this very moment. */
  lastOfName(name: string): Analysis | null {
    return this.#kept.get(name)?.analysis ?? this.ofName(name);
  }

  /** Whether what was last said of a file still holds. */
  isCurrent(name: string): boolean {
    const kept = this.#kept.get(name);
    return kept !== undefined && this.#holds(kept);
  }

  #holds({ stamps, plugins }: Kept): boolean {
    if (plugins !== this.#plugins) return false;
    for (const [name, stamp] of stamps) if (stampOf(name, this.#documents, this.#files) !== stamp) return false;
    return true;
  }

  #dropOldest(): void {
    const closed = [...this.#kept.keys()].filter((name) => this.#documents.byName(name) === null);
    for (const name of closed.slice(0, Math.max(0, closed.length - mostClosed))) this.#kept.delete(name);
  }
}
