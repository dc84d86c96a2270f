// The package sluice-map, which is installed by those who use it.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as SluiceMap from '../../map/index.ts';
import { UsageError } from './exit.ts';

/** The package beside this one, or in the folder that the command is used in. */
export async function loadMap(): Promise<typeof SluiceMap> {
  for (const from of [import.meta.url, pathToFileURL(join(process.cwd(), 'index.js')).href]) {
    let path: string;
    try {
      path = createRequire(from).resolve('sluice-map');
    } catch {
      continue;
    }
    try {
      return (await import(pathToFileURL(path).href)) as typeof SluiceMap;
    } catch (error) {
      const reason = (error as Error).message;
      throw new UsageError(`the package sluice-map is installed, but cannot be loaded: ${reason}`);
    }
  }
  throw new UsageError('sluice map is a package of its own, which is not installed: npm install sluice-map');
}
