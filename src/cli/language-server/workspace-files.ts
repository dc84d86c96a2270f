// The disk as the language server sees it: imported files by the rules of the command, and the scripts below the
// folders of a workspace.

import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { isScriptName } from '../../language-server/names.ts';
import type { WorkspaceFiles } from '../../language-server/environment.ts';
import type { FoundSource } from '../../source-reader.ts';
import { UsageError } from '../exit.ts';
import { fileReader } from '../file-reader.ts';
import { decodeScript, readBytes } from '../files.ts';

/** So many scripts are found in one folder of a workspace, in so many folders: a home folder is no project. */
const mostScripts = 5000;
const mostFolders = 20_000;

export function workspaceFiles(): WorkspaceFiles {
  const disk = fileReader();
  const texts = new Map<string, { readonly stamp: string; readonly found: FoundSource }>();
  return {
    reader: {
      identify: (name) => disk.identify(name),
      read(path, importer) {
        // Read once for as long as it is unchanged: an editor asks at each keystroke.
        const key = JSON.stringify([path, importer]);
        const known = texts.get(key);
        if (known !== undefined && stampOf(known.found.name) === known.stamp) return known.found;
        const read = disk.read(path, importer);
        if ('reason' in read) {
          texts.delete(key);
          return read;
        }
        const found = { ...read, name: read.name.replaceAll('\\', '/') };
        const stamp = stampOf(found.name);
        if (stamp !== null) texts.set(key, { stamp, found });
        return found;
      },
    },
    read(name) {
      if (!isScriptName(name)) return null;
      try {
        return decodeScript(name, readBytes(name));
      } catch (error) {
        if (error instanceof UsageError) return null;
        throw error;
      }
    },
    stamp: stampOf,
    listScripts,
  };
}

function stampOf(name: string): string | null {
  try {
    const stat = statSync(name, { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? null : `${stat.mtimeNs} ${stat.size} ${stat.ino}`;
  } catch {
    return null;
  }
}

/** Hidden folders and what others have installed are left out; links to folders are not followed. */
async function listScripts(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  const open = [folder];
  for (let at = 0; at < open.length && at < mostFolders && found.length < mostScripts; at++) {
    const path = open[at]!;
    let entries;
    try {
      entries = await readdir(path, { withFileTypes: true });
    } catch {
      continue;
    }
    for (const entry of entries) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      if (entry.isDirectory()) open.push(`${path}/${entry.name}`);
      else if (isScriptName(entry.name)) found.push(`${path}/${entry.name}`);
    }
  }
  return found.toSorted();
}
