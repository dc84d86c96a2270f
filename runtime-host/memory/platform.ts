// A platform without access to the machine: files in memory, and system properties from its options.

import { HostError } from '../errors/errors.ts';
import {
  checkOptionKinds,
  checkOptionNames,
  isFlag,
  isFunction,
  isObject,
  isText,
  listOption,
  ownOptions,
  recordOption,
} from '../primordials/own-options.ts';
import type { OptionKind } from '../primordials/own-options.ts';
import { isInstance } from '../primordials/untampered.ts';
import { FileFault } from '../platform/platform.ts';
import { MemoryFiles } from './files.ts';
import type { MemoryFilesOptions } from './files.ts';
import { createMemoryHttp } from './http.ts';
import type { MemoryServer } from './http.ts';
import type { Platform, SystemProperty } from '../platform/platform.ts';

/** The initial content of a platform in memory. */
export interface MemoryPlatformOptions extends MemoryFilesOptions {
  /** Answers in place of the network; without it there is no network. */
  readonly server?: MemoryServer;
  /** What Env.system answers; null for a property that is left out. */
  readonly system?: Readonly<Partial<Record<SystemProperty, string>>>;
}

/** A platform without access to the machine, and a view of its files. */
export interface MemoryPlatform extends Platform {
  readonly files: MemoryFiles;
}

const isContent = (value: unknown): value is string | Uint8Array => isText(value) || isInstance(value, Uint8Array);

const optionKinds = {
  files: { takes: isObject, what: 'an object with a text, or bytes, for each path' },
  directories: { takes: Array.isArray, what: 'a list of paths' },
  links: { takes: isObject, what: 'an object with a path for each path' },
  baseDir: { takes: isText, what: 'a path' },
  caseSensitive: isFlag,
  clock: { takes: isFunction, what: 'a function that gives milliseconds' },
  server: { takes: isFunction, what: 'a function that takes a request and gives an answer' },
  system: { takes: isObject, what: 'an object with a text for each property' },
} as const satisfies Readonly<Record<keyof MemoryPlatformOptions, OptionKind>>;

/**
 * Makes a platform for browsers, for tests, and for scripts that should see only files of their own. Throws HostError
 * for invalid options.
 */
export function createMemoryPlatform(given: MemoryPlatformOptions = {}): MemoryPlatform {
  const options = ownOptions(given);
  checkOptionNames(options, optionKinds);
  checkOptionKinds(options, optionKinds);
  const { server, files, directories = [], links, system: told, ...rest } = options;
  const { what } = optionKinds.system;
  const system = recordOption('system', told, isText, what) as NonNullable<MemoryPlatformOptions['system']>;
  return {
    files: filesOf({
      ...rest,
      files: recordOption('files', files, isContent, optionKinds.files.what),
      directories: listOption('directories', directories, isText, optionKinds.directories.what),
      links: recordOption('links', links, isText, optionKinds.links.what),
    }),
    http: server === undefined ? null : createMemoryHttp(server),
    system: (property) => system[property] ?? null,
  };
}

/** Throws HostError if two files have the same path. */
function filesOf(options: MemoryFilesOptions): MemoryFiles {
  try {
    return new MemoryFiles(options);
  } catch (error) {
    if (!isInstance(error, FileFault)) throw error;
    throw new HostError('the options files, directories and links do not go together: one is in the place of another', {
      cause: error,
    });
  }
}
