// A platform that touches nothing: files in memory, and a system that is what it is told to be.

import { checkOptionNames, ownOptions } from '../primordials/own-options.ts';
import { MemoryFiles } from './files.ts';
import type { MemoryFilesOptions } from './files.ts';
import { createMemoryHttp } from './http.ts';
import type { MemoryServer } from './http.ts';
import type { Platform, SystemProperty } from '../platform/platform.ts';

/** What is in a platform in memory at first. */
export interface MemoryPlatformOptions extends MemoryFilesOptions {
  /** Answers in place of the network; without it there is none. */
  readonly server?: MemoryServer;
  /** What Env.system tells; null for what is left out. */
  readonly system?: Readonly<Partial<Record<SystemProperty, string>>>;
}

/** A platform that touches nothing, and a look at its files. */
export interface MemoryPlatform extends Platform {
  readonly files: MemoryFiles;
}

/** In browsers, for tests, and for scripts that shall see no files but their own. */
export function createMemoryPlatform(given: MemoryPlatformOptions = {}): MemoryPlatform {
  const options = ownOptions(given);
  checkOptionNames(options, {
    files: true,
    directories: true,
    links: true,
    baseDir: true,
    caseSensitive: true,
    clock: true,
    server: true,
    system: true,
  });
  const { server } = options;
  const system = ownOptions(options.system, 'system');
  return {
    files: new MemoryFiles(options),
    http: server === undefined ? null : createMemoryHttp(server),
    system: (property) => system[property] ?? null,
  };
}
