// The scripts in a folder and those below it, for commands that take folders.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from './files.ts';

/** Folders of others. Those whose names begin with a dot are left out too. */
const leftOut: ReadonlySet<string> = new Set(['node_modules']);

export interface FoundScripts {
  /** In the order of their names. Links are not followed. */
  readonly scripts: string[];
  /** The folders that were looked through. */
  readonly folders: string[];
  /** Folders that cannot be read, each with the reason: a part of a sentence. */
  readonly unreadable: { readonly folder: string; readonly reason: string }[];
}

export function scriptsBelow(folder: string): FoundScripts {
  const found: FoundScripts = { scripts: [], folders: [], unreadable: [] };
  lookThrough(folder, found);
  return found;
}

function lookThrough(folder: string, found: FoundScripts): void {
  found.folders.push(folder);
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    found.unreadable.push({ folder, reason: reasonOf((error as { code?: string }).code) });
    return;
  }
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!leftOut.has(entry.name) && !entry.name.startsWith('.')) lookThrough(path, found);
    } else if (entry.isFile() && entry.name.endsWith('.slu')) found.scripts.push(path);
  }
}
