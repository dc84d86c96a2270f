// Where the command line keeps what it need not do twice, and the first use of it: what the engine has made of our own
// JavaScript. Node keeps one for each version of itself and of our files, and does without where it cannot write.

import { mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder of this user that other programs leave alone. */
export function cacheFolder(): string {
  const { XDG_CACHE_HOME: given } = process.env;
  return join(given === undefined || given === '' ? join(homedir(), '.cache') : given, 'sluice');
}

/** Has the engine keep its code of everything that is loaded from now on. */
export function keepCode(): void {
  const folder = join(cacheFolder(), 'code');
  try {
    // Made here, since Node would let others into it whom the system's usual rights let in.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return;
  }
  enableCompileCache(folder);
}
