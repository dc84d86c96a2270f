// Node as a platform: the files of this machine, its network, and what it says of the system.

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

/** What of this machine a platform of Node shows. */
export interface NodePlatformOptions extends NodeHttpOptions {
  /** Where relative paths of scripts begin: the working directory of the moment, if left out. */
  readonly baseDir?: string;
}

const optionKinds = {
  baseDir: { takes: isText, what: 'a path' },
  resolve: { takes: isFunction, what: 'a function that takes a name and gives a promise of its addresses' },
  certificateAuthorities: { takes: Array.isArray, what: 'a list of certificates, texts in PEM' },
} as const satisfies Readonly<Record<keyof NodePlatformOptions, OptionKind>>;

/** Made once for as many scripts as wanted. Throws HostError for options that are none. */
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

/** Deno and Bun give their own versions beside Node's. */
function runtime(): { readonly name: string; readonly version: string } {
  const { deno, bun, node } = process.versions;
  if (deno !== undefined) return { name: 'deno', version: deno };
  return bun === undefined ? { name: 'node', version: node } : { name: 'bun', version: bun };
}
