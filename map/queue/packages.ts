// Packages that only some installations need. One that is missing is named, with what installs it.

import { MapError } from '../errors.ts';

/** The first of the packages, where all are there. Throws MapError, which names those that are missing. */
export async function loadPackages<Library>(what: string, names: readonly string[]): Promise<Library> {
  const missing: string[] = [];
  const loaded: unknown[] = [];
  for (const name of names)
    try {
      loaded.push(await import(name));
    } catch (error) {
      if (!['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes((error as NodeJS.ErrnoException).code ?? ''))
        throw error;
      missing.push(name);
    }
  if (missing.length > 0) throw new MapError(`${what} needs what is not installed: npm install ${missing.join(' ')}`);
  return loaded[0] as Library;
}
