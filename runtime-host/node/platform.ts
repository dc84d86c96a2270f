// Node as a platform: the files of this machine, its network, and what it says of the system.

import { release } from 'node:os';
import { resolve } from 'node:path';
import { checkOptionNames, ownOptions } from '../primordials/own-options.ts';
import { createNodeFiles } from './files.ts';
import { createNodeHttp } from './http.ts';
import type { NodeHttpOptions } from './http.ts';
import type { Platform, SystemProperty } from '../platform/platform.ts';

/** What of this machine a platform of Node shows. */
export interface NodePlatformOptions extends NodeHttpOptions {
  /** Where relative paths of scripts begin: the working directory of the moment, if left out. */
  readonly baseDir?: string;
}

/** Made once for as many scripts as wanted. */
export function createNodePlatform(given: NodePlatformOptions = {}): Platform {
  const options = ownOptions(given);
  checkOptionNames(options, { baseDir: true, resolve: true, certificateAuthorities: true });
  return {
    files: createNodeFiles(resolve(options.baseDir ?? '.')),
    http: createNodeHttp(options),
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
