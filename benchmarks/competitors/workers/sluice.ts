// A kernel in Sluice, compiled before, in a process of its own: node sluice.ts MODULE.wasm N

import { loadScript } from '../../../runtime-host/node.ts';
import { serve } from './serve.ts';

const [file, n] = process.argv.slice(2) as [string, string];
const script = await loadScript(file);
await serve(() => script.run({ n: Number(n) }).result);
