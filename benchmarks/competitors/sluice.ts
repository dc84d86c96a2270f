// Sluice itself: compiled in the suite's process, loaded and run by the host in one of its own.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from '../../src/compile.ts';
import type { CompileOptions } from '../../src/compile.ts';
import type { Kernel } from '../suite/kernels.ts';
import { sourcePath } from './competitor.ts';
import type { Competitor } from './competitor.ts';
import { nodes, nodeVersion } from './nodes.ts';
import { processStart } from './session.ts';

/** A way to compile. What an option costs is a further one, and a row of suite/comparisons.ts that divides the two. */
interface Variant {
  readonly suffix: string;
  readonly title: string;
  readonly flags: string;
  readonly options: CompileOptions;
  /** Runs are held to limits that they do not reach. */
  readonly isLimited: boolean;
}

const variants: readonly Variant[] = [
  { suffix: '', title: 'Sluice', flags: 'no guards', options: { guards: {} }, isLimited: false },
  {
    suffix: '-limits',
    title: 'Sluice with limits',
    flags: 'guards of fuel, time, memory and depth, and limits',
    options: {},
    isLimited: true,
  },
];

const worker = new URL('workers/sluice.ts', import.meta.url).pathname;

/** Every variant on every Node. */
export const sluice: readonly Competitor[] = variants.flatMap(({ suffix, title, flags, options, isLimited }) =>
  nodes.map((node) => ({
    id: `sluice${suffix}${node.suffix}`,
    title: node.suffix === '' ? title : `${title}, ${node.title}`,
    source: 'main.slu',
    flags,
    install: node.install,
    version: async () => nodeVersion(node),
    build: async (kernel, output) => {
      const file = join(output, `${kernel.name}.sluice${suffix}.wasm`);
      writeFileSync(file, await compileKernel(kernel, options));
      return processStart(node.program, worker, file, String(kernel.n), ...(isLimited ? ['limited'] : []));
    },
  })),
);

/** The module of a kernel's main.slu. */
export async function compileKernel(kernel: Kernel, options: CompileOptions = { guards: {} }): Promise<Uint8Array> {
  const source = sourcePath(kernel, 'main.slu');
  const { artifact, diagnostics } = await compile(source, readFileSync(source, 'utf8'), options);
  if (artifact === null) throw new Error(`${source} does not compile: ${diagnostics[0]?.message}`);
  return artifact.wasm;
}
