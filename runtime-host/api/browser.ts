// The runtime host for browsers: everything of index.ts, with the platform of a page. There are no files and no
// environment unless the page supplies them; createMemoryPlatform makes some in memory.

import { HostError } from '../errors/errors.ts';
import { loadScript as loadModule } from './host.ts';
import type { LoadOptions, ModuleSource, Script, ScriptOptions } from './host.ts';
import { ownOptions, readOption } from '../primordials/own-options.ts';
import { isInstance } from '../primordials/untampered.ts';
import { createBrowserPlatform, fetchBytes } from '../browser/platform.ts';
import { unknownStacks } from '../worker/machine.ts';
import type { AnyScript, ScriptTypes } from '../run/script-types.ts';

export * from './index.ts';
export { createBrowserPlatform } from '../browser/platform.ts';

/**
 * Makes a script of a module: its bytes, a compiled module, or a URL. `sluice types` writes the type for the type
 * parameter.
 */
export async function loadScript<Types extends ScriptTypes = AnyScript>(
  source: ModuleSource | string | URL,
  ...given: LoadOptions<Types>
): Promise<Script<Types>> {
  const options = ownOptions<ScriptOptions>(given[0]);
  const module = typeof source === 'string' || isInstance(source, URL) ? await fetchModule(source) : source;
  return loadModule<Types>(
    module,
    { ...options, platform: options.platform ?? createBrowserPlatform() },
    {
      memory: null,
      stacks: unknownStacks,
      findChangedBuiltIn: () => null,
      startWorker: async () => (await import('../browser/worker.ts')).browserWorkers,
    },
  );
}

async function fetchModule(url: string | URL): Promise<Uint8Array> {
  const place = readOption('the URL of the module', () => String(url));
  const found = await fetchBytes(place);
  if (found === null) throw new HostError(`cannot load ${place}: it cannot be fetched from here`);
  if (typeof found === 'number') throw new HostError(`cannot load ${place}: the status of the answer is ${found}`);
  return found;
}
