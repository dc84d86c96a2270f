// `fetch` for the engine, whose policy knows the page's own server alone: what goes elsewhere, the page sends.

import type { NetworkAnswer, ToNetwork } from './messages.ts';

export class PageFetch {
  readonly #post: (message: ToNetwork) => void;
  readonly #waiting = new Map<number, (answer: NetworkAnswer | null) => void>();
  #count = 0;

  constructor(post: (message: ToNetwork) => void) {
    this.#post = post;
  }

  /** What the host calls in place of the browser's own. */
  readonly fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const given = new Request(input, init);
    const body = init.body === undefined || init.body === null ? null : new Uint8Array(await given.arrayBuffer());
    const number = this.#count++;
    const { url, method, headers, signal } = given;
    const answer = await new Promise<NetworkAnswer | null>((resolve) => {
      this.#waiting.set(number, resolve);
      signal.addEventListener('abort', () => this.#post({ number, request: null }));
      this.#post({ number, request: { url, method, headers: Object.fromEntries(headers), body } });
    });
    signal.throwIfAborted();
    if (answer === null) throw new TypeError('there is no answer');
    const { status } = answer;
    return new Response(answer.body.length === 0 ? null : answer.body, {
      status,
      headers: [...answer.headers] as [string, string][],
    });
  };

  take(number: number, answer: NetworkAnswer | null): void {
    this.#waiting.get(number)?.(answer);
    this.#waiting.delete(number);
  }
}
