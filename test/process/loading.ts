// What all tests of processes start from.

import type { Script, ScriptOptions } from '../../runtime-host/api/node.ts';
import { load as loadIsolated } from '../worker/loading.ts';

export { workerUrl } from '../worker/loading.ts';

export function load(text: string, options: ScriptOptions = {}): Promise<Script> {
  return loadIsolated(text, { isolation: 'process', ...options });
}
