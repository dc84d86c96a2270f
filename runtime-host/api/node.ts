// The runtime host for Node: everything of index.ts and plugins.ts, and modules by path or file URL.

import { readFile } from 'node:fs/promises';
import { HostError } from '../errors/errors.ts';
import { loadScript as loadModule } from './host.ts';
import type { LoadOptions, ModuleSource, Script, ScriptOptions } from './host.ts';
import { ownOptions, readOption } from '../primordials/own-options.ts';
import { isInstance } from '../primordials/untampered.ts';
import { nodeMachine } from '../node/machine.ts';
import { createNodePlatform } from '../node/platform.ts';
import type { AnyScript, ScriptTypes } from '../run/script-types.ts';

export * from './index.ts';
export * from './plugins.ts';
export { createNodePlatform } from '../node/platform.ts';
export type { NodePlatformOptions } from '../node/platform.ts';
export { formatLog } from '../replay/log.ts';

/**
 * Makes a script of a module: its bytes, a compiled module, a path, or a file URL. `sluice types` writes the type for
 * the type parameter.
 */
export async function loadScript<Types extends ScriptTypes = AnyScript>(
  source: ModuleSource | string | URL,
  ...given: LoadOptions<Types>
): Promise<Script<Types>> {
  const options = ownOptions<ScriptOptions>(given[0]);
  const module = typeof source === 'string' || isInstance(source, URL) ? await readModule(source) : source;
  return loadModule<Types>(module, { ...options, platform: options.platform ?? createNodePlatform() }, nodeMachine);
}

async function readModule(source: string | URL): Promise<Uint8Array> {
  const place = readOption('the URL of the module', () => String(source));
  if (typeof source !== 'string' && !place.startsWith('file:')) {
    throw new HostError(`cannot load ${place}: only file URLs are read here; fetch it and pass the bytes`);
  }
  if (place.endsWith('.slu')) {
    throw new HostError(
      `${place} is a script, and loadScript takes a module: compile it first, with compile() or sluice build`,
    );
  }
  try {
    return await readFile(typeof source === 'string' ? source : new URL(place));
  } catch (error) {
    const { code } = error as { code?: string };
    const why =
      code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a directory' : (code ?? 'unknown');
    throw new HostError(`cannot read ${place}: ${why}`);
  }
}
