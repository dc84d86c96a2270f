// The gate: every request goes to the host's handler, once, and only a grant that reads well opens it. No handler, a
// throw, a rejection, a late answer or anything that is no grant means no.

import { describeThrown, Failure } from '../failures.ts';
import type { Awaitable } from '../failures.ts';
import { Denial, Grant } from './grants.ts';
import type { PermissionAnswer } from './grants.ts';
import { GrantProblem } from './read-grant.ts';
import type { PermissionRequest } from './requests.ts';

/** The host's decision about one request. It is called once for each call of the script; its answers are not kept. */
export type PermissionHandler = (request: PermissionRequest) => PermissionAnswer | Promise<PermissionAnswer>;

/** Takes a line for the host's operator; never shown to a script. */
export type Log = (line: string) => void;

export interface GateOptions {
  /** Null denies everything. */
  readonly handler: PermissionHandler | null;
  /** How long an answer may take; null waits for ever. */
  readonly promptTimeoutMs: number | null;
  readonly log: Log;
}

export class Gate {
  readonly #options: GateOptions;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /**
   * The limits of the grant. Throws, or rejects with, SecurityError for `called` in any other case.
   */
  ask<Limits extends object>(request: PermissionRequest, called: string, read: (grant: Grant) => Limits | GrantProblem): Awaitable<Limits> {
    const { handler, promptTimeoutMs } = this.#options;
    if (handler === null) return this.#deny(request, called, 'the host has no permission handler');
    let answer: unknown;
    let waits: boolean;
    try {
      answer = handler(request);
      waits = isThenable(answer);
    } catch (error) {
      return this.#deny(request, called, `the permission handler threw: ${describeThrown(error)}`);
    }
    if (!waits) return this.#judge(request, called, answer, read);
    const late = Symbol('late');
    return withTimeout(answer, promptTimeoutMs, late).then(
      (settled) => (settled === late ? this.#deny(request, called, `the permission handler did not answer within ${promptTimeoutMs} ms`) : this.#judge(request, called, settled, read)),
      (error: unknown) => this.#deny(request, called, `the permission handler failed: ${describeThrown(error)}`),
    );
  }

  #judge<Limits extends object>(request: PermissionRequest, called: string, answer: unknown, read: (grant: Grant) => Limits | GrantProblem): Limits {
    if (Denial.is(answer)) return this.#deny(request, called, answer.reason === null ? null : describeThrown(answer.reason));
    if (!Grant.is(answer)) return this.#deny(request, called, 'the permission handler answered neither with a grant nor with Denied()');
    let limits: Limits | GrantProblem;
    try {
      limits = read(answer);
    } catch (error) {
      return this.#deny(request, called, `the grant cannot be read: ${describeThrown(error)}`);
    }
    return limits instanceof GrantProblem ? this.#deny(request, called, limits.text) : limits;
  }

  #deny({ kind }: PermissionRequest, called: string, reason: string | null): never {
    if (reason !== null) this.#options.log(`${called} (${kind}) denied: ${reason}`);
    throw new Failure('SecurityError', `${called} denied: the host does not permit it`);
  }
}

/** Throws what looking at the value throws. */
function isThenable(value: unknown): boolean {
  if (value instanceof Promise) return true;
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** The longest that a timer takes, nearly 25 days; one that is set to more goes off at once. */
const longestTimerMs = 2 ** 31 - 1;

function withTimeout(answer: unknown, timeoutMs: number | null, late: symbol): Promise<unknown> {
  // A promise of our own: the handler's may have another `then`.
  if (timeoutMs === null || timeoutMs === Infinity) return new Promise((resolve) => resolve(answer));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, Math.min(timeoutMs, longestTimerMs), late);
  });
  return Promise.race([answer, timeout]).finally(() => clearTimeout(timer));
}
