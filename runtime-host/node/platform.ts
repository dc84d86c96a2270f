// Node as a platform: the files of this machine, its network, and its system properties.

import { release } from 'node:os';
import { resolve } from 'node:path';
import {
  checkOptionKinds,
  checkOptionNames,
  isFunction,
  isText,
  listOption,
  ownOptions,
} from '../primordials/own-options.ts';
import type { OptionKind } from '../primordials/own-options.ts';
import { createNodeFiles } from './files.ts';
import { createNodeHttp } from './http.ts';
import type { NodeHttpOptions } from './http.ts';
import type { Platform, SystemProperty } from '../platform/platform.ts';

/** What a platform of Node shows of this machine. */
export interface NodePlatformOptions extends NodeHttpOptions {
  /** The start of a script's relative paths; the current working directory if left out. */
  readonly baseDir?: string;
}

const optionKinds = {
  baseDir: { takes: isText, what: 'a path' },
  resolve: { takes: isFunction, what: 'a function that takes a name and gives a promise of its addresses' },
  certificateAuthorities: { takes: Array.isArray, what: 'a list of certificates, texts in PEM' },
} as const satisfies Readonly<Record<keyof NodePlatformOptions, OptionKind>>;

/** Makes a platform, which any number of scripts can use. Throws HostError for invalid options. */
export function createNodePlatform(given: NodePlatformOptions = {}): Platform {
  const options = ownOptions(given);
  checkOptionNames(options, optionKinds);
  checkOptionKinds(options, optionKinds);
  const { certificateAuthorities: listed = [], ...rest } = options;
  const certificateAuthorities = listOption(
    'certificateAuthorities',
    listed,
    isText,
    optionKinds.certificateAuthorities.what,
  );
  return {
    files: createNodeFiles(resolve(options.baseDir ?? '.')),
    http: createNodeHttp({ ...rest, certificateAuthorities }),
    system: (property) => properties[property](),
  };
}

const systemNames: Readonly<Record<string, string>> = { darwin: 'macos', win32: 'windows' };

const properties: Readonly<Record<SystemProperty, () => string | null>> = {
  'os.name': () => systemNames[process.platform] ?? process.platform,
  'os.arch': () => process.arch,
  'os.version': () => release(),
  'runtime.name': () => runtime().name,
  'runtime.version': () => runtime().version,
  'user.locale': () => Intl.DateTimeFormat().resolvedOptions().locale,
  'user.timezone': () => Intl.DateTimeFormat().resolvedOptions().timeZone,
};

/** Deno and Bun give their own versions besides Node's. */
function runtime(): { readonly name: string; readonly version: string } {
  const { deno, bun, node } = process.versions;
  if (deno !== undefined) return { name: 'deno', version: deno };
  return bun === undefined ? { name: 'node', version: node } : { name: 'bun', version: bun };
}
