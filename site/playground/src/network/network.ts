// The page's side of the network: hands on what scripts may send, and nothing that the person at the page was not asked
// about.

import type { FromNetwork, NetworkAnswer, NetworkRequest, ToNetwork } from './messages.ts';

export class Network {
  #worker: Worker | null = null;
  readonly #waiting = new Map<number, (answer: NetworkAnswer | null) => void>();
  /** Origins of what was allowed. */
  readonly #allowed = new Set<string>();

  /** The person at the page has allowed a request. */
  allow(url: string): void {
    this.#allowed.add(new URL(url).origin);
  }

  forget(): void {
    this.#allowed.clear();
  }

  /** Null where no answer came. `number` is one of a kind. */
  async send(number: number, request: NetworkRequest): Promise<NetworkAnswer | null> {
    if (!this.#allowed.has(new URL(request.url).origin)) return null;
    return new Promise((resolve) => {
      this.#waiting.set(number, resolve);
      this.#post({ number, request });
    });
  }

  /** Gives a request up. */
  abort(number: number): void {
    if (this.#waiting.has(number)) this.#post({ number, request: null });
  }

  #post(message: ToNetwork): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(message);
  }

  #start(): Worker {
    const worker = new Worker(new URL('./network-worker.ts', import.meta.url), { type: 'module', name: 'network' });
    worker.addEventListener('message', ({ data: { number, answer } }: MessageEvent<FromNetwork>) => {
      this.#waiting.get(number)?.(answer);
      this.#waiting.delete(number);
    });
    worker.addEventListener('error', () => {
      for (const resolve of this.#waiting.values()) resolve(null);
      this.#waiting.clear();
    });
    return worker;
  }
}
