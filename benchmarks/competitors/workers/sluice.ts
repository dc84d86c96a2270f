// A kernel in Sluice, compiled before, in a process of its own: node sluice.ts MODULE.wasm N [limited]. The host is the
// built package, as users have it.

import { loadScript } from 'sluice-host';
import { serve } from './serve.ts';

const [file, n, limited] = process.argv.slice(2) as [string, string, string?];
/** So much that no kernel comes near it. */
const limits = { fuel: 1e15, timeMs: 3_600_000, memoryBytes: 2 ** 33, depthBytes: 524_288, outputItems: 1e9 };
const script = await loadScript(file, limited === undefined ? {} : { limits });
await serve(() => script.run({ n: Number(n) }).result);
