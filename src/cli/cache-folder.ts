// Where the command line keeps what it need not do twice: a folder that is the caller's own, or none.

import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { escapeControls } from '../diagnostics/display.ts';
import { stderr } from './output.ts';
import { Doubt, openOwnFolder } from './own-files.ts';

/** The folder; null where there is none, or none that can be trusted. */
export function cacheFolder(): string | null {
  const folder = openCacheFolder();
  return folder instanceof Doubt ? null : folder;
}

/** As cacheFolder, and says why one is not trusted. */
export function openCacheFolder(): string | Doubt | null {
  const home = cacheHome();
  return home === null ? null : openOwnFolder(join(home, 'sluice'));
}

/** A line for who called the command. */
export function tellDoubt(what: string, { path, text }: Doubt, consequence: string): void {
  stderr.line(`sluice: ${what}: ${escapeControls(path)} ${text}; ${consequence}`);
}

/**
 * Where this user's programs keep such things; a relative path would mean another place in each directory, and is
 * ignored.
 */
function cacheHome(): string | null {
  const { XDG_CACHE_HOME: given } = process.env;
  if (given !== undefined && isAbsolute(given)) return given;
  try {
    const home = homedir();
    return isAbsolute(home) ? join(home, '.cache') : null;
  } catch {
    // Nobody of that number is known to the system.
    return null;
  }
}
