// The main file of a worker of Node: runs worker/worker-runtime.ts on Node's port to the owner. As the main file of a
// process it serves as that process.

import { parentPort } from 'node:worker_threads';
import { serveOwner } from '../worker/worker-runtime.ts';
import type { ToWorker } from '../worker/messages.ts';
import { memoryGauge } from './memory.ts';
import { serveAsProcess } from './process-main.ts';
import { workerDepth } from './stacks.ts';

if (parentPort === null) serveAsProcess();
const port = parentPort;
const take = serveOwner((message, moves = []) => port.postMessage(message, [...moves]), {
  memory: memoryGauge,
  depthBytes: workerDepth,
});
port.on('message', (message: ToWorker) => take(message));
