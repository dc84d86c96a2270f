// The page's side of the engine: calls that give promises, and what a run sends meanwhile.

import type {
  Answer,
  Compiled,
  Finished,
  FromEngine,
  RunRequest,
  ShownValue,
  Source,
  ToEngine,
  View,
  Wish,
} from './messages.ts';
import type { ToNetwork } from '../network/messages.ts';
import { Network } from '../network/network.ts';
import type { ToWorkers } from '../workers/page-worker.ts';
import { startScriptWorker, startWorker } from '../workers/start-worker.ts';

/** Who hears of what a run sends. */
export interface RunListener {
  readonly views: (views: readonly View[]) => void;
  readonly values: (values: readonly ShownValue[]) => void;
  readonly wish: (what: Wish) => Promise<Answer>;
}

type Reply = Extract<FromEngine, { readonly id: number }>;
/** A message that has no number yet. */
type Unnumbered<Message> = Message extends { readonly id: number } ? Omit<Message, 'id'> : never;

export class Engine {
  #worker: Worker | null = null;
  readonly #network = new Network();
  readonly #waiting = new Map<number, { resolve: (reply: Reply) => void; reject: (error: Error) => void }>();
  /** Those that scripts run in, by the number that the engine gave them. */
  readonly #scriptWorkers = new Map<number, Worker>();
  #listener: RunListener | null = null;
  #calls = 0;

  async compile(source: Source, wantsText = false): Promise<Compiled> {
    return (await this.#call<'compiled'>({ kind: 'compile', source, wantsText })).compiled;
  }

  /** Loads the compiler before somebody wants it. */
  async warm(): Promise<void> {
    await this.#call<'warmed'>({ kind: 'warm' });
  }

  /** Runs what was compiled last. */
  async run(request: RunRequest, listener: RunListener): Promise<Finished> {
    this.#listener = listener;
    try {
      return (await this.#call<'finished'>({ kind: 'run', request })).finished;
    } finally {
      this.#listener = null;
    }
  }

  stop(): void {
    this.#post({ kind: 'stop' });
  }

  /** Takes back what was always allowed. */
  forgetPermissions(): void {
    this.#post({ kind: 'forget' });
    this.#network.forget();
  }

  #post(message: ToEngine): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(message);
  }

  /** Nothing of it is loaded before somebody wants something. */
  #start(): Worker {
    const worker = startWorker('engine');
    worker.addEventListener('message', ({ data }: MessageEvent<FromEngine>) => this.#take(data));
    worker.addEventListener('error', ({ message }) => this.#fail(message || 'its file cannot be loaded'));
    return worker;
  }

  #call<Kind extends Reply['kind']>(message: Unnumbered<ToEngine>): Promise<Extract<Reply, { kind: Kind }>> {
    const id = this.#calls++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (reply: Reply) => void, reject });
      this.#post({ ...message, id });
    });
  }

  #take(message: FromEngine): void {
    switch (message.kind) {
      case 'views':
        return this.#listener?.views(message.views);
      case 'values':
        return this.#listener?.values(message.values);
      case 'wish':
        void this.#answer(message.wish, message.what);
        return undefined;
      case 'to-network':
        void this.#send(message);
        return undefined;
      case 'to-workers':
        return this.#startOrEnd(message);
      case 'compiled':
      case 'warmed':
      case 'finished':
      case 'failed': {
        const waiting = this.#waiting.get(message.id);
        this.#waiting.delete(message.id);
        return message.kind === 'failed' ? waiting?.reject(new Error(message.message)) : waiting?.resolve(message);
      }
    }
  }

  async #answer(wish: number, what: Wish): Promise<void> {
    const answer = (await this.#listener?.wish(what)) ?? 'deny';
    if (what.kind.startsWith('Http.') && answer !== 'deny') this.#network.allow(what.object);
    this.#post({ kind: 'answer', wish, answer });
  }

  async #send({ number, request }: ToNetwork): Promise<void> {
    if (request === null) return this.#network.abort(number);
    this.#post({ kind: 'from-network', number, answer: await this.#network.send(number, request) });
  }

  #startOrEnd({ worker: number, port }: ToWorkers): void {
    if (port === null) {
      this.#scriptWorkers.get(number)?.terminate();
      this.#scriptWorkers.delete(number);
      return;
    }
    const worker = startScriptWorker(port);
    this.#scriptWorkers.set(number, worker);
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      this.#post({ kind: 'worker-failed', worker: number, message: event.message });
    });
  }

  /** A worker that could not be loaded is tried anew with the next call. */
  #fail(message: string): void {
    this.#worker?.terminate();
    this.#worker = null;
    for (const worker of this.#scriptWorkers.values()) worker.terminate();
    this.#scriptWorkers.clear();
    for (const { reject } of this.#waiting.values()) reject(new Error(`the compiler: ${message}`));
    this.#waiting.clear();
  }
}
