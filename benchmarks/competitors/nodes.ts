// The Nodes that JavaScript and Sluice are measured on: the one that runs the suite, and Node 24, whose engine is
// older and on some kernels quicker. SLUICE_NODE24 names another program for the latter.

import { toolVersion } from './competitor.ts';

export interface Node {
  /** What is put behind an id for it. */
  readonly suffix: string;
  readonly title: string;
  readonly program: string;
  readonly install: string;
}

export const nodes: readonly Node[] = [
  { suffix: '', title: `Node ${process.versions.node.split('.')[0]}`, program: process.execPath, install: 'nothing' },
  {
    suffix: '-node24',
    title: 'Node 24',
    program: process.env['SLUICE_NODE24'] ?? new URL('../node_modules/node24/bin/node', import.meta.url).pathname,
    install: 'npm ci --prefix benchmarks, or the path of one in SLUICE_NODE24',
  },
];

export async function nodeVersion({ program }: Node): Promise<string | null> {
  const version = await toolVersion(program);
  return version === null ? null : `Node ${version}`;
}
