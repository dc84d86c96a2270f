// A platform that touches nothing: files in memory, and a system that is what it is told to be.

import { createMemoryFiles } from './memory-files.ts';
import type { MemoryFiles, MemoryFilesOptions } from './memory-files.ts';
import type { Platform, SystemProperty } from './platform.ts';

export interface MemoryPlatformOptions extends MemoryFilesOptions {
  /** What Env.system tells; null for what is left out. */
  readonly system?: Readonly<Partial<Record<SystemProperty, string>>>;
}

export interface MemoryPlatform extends Platform {
  readonly files: MemoryFiles;
}

/** In browsers, for tests, and for scripts that shall see no files but their own. */
export function createMemoryPlatform(options: MemoryPlatformOptions = {}): MemoryPlatform {
  const { system = {} } = options;
  return { files: createMemoryFiles(options), http: null, system: (property) => system[property] ?? null };
}
