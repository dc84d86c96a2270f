// JavaScript as somebody writes it who knows the engine: typed arrays, rows held in variables, integers that stay
// integers. A matrix may be an array of rows or one flat array: where both are written, figures quote the better.

import { sourcePath } from './competitor.ts';
import type { Competitor } from './competitor.ts';
import { nodes, nodeVersion } from './nodes.ts';
import { processStart } from './session.ts';

const worker = new URL('workers/javascript.ts', import.meta.url).pathname;

/** A way to write it, and its file in a kernel's folder. */
const forms = [
  { suffix: '', title: 'JavaScript', source: 'main.js' },
  { suffix: '-flat', title: 'JavaScript, flat', source: 'main.flat.js' },
];

/** Every form on every Node. */
export const javascript: readonly Competitor[] = forms.flatMap(({ suffix, title, source }) =>
  nodes.map((node) => ({
    id: `javascript${suffix}${node.suffix}`,
    title: `${title}, ${node.title}`,
    source,
    flags: '',
    install: node.install,
    version: () => nodeVersion(node),
    build: async (kernel) => processStart(node.program, worker, sourcePath(kernel, source), String(kernel.n)),
  })),
);
