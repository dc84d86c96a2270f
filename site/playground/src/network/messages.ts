// A request of a script on its way from the engine over the page to the worker that sends it, and what comes back.

export interface NetworkRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer> | null;
}

export interface NetworkAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Cut where it is longer than any script may read. */
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Without a request, the one of that number is given up. */
export interface ToNetwork {
  readonly number: number;
  readonly request: NetworkRequest | null;
}

/** The answer is null where none came. */
export interface FromNetwork {
  readonly number: number;
  readonly answer: NetworkAnswer | null;
}

/** What a script may read of an answer. */
export const mostBytes = 16 * 2 ** 20;
