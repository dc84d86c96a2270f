// The folder of the command line's caches: one that only the caller can write to, or none.

import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { Doubt, openOwnFolder } from './own-files.ts';

/** The folder; null if there is none, or none that can be trusted. */
export function cacheFolder(): string | null {
  const folder = openCacheFolder();
  return folder instanceof Doubt ? null : folder;
}

/** As cacheFolder, but says why a folder is not trusted. */
export function openCacheFolder(): string | Doubt | null {
  const home = cacheHome();
  return home === null ? null : openOwnFolder(join(home, 'sluice'));
}

/**
 * The folder in which this user's programs keep caches. A relative path would be a different folder in each directory,
 * and is ignored.
 */
function cacheHome(): string | null {
  const { XDG_CACHE_HOME: given } = process.env;
  if (given !== undefined && isAbsolute(given)) return given;
  try {
    const home = homedir();
    return isAbsolute(home) ? join(home, '.cache') : null;
  } catch {
    // The system knows no user of that number.
    return null;
  }
}
