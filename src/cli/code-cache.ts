// The engine's compiled code of our own JavaScript, kept in the folder of caches. Node keeps one for each version of
// itself and of our files, and runs what it finds there: so nobody else may be able to write to it.

import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join, sep } from 'node:path';
import { openCacheFolder } from './cache-folder.ts';
import { Doubt, doubtOfFile, openOwnFolder } from './own-files.ts';

const mostFiles = 1_000;
const mostBytes = 64 * 2 ** 20;

/** Makes the engine keep its code of everything that is loaded from now on; gives why it must not. */
export function keepCode(): Doubt | null {
  try {
    const above = openCacheFolder();
    const folder = typeof above === 'string' ? openOwnFolder(join(above, 'code')) : above;
    if (folder === null) return null;
    const doubt = folder instanceof Doubt ? folder : checkContent(folder);
    if (doubt === null) enableCompileCache(folder as string);
    return doubt;
  } catch {
    // Without a way to check the folder, nothing is kept.
    return null;
  }
}

/**
 * Checks every file, since others may have put it there while they could; removes the files if they have become too
 * many. Each start looks at all of them, so that it makes no more of them than it needs: Node's own walk through
 * folders takes twice as long, and has the engine optimise what it makes paths with.
 */
function checkContent(folder: string): Doubt | null {
  const folders = [folder];
  let files = 0;
  let bytes = 0;
  for (let next = folders.pop(); next !== undefined; next = folders.pop())
    for (const name of readdirSync(next)) {
      const path = next + sep + name;
      // Another command may have replaced the file meanwhile.
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats === undefined) continue;
      if (stats.isDirectory()) {
        folders.push(path);
        continue;
      }
      const doubt = doubtOfFile(path, stats);
      if (doubt !== null) return doubt;
      files += 1;
      bytes += stats.size;
    }
  if (files > mostFiles || bytes > mostBytes)
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
  return null;
}
