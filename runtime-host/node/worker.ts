// Workers of Node: threads whose own stack is large enough for deep recursion, and which do not see the environment.

import { AsyncLocalStorage } from 'node:async_hooks';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { WorkerOptions } from 'node:worker_threads';
import { HostError, InternalError, ScriptError } from '../errors/errors.ts';
import { describeThrown } from '../errors/failures.ts';
import { ownOptions } from '../primordials/own-options.ts';
import { workerStackMiB } from './stacks.ts';
import type { WorkerStarter } from '../worker/machine.ts';
import type { FromWorker, WorkerThread } from '../worker/messages.ts';

/** Without prototypes: Node would read missing options from Object.prototype. */
const workerOptions: WorkerOptions = ownOptions({
  name: 'sluice',
  env: ownOptions<Record<string, string>>({}),
  execArgv: [],
  resourceLimits: ownOptions({ stackSizeMb: workerStackMiB }),
});

/**
 * The file of workers and processes: beside this one, in the package and in the bundle of the command. Throws HostError
 * in a bundle that is no ES module, which does not know where it is.
 */
export function workerFile(): URL {
  try {
    return new URL(import.meta.url.endsWith('.ts') ? './worker-main.ts' : './worker-main.js', import.meta.url);
  } catch (cause) {
    throw new HostError(
      'the file of the worker is not known, since a bundle that is no ES module does not know where it is itself: ' +
        'say where the file of sluice-host/worker is with the option workerUrl',
      { cause },
    );
  }
}

export const nodeWorkers: WorkerStarter = {
  start: startNodeWorker,
  cores: availableParallelism,
  makeContext: <Store>() => new AsyncLocalStorage<Store>(),
};

/** Starts a worker; `url` is the place of its file, if not beside this one. */
function startNodeWorker(url: string | URL = workerFile()): WorkerThread {
  const worker = tryToStart(url);
  let onMessage = (_message: FromWorker): void => {};
  let onEnd = (_error: Error): void => {};
  worker.on('message', (message: FromWorker) => onMessage(message));
  worker.on('error', (error: Error & { readonly code?: string }) => onEnd(endOf(error, url)));
  worker.on('exit', () => onEnd(new InternalError('the worker ended by itself', [], null)));
  return {
    post: (message) => worker.postMessage(message),
    listen: (takeMessage, takeEnd) => {
      onMessage = takeMessage;
      onEnd = takeEnd;
    },
    keepAlive: (keeps) => {
      if (keeps) worker.ref();
      else worker.unref();
    },
    // Node answers such a question even while the thread computes; Deno and Bun do not have it.
    ...(typeof worker.getHeapStatistics === 'function'
      ? { whenResponsive: () => worker.getHeapStatistics().then(() => {}) }
      : {}),
    // Bun does not have it either, and writes an error to the user's terminal when asked.
    ...(process.versions['bun'] === undefined ? { idleMs: () => idleMsOf(worker) } : {}),
    end: () => worker.terminate().then(() => {}),
  };
}

/**
 * The idle time of the worker's event loop, which does not exist before the file has been read. Deno lacks it, or
 * throws.
 */
function idleMsOf({ performance }: Worker): number {
  try {
    return performance.eventLoopUtilization().idle;
  } catch {
    return 0;
  }
}

/** Throws HostError. */
function tryToStart(url: string | URL): Worker {
  try {
    return new Worker(url, workerOptions);
  } catch (error) {
    const { code } = error as { readonly code?: string };
    if (code === 'ERR_WORKER_PATH' || code === 'ERR_INVALID_ARG_TYPE')
      throw new HostError(`the option workerUrl is a file URL or an absolute path, not ${String(url)}`);
    throw new HostError('no worker can be started here', { cause: error });
  }
}

/** The reason why a worker ended, by the code of Node's error. */
const ends: Readonly<Record<string, (url: string | URL) => Error>> = {
  ERR_MODULE_NOT_FOUND: missingFile,
  MODULE_NOT_FOUND: missingFile,
  ERR_WORKER_OUT_OF_MEMORY: () =>
    new ScriptError('MemoryLimitError', 'the script uses more memory than its worker has', []),
};

export function missingFile(url: string | URL): Error {
  return new HostError(
    `the file of the worker is not there: ${String(url)}. Where the host has been bundled, ` +
      'put the file of sluice-host/worker beside it, or say where it is with the option workerUrl',
  );
}

function endOf(error: Error & { readonly code?: string }, url: string | URL): Error {
  return (
    (Object.hasOwn(ends, error.code ?? '') ? ends[error.code!]!(url) : null) ??
    new InternalError(`the worker failed: ${describeThrown(error)}`, [], error)
  );
}
