// Starts the workers of the page.

import { boundUrl } from './bound-worker.ts';
// oxlint-disable-next-line import/default -- The bundler makes it.
import workerUrl from './worker.ts?worker&url';

export type Role = 'engine' | 'language-server';

export function startWorker(name: Role): Worker {
  return new Worker(boundUrl(workerUrl), { type: 'module', name });
}
