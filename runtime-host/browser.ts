// The runtime host for browsers: everything of index.ts, with the platform that a page has. There are no files and no
// environment unless the page supplies them; createMemoryPlatform makes some.

import { loadScript as loadModule } from './host.ts';
import type { ModuleSource, Script, ScriptOptions } from './host.ts';
import { createBrowserPlatform } from './platform/browser.ts';
import type { AnyScript, ScriptTypes } from './script-types.ts';

export * from './index.ts';
export { createBrowserPlatform } from './platform/browser.ts';

/** Makes a script of a module: its bytes, or a compiled module. `sluice types` writes the type parameter. */
export async function loadScript<Types extends ScriptTypes = AnyScript>(source: ModuleSource, options: ScriptOptions = {}): Promise<Script<Types>> {
  return loadModule<Types>(source, { platform: createBrowserPlatform(), ...options });
}
