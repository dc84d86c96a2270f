// The engine: compiler and host in a worker. Scripts run in a worker of their own, which the page starts for it, and
// which can be ended whatever they do; this one stays free to hand on what they yield, in batches, and to ask for
// permissions.

import { compile, functionSizes, memoryReader, renderDiagnostic } from 'sluice';
import type { CompileResult } from 'sluice';
import { AbortError, createBrowserPlatform, createMemoryPlatform, loadScript, ScriptError } from 'sluice/host';
import type { MemoryPlatform, PermissionAnswer, PermissionRequest, ScriptRun } from 'sluice/host';
import type {
  Answer,
  Compiled,
  Failure,
  Files,
  Finished,
  FromEngine,
  RunRequest,
  ShownValue,
  Source,
  ToEngine,
} from './messages.ts';
import { home, scriptName } from '../names.ts';
import { PageFetch } from '../network/page-fetch.ts';
import { PageWorkers } from '../workers/page-worker.ts';
import { describeSystem, grantOf, keyOf, wishOf } from './permissions.ts';
import { Shower } from './shown-values.ts';

/** Values are handed on after so many milliseconds, or so many values. */
const batchMs = 32;
const batchItems = 5_000;

function say(message: FromEngine, moves: Transferable[] = []): void {
  postMessage(message, { transfer: moves });
}

class Engine {
  #compiled: { readonly result: CompileResult; readonly files: Files } | null = null;
  #run: ScriptRun | null = null;
  readonly #allowed = new Set<string>();
  readonly #asked = new Map<number, (answer: Answer) => void>();
  #wishes = 0;

  async take(message: ToEngine): Promise<void> {
    switch (message.kind) {
      case 'warm':
        await compile(scriptName, 'main() { return 0; }');
        return say({ kind: 'warmed', id: message.id });
      case 'compile':
        return say({ kind: 'compiled', id: message.id, compiled: await this.#compile(message) });
      case 'run':
        return say({ kind: 'finished', id: message.id, finished: await this.#start(message.request) });
      case 'stop':
        this.#run?.abort();
        this.#answerAll('deny');
        return undefined;
      case 'forget':
        return this.#allowed.clear();
      case 'answer':
        this.#asked.get(message.wish)?.(message.answer);
        this.#asked.delete(message.wish);
        return undefined;
      case 'from-network':
        return network.take(message.number, message.answer);
      case 'worker-failed':
        return workers.fail(message.worker, message.message);
    }
  }

  async #compile({ source: { text, files }, wantsText }: { source: Source; wantsText: boolean }): Promise<Compiled> {
    const begin = performance.now();
    const result = await compile(scriptName, text, { reader: memoryReader(files), text: wantsText });
    const milliseconds = performance.now() - begin;
    const { artifact, diagnostics } = result;
    this.#compiled = artifact === null ? null : { result, files };
    return {
      errors: diagnostics.filter(({ severity }) => severity === 'error').map((error) => renderDiagnostic(error)),
      milliseconds,
      program:
        artifact === null
          ? null
          : {
              manifest: artifact.manifest,
              bytes: artifact.wasm.length,
              functions: await functionSizes(artifact.wasm),
              text: artifact.text,
            },
    };
  }

  async #start({ arguments: values, limits, environment }: RunRequest): Promise<Finished> {
    const { result, files } = this.#compiled!;
    const artifact = result.artifact!;
    const memory = createMemoryPlatform({
      baseDir: home,
      files: Object.fromEntries(Object.entries(files).map(([path, text]) => [`${home}/${path}`, text])),
    });
    const shower = new Shower(artifact.manifest);
    say({ kind: 'views', views: shower.views });
    const batches = new Batches();
    const begin = performance.now();
    const ended = (result: ShownValue | null, error: unknown): Finished => ({
      result,
      failure: error === null || error instanceof AbortError ? null : failureOf(error),
      wasStopped: error instanceof AbortError,
      milliseconds: performance.now() - begin,
      fuel: this.#run?.fuelUsed ?? null,
      files: filesOf(memory.files),
    });
    try {
      const script = await loadScript(artifact.wasm, {
        isolation: 'worker',
        platform: { ...createBrowserPlatform(), files: memory.files, system: describeSystem },
        permissions: (request) => this.#ask(request),
        environment,
        limits: Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== null)),
      });
      const run = script.run(values);
      this.#run = run;
      await run.forEach((value, text) => batches.add(shower.show(value, text())));
      const text = await run.resultText;
      batches.flush();
      return ended(text === undefined ? null : shower.show((await run.result) ?? null, text), null);
    } catch (error) {
      batches.flush();
      return ended(null, error);
    } finally {
      this.#run = null;
    }
  }

  async #ask(request: PermissionRequest): Promise<PermissionAnswer> {
    const what = wishOf(request);
    if (what === null) return grantOf(request, 'deny');
    const key = keyOf(request);
    if (this.#allowed.has(key)) return grantOf(request, 'always');
    const wish = this.#wishes++;
    const answer = await new Promise<Answer>((resolve) => {
      this.#asked.set(wish, resolve);
      say({ kind: 'wish', wish, what });
    });
    if (answer === 'always') this.#allowed.add(key);
    return grantOf(request, answer);
  }

  #answerAll(answer: Answer): void {
    for (const resolve of this.#asked.values()) resolve(answer);
    this.#asked.clear();
  }
}

/** Collects values, so that the page gets a few messages a second whatever the script does. */
class Batches {
  #values: ShownValue[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  add(value: ShownValue): void {
    this.#values.push(value);
    if (this.#values.length >= batchItems) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), batchMs);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#values.length > 0) say({ kind: 'values', values: this.#values });
    this.#values = [];
  }
}

function failureOf(error: unknown): Failure {
  const { name, message } = error as Error;
  const frames = ScriptError.is(error)
    ? error.frames.map(({ file, line, column, function: fn }) => ({ file, line, column, function: fn }))
    : [];
  return { name, message, frames };
}

function filesOf(files: MemoryPlatform['files']): Files {
  return Object.fromEntries(
    Object.entries(files.snapshot()).map(([path, text]) => [path.slice(home.length + 1), text] as const),
  );
}

/** The host sends requests by `fetch`, and so does the compiler for its own parts. */
const network = new PageFetch((message) => say({ kind: 'to-network', ...message }));
const ownFetch = fetch;
globalThis.fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input, import.meta.url);
  return url.origin === origin ? ownFetch(input, init) : network.fetch(input, init);
};

/** The host starts the workers of scripts by `Worker`. */
const workers = new PageWorkers((message, moves) => say({ kind: 'to-workers', ...message }, moves));
globalThis.Worker = workers.Worker as unknown as typeof Worker;

const engine = new Engine();

addEventListener('message', ({ data }: MessageEvent<ToEngine>) => {
  engine.take(data).catch((error: unknown) => {
    if ('id' in data) say({ kind: 'failed', id: data.id, message: String(error) });
  });
});
