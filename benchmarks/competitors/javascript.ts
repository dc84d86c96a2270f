// JavaScript as somebody writes it who knows the engine: typed arrays, rows held in variables, integers that stay
// integers.

import { sourcePath } from './competitor.ts';
import type { Competitor } from './competitor.ts';
import { nodes, nodeVersion } from './nodes.ts';
import { processStart } from './session.ts';

const worker = new URL('workers/javascript.ts', import.meta.url).pathname;

export const javascript: readonly Competitor[] = nodes.map((node) => ({
  id: `javascript${node.suffix}`,
  title: `JavaScript, ${node.title}`,
  source: 'main.js',
  flags: '',
  install: node.install,
  version: () => nodeVersion(node),
  build: async (kernel) => processStart(node.program, worker, sourcePath(kernel, 'main.js'), String(kernel.n)),
}));
