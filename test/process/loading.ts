// What all tests of processes start from.

import { loadScript } from '../../runtime-host/api/node.ts';
import type { Script, ScriptOptions } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';

/** The file that is shipped: it starts faster than the sources. */
export const workerUrl = new URL('../../dist/runtime-host/node/worker-main.js', import.meta.url);

export async function load(text: string, options: ScriptOptions = {}): Promise<Script> {
  const { artifact, diagnostics } = await compile('test.slu', text);
  if (artifact === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return loadScript(artifact.wasm, { isolation: 'process', workerUrl, ...options });
}
