// The worker's side of compiling in a worker: compiles one script, asking for imported files where the caller is.

import type { CompileTask, ReaderQuestion } from './compile-in-worker.ts';
import { compile } from './compile.ts';
import { pluginMark } from './library/plugins.ts';
import type { FoundSource, MissingSource, SourceReader } from './source-reader.ts';

interface Port {
  postMessage(message: unknown): void;
}

interface Threads {
  readonly workerData: CompileTask;
  readonly parentPort: Port;
  readonly receiveMessageOnPort: (port: Port) => { readonly message: unknown } | undefined;
}

const { process } = globalThis as unknown as {
  readonly process: { readonly getBuiltinModule: (name: string) => unknown };
};
const { workerData, parentPort, receiveMessageOnPort } = process.getBuiltinModule('worker_threads') as Threads;
const { name, text, options, plugins, reader } = workerData;

/** Waits for the caller's answer, as a reader must. */
function askCaller({ port, answered }: NonNullable<CompileTask['reader']>, question: ReaderQuestion): unknown {
  (port as Port).postMessage(question);
  Atomics.wait(answered, 0, 0);
  Atomics.store(answered, 0, 0);
  return receiveMessageOnPort(port as Port)!.message;
}

function readerOf(link: NonNullable<CompileTask['reader']>): SourceReader {
  return {
    read: (path, importer) => askCaller(link, { ask: 'read', path, importer }) as FoundSource | MissingSource,
    identify: (file) => askCaller(link, { ask: 'identify', name: file }) as string,
  };
}

const { diagnostics, artifact } = await compile(name, text, {
  ...options,
  plugins: plugins.map((plugin) => ({ [pluginMark]: plugin })),
  ...(reader === null ? {} : { reader: readerOf(reader) }),
});
parentPort.postMessage({ diagnostics, program: null, artifact });
