// Workers of browsers. Bundlers recognise the worker's file by the expression that starts it, so this expression must
// not be split.

import { HostError, InternalError } from '../errors/errors.ts';
import type { WorkerStarter } from '../worker/machine.ts';
import type { FromWorker, ToWorker, WorkerThread } from '../worker/messages.ts';

/** The part of a browser's Worker that is used here. */
declare class Worker {
  constructor(url: string | URL, options: { readonly type: 'module'; readonly name: string });
  onmessage: ((event: { readonly data: FromWorker }) => void) | null;
  onerror: ((event: { readonly message?: string; readonly preventDefault: () => void }) => void) | null;
  postMessage(message: ToWorker): void;
  terminate(): void;
}

/** Some browsers do not report the number of cores. */
export const browserWorkers: WorkerStarter = {
  start: startBrowserWorker,
  cores: () =>
    (globalThis as { readonly navigator?: { readonly hardwareConcurrency?: number } }).navigator?.hardwareConcurrency ??
    2,
};

/** Starts a worker; `url` is the place of its file, if not beside this one. */
function startBrowserWorker(url?: string | URL): WorkerThread {
  const worker = tryToStart(url);
  return {
    post: (message) => worker.postMessage(message),
    listen: (takeMessage, takeEnd) => {
      worker.onmessage = ({ data }) => takeMessage(data);
      worker.onerror = (event) => {
        event.preventDefault();
        takeEnd(endOf(event.message));
      };
    },
    // A worker lives as long as its page.
    keepAlive: () => {},
    end: () => worker.terminate(),
  };
}

function tryToStart(url: string | URL | undefined): Worker {
  try {
    return url === undefined
      ? new Worker(new URL('./sluice-worker.js', import.meta.url), { type: 'module', name: 'sluice' })
      : new Worker(url, { type: 'module', name: 'sluice' });
  } catch {
    // For example, if the file is of another origin.
    throw endOf(undefined);
  }
}

/** The message is undefined if the file could not be loaded. */
function endOf(message: string | undefined): Error {
  if (message !== undefined && message !== '') return new InternalError(`the worker failed: ${message}`, [], message);
  return new HostError(
    'the worker cannot be started: its file, that of sluice-host/worker, is not where the option workerUrl says, ' +
      'by default beside the host, or the page may not load it',
  );
}
