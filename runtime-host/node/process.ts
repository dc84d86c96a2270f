// Processes of Node that run scripts: for modules of unknown origin, which can use up all memory and time of their
// process. The owner watches the process and ends it, and never trusts its messages.

import type { ChildProcess } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { HostError, InternalError, ScriptError } from '../errors/errors.ts';
import type { ProcessOptions } from '../worker/machine.ts';
import type { LimitOptions } from '../limits/options.ts';
import { describeRefusal } from '../limits/rules.ts';
import { moduleBytesOf } from '../process/opening.ts';
import type { ModuleBytes } from '../process/opening.ts';
import { ProcessConnection } from '../process/process-connection.ts';
import { WireError } from '../process/wire.ts';
import type { FromWorker, ToWorker, WorkerThread } from '../worker/messages.ts';
import { StartWatch } from '../worker/start-watch.ts';
import { ThreadEvents } from '../worker/thread-events.ts';
import { failedToStart, otherVersion, silent } from '../worker/worker-file.ts';
import { channelDescriptor, launchProcess } from './process-launch.ts';
import { memoryOf, MemoryWatch } from './process-memory.ts';
import { idleMsOf } from './process-time.ts';
import { missingFile, workerFile } from './worker.ts';

/** The longest time for a process to start, on a busy machine. */
const silenceMs = 60_000;
/** Memory besides the script's limit: for the engine itself, and for garbage that is not collected yet. */
const besideBytes = 96 * 2 ** 20;
/** The memory for messages if memory is not limited. */
const mostMessageBytes = 2 ** 30;
const lastWordsLength = 4096;

/** A function that starts processes, one per call. */
export function nodeProcesses({ source, plugins, limits, url }: ProcessOptions): () => WorkerThread {
  const modules = moduleBytesOf(source, plugins);
  return () => new NodeProcess(modules, limits, url);
}

/** The most memory that a run can ever get; null for no limit. */
function mostMemory(limits: LimitOptions | null): number | null {
  const { memoryBytes, onLimit, most } = limits ?? {};
  if (memoryBytes === undefined || memoryBytes === null || memoryBytes === 0) return null;
  if (onLimit === undefined) return memoryBytes;
  return most?.memoryBytes ? Math.max(memoryBytes, most.memoryBytes) : null;
}

class NodeProcess implements WorkerThread {
  readonly #child: ChildProcess;
  readonly #channel: Duplex;
  readonly #connection: ProcessConnection;
  readonly #most: number | null;
  /** Messages that wait until the memory limit of the process is set; null once it is. */
  #waiting: ToWorker[] | null = [];
  #watch: MemoryWatch | null = null;
  #silence: ReturnType<typeof setTimeout> | undefined;
  readonly #gone: Promise<void>;
  #isOver = false;
  #limitBytes: number;
  /** The option workerUrl. */
  readonly #url: string | URL | undefined;
  readonly #startWatch: StartWatch;
  #isReady = false;
  /** The last output of the process before its end. */
  #lastWords = '';
  readonly #events = new ThreadEvents();

  /** Throws HostError. */
  constructor(modules: ModuleBytes, limits: LimitOptions | null, url: string | URL | undefined) {
    this.#limitBytes = limits?.memoryBytes ?? 0;
    this.#url = url;
    this.#most = mostMemory(limits);
    this.#child = launchProcess({
      file: url ?? workerFile(),
      heapBytes: this.#most === null ? null : this.#most + besideBytes,
    });
    const { stdio } = this.#child;
    this.#channel = stdio[channelDescriptor] as Duplex;
    this.#connection = new ProcessConnection({
      modules,
      mostBytes: this.#most === null ? mostMessageBytes : Math.min(2 * this.#most + besideBytes, mostMessageBytes),
      send: (chunks) => this.#send(chunks),
      onReady: () => {
        this.#isReady = true;
        this.#startWatch.stop();
        this.#watchMemory();
      },
      onMessage: (message) => this.#hear(message),
    });
    // Errors of writing to a process that has ended are ignored, since its end is reported anyway.
    for (const stream of stdio) stream?.on('error', () => {});
    this.#channel.on('data', (chunk: Uint8Array) => this.#receive(chunk));
    // A process that has closed the channel but still runs is useless.
    this.#channel.on('end', () => this.#child.kill('SIGKILL'));
    this.#child.stderr!.on('data', (chunk: Uint8Array) => {
      this.#lastWords = (this.#lastWords + String(chunk)).slice(0, lastWordsLength);
    });
    this.#gone = new Promise((resolve) => {
      for (const end of ['error', 'exit']) this.#child.once(end, () => resolve());
    });
    this.#child.on('error', () => this.#fail(new HostError('no process can be started here')));
    this.#child.on('exit', () => stdio[4]?.destroy());
    this.#child.on('close', (code, signal) => this.#fail(this.#reasonOf(code, signal)));
    const begun = performance.now();
    this.#startWatch = new StartWatch(
      () => idleMsOf(this.#child.pid, performance.now() - begun),
      () => this.#fail(silent(String(url ?? ''), 'process')),
    );
  }

  post(message: ToWorker): void {
    if (this.#isOver) return;
    if (message.kind === 'run' || message.kind === 'call') this.#listenForWork();
    if (this.#waiting === null) this.#connection.post(message);
    else this.#waiting.push(message);
  }

  listen(...listeners: Parameters<WorkerThread['listen']>): void {
    this.#events.listen(...listeners);
  }

  keepAlive(keeps: boolean): void {
    const parts = [this.#child, ...this.#child.stdio] as readonly ({ ref?: () => void; unref?: () => void } | null)[];
    for (const part of parts) {
      if (keeps) part?.ref?.();
      else part?.unref?.();
    }
  }

  extendMemory(bytes: number): void {
    this.#limitBytes = bytes;
    this.#watch?.extend(bytes + besideBytes);
  }

  end(): Promise<void> {
    this.#isOver = true;
    this.#watch?.stop();
    clearTimeout(this.#silence);
    this.#startWatch.stop();
    this.#child.kill('SIGKILL');
    this.keepAlive(false);
    for (const stream of this.#child.stdio) stream?.destroy();
    return this.#gone;
  }

  #send(chunks: readonly Uint8Array[]): void {
    if (this.#isOver) return;
    this.#channel.cork();
    for (const chunk of chunks) this.#channel.write(chunk);
    this.#channel.uncork();
  }

  #receive(chunk: Uint8Array): void {
    if (this.#isOver) return;
    try {
      this.#connection.receive(chunk);
    } catch (error) {
      if (error instanceof HostError)
        this.#fail(this.#isReady ? error : otherVersion(String(this.#url ?? ''), 'process'));
      // Any other error, even lack of memory for the message, must not be thrown here: it would end the owner.
      else if (!(error instanceof WireError))
        this.#fail(
          error instanceof RangeError
            ? this.#beyondMemory('what it gives cannot be taken')
            : new InternalError('what the process of the script said cannot be read', [], error),
        );
      else
        this.#fail(
          error.isTooLarge
            ? this.#beyondMemory('it gives a value that is larger')
            : new InternalError(`the process of the script said what it may not: ${error.message}`, [], error),
        );
    }
  }

  #hear(message: FromWorker): void {
    if (message.kind === 'begun') clearTimeout(this.#silence);
    if (message.kind === 'ended') this.#watch?.stop();
    if (!this.#isOver) this.#events.message(message);
  }

  /**
   * The process has started and done nothing yet: its memory limit is set now, and then the waiting messages are sent.
   */
  #watchMemory(): void {
    const source = this.#limitBytes === 0 ? null : memoryOf(this.#child.pid!);
    if (source === null) {
      this.#goOn();
      return;
    }
    const watch = new MemoryWatch(source, this.#limitBytes + besideBytes, (bytes) =>
      this.#fail(this.#beyondMemory(`its process took ${Math.ceil(bytes / 2 ** 20)} MiB more than at the beginning`)),
    );
    watch.begin(() => {
      this.#watch = watch;
      if (this.#most === null) this.#goOn();
      else source.bound(this.#most + 2 * besideBytes, () => this.#goOn());
    });
  }

  #goOn(): void {
    if (this.#isOver) return;
    const waiting = this.#waiting!;
    this.#waiting = null;
    for (const message of waiting) this.#connection.post(message);
    if (waiting.length > 0) this.#watch?.start();
  }

  #listenForWork(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(
      () => this.#fail(new InternalError('the process of the script does not begin', [], null)),
      silenceMs,
    );
    this.#silence.unref();
    if (this.#waiting === null) this.#watch?.start();
  }

  #fail(error: Error): void {
    if (this.#isOver) return;
    void this.end();
    this.#events.end(error);
  }

  #beyondMemory(how: string): ScriptError {
    return new ScriptError(
      'MemoryLimitError',
      this.#limitBytes === 0
        ? `the script uses more memory than its process has: ${how}`
        : `${describeRefusal('memoryBytes', this.#limitBytes)}: ${how}`,
      [],
    );
  }

  /** Why the process ended by itself. */
  #reasonOf(code: number | null, signal: string | null): Error {
    if (/Cannot find module|ERR_MODULE_NOT_FOUND/.test(this.#lastWords)) return missingFile(this.#url ?? workerFile());
    if (/out of memory|Allocation failed|std::bad_alloc/i.test(this.#lastWords))
      return this.#beyondMemory('its process could get no more');
    const how = `ended by itself (${signal ?? `code ${code}`})`;
    if (!this.#isReady && this.#url !== undefined)
      return failedToStart(String(this.#url), thrownIn(this.#lastWords) ?? `it ${how}`, 'process');
    return new InternalError(
      `the process of the script ${how}`,
      [],
      this.#lastWords === '' ? null : new Error(this.#lastWords),
    );
  }
}

/** The error that Node prints at its end; null if there is none. */
function thrownIn(lastWords: string): string | null {
  return /^(?:Uncaught )?(?:\w*(?:Error|Exception)\b.*)$/m.exec(lastWords)?.[0] ?? null;
}
