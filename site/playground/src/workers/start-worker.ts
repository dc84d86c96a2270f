// Starts the workers of the page.

import { boundUrl } from './bound-worker.ts';
import scriptWorkerUrl from './script-worker.ts?worker&url';
// oxlint-disable-next-line import/default -- The bundler makes it.
import workerUrl from './worker.ts?worker&url';

export type Role = 'engine' | 'language-server';

export function startWorker(name: Role): Worker {
  return new Worker(boundUrl(workerUrl), { type: 'module', name });
}

/** A worker for scripts, which talks to the engine through the port. */
export function startScriptWorker(port: MessagePort): Worker {
  const worker = new Worker(boundUrl(scriptWorkerUrl), { type: 'module', name: 'script' });
  worker.postMessage(null, [port]);
  return worker;
}
