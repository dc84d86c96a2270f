// AssemblyScript at its best: static arrays, unchecked access where a look shows that it fits, and the runtime
// whose collector works only when it is told to, so that no function pays for a shadow stack.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool, sourcePath } from './competitor.ts';
import type { Competitor } from './competitor.ts';
import { processStart } from './session.ts';

const packageFolder = new URL('../node_modules/assemblyscript/', import.meta.url).pathname;
const worker = new URL('workers/wasm.ts', import.meta.url).pathname;
const flags = ['-O3', '--converge', '--noAssert', '--runtime', 'minimal', '--exportRuntime', '--use', 'abort='];

export const assemblyScript: Competitor = {
  id: 'assemblyscript',
  title: 'AssemblyScript',
  source: 'main.as.ts',
  flags: flags.join(' '),
  install: 'npm ci --prefix benchmarks',
  version: async () => {
    const manifest = `${packageFolder}package.json`;
    return existsSync(manifest)
      ? `AssemblyScript ${(JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }).version}`
      : null;
  },
  build: async (kernel, output) => {
    const file = join(output, `${kernel.name}.as.wasm`);
    await runTool(process.execPath, [
      `${packageFolder}bin/asc.js`,
      sourcePath(kernel, 'main.as.ts'),
      ...flags,
      '-o',
      file,
    ]);
    return processStart(process.execPath, worker, file, String(kernel.n));
  },
};
