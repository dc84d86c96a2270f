// The main file of a worker of a browser: runs worker/worker-runtime.ts on the worker's port to the page.

import { serveOwner } from '../worker/worker-runtime.ts';
import type { FromWorker, ToWorker } from '../worker/messages.ts';

/** The part of a worker's global scope that is used here. */
interface WorkerScope {
  onmessage: ((event: { readonly data: ToWorker }) => void) | null;
  postMessage(message: FromWorker, moves: readonly ArrayBuffer[]): void;
}

const scope = globalThis as unknown as WorkerScope;
const take = serveOwner((message, moves = []) => scope.postMessage(message, moves), { memory: null, depthBytes: null });
scope.onmessage = ({ data }) => take(data);
