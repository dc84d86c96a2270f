// The package sluice-map, which is installed by those who use it.

import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as SluiceMap from '../../map/index.ts';
import { UsageError } from './exit.ts';

/** How many Node has if nobody says so. */
const usualThreads = 4;

/** The package beside this one, or in the folder that the command is used in. */
export async function loadMap(threads = availableParallelism()): Promise<typeof SluiceMap> {
  // Each partition has a query in one of Node's threads for files until it is done. Their number is read when the first
  // of them is wanted.
  process.env['UV_THREADPOOL_SIZE'] ??= String(Math.max(usualThreads, threads + 1));
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
