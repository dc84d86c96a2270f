// Compiling in a worker of Node: the caller's thread stays free, and what takes too long or too much memory is ended
// for certain. What comes of it is what compile gives in the thread, without the checked program.

import { markCompiled } from './abi/provenance.ts';
import type { CompileOptions, CompileResult } from './compile.ts';
import { createDiagnostic } from './diagnostics/catalog.ts';
import type { DeclaredPlugin } from './library/plugins.ts';
import { declarationOf, readPlugins } from './library/plugins.ts';
import { createSourceFile } from './source.ts';
import type { SourceReader } from './source-reader.ts';

/** What the worker is given. Of a plugin it gets what is declared: no function of it runs there. */
export interface CompileTask {
  readonly name: string;
  readonly text: string;
  readonly options: Omit<CompileOptions, 'reader' | 'plugins' | 'signal' | 'worker'>;
  readonly plugins: readonly DeclaredPlugin[];
  /** Where the caller's reader is asked, and what is set when it has answered; null without a reader. */
  readonly reader: { readonly port: unknown; readonly answered: Int32Array } | null;
}

export type ReaderQuestion =
  | { readonly ask: 'read'; readonly path: string; readonly importer: string }
  | { readonly ask: 'identify'; readonly name: string };

/** What is used of Node's `worker_threads`, which no file that browsers load may import. */
interface Threads {
  readonly Worker: new (
    file: URL,
    options: object,
  ) => {
    on(event: 'message', take: (result: CompileResult) => void): void;
    on(event: 'error', take: (error: Error & { readonly code?: string }) => void): void;
    on(event: 'exit', take: () => void): void;
    terminate(): Promise<number>;
  };
  readonly MessageChannel: new () => { readonly port1: Port; readonly port2: unknown };
}

interface Port {
  on(event: 'message', take: (question: ReaderQuestion) => void): void;
  postMessage(answer: unknown): void;
  close(): void;
}

/** Written so that no bundler takes it for a file to be copied: it is nothing without the parts that it imports. */
const workerFile = import.meta.url.replace(
  /[^/]+$/,
  import.meta.url.endsWith('.ts') ? 'compile-worker-main.ts' : 'compile-worker-main.js',
);

/**
 * Rejects with the signal's reason, with what the reader throws, and with TypeError where there are no workers of Node.
 */
export async function compileInWorker(name: string, text: string, options: CompileOptions): Promise<CompileResult> {
  const { reader, plugins, signal, worker: _isWanted, wasmUrl, ...others } = options;
  const threads = threadsOfNode();
  signal?.throwIfAborted();
  const { port1, port2 } = new threads.MessageChannel();
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const task: CompileTask = {
    name,
    text,
    options: wasmUrl === undefined ? others : { ...others, wasmUrl: String(wasmUrl) },
    plugins: readPlugins(plugins).map(declarationOf),
    reader: reader === undefined ? null : { port: port2, answered },
  };
  const memoryBytes = options.limits?.memoryBytes;
  const worker = new threads.Worker(new URL(workerFile), {
    name: 'sluice compile',
    env: {},
    execArgv: [],
    workerData: task,
    transferList: [port2],
    resourceLimits: memoryBytes === undefined ? {} : { maxOldGenerationSizeMb: Math.ceil(memoryBytes / 2 ** 20) },
  });
  const tooMuch = (what: string): CompileResult => {
    const span = { file: createSourceFile(name, text), start: 0, end: 0 };
    return { diagnostics: [createDiagnostic('takesTooMuch', span, { what })], program: null, artifact: null };
  };
  let stopWaiting = (): void => {};
  try {
    return await new Promise<CompileResult>((resolve, reject) => {
      const timeMs = options.limits?.timeMs;
      const timer =
        timeMs === undefined
          ? undefined
          : setTimeout(() => resolve(tooMuch(`longer than ${timeMs} ms`)), Math.min(timeMs, 2 ** 31 - 1));
      const abort = (): void => reject(signal!.reason);
      signal?.addEventListener('abort', abort, { once: true });
      stopWaiting = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      worker.on('message', (result) => {
        if (result.artifact !== null) markCompiled(result.artifact.wasm);
        resolve(result);
      });
      worker.on('error', (error) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
          resolve(
            tooMuch(
              memoryBytes === undefined ? 'more memory than there is' : `more than ${memoryBytes} bytes of memory`,
            ),
          );
        else reject(error);
      });
      worker.on('exit', () => reject(new Error('the worker that compiles ended by itself')));
      if (reader === undefined) return;
      port1.on('message', (question) => {
        try {
          port1.postMessage(answer(reader, question));
        } catch (error) {
          reject(error);
          return;
        }
        Atomics.store(answered, 0, 1);
        Atomics.notify(answered, 0);
      });
    });
  } finally {
    stopWaiting();
    port1.close();
    await worker.terminate();
  }
}

function answer(reader: SourceReader, question: ReaderQuestion): unknown {
  return question.ask === 'read' ? reader.read(question.path, question.importer) : reader.identify(question.name);
}

function threadsOfNode(): Threads {
  const { process } = globalThis as { readonly process?: { readonly getBuiltinModule?: (name: string) => unknown } };
  const found = process?.getBuiltinModule?.('worker_threads');
  if (found === undefined)
    throw new TypeError(
      'the option worker takes a worker of Node: elsewhere call compile in a worker of your own, and end that',
    );
  return found as Threads;
}
