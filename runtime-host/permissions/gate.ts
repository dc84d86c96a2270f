// The gate: every request goes once to the host's handler, and only a valid grant opens it. No handler, a thrown error,
// a rejection, a late answer or anything that is no grant means a denial.

import { describeThrown, Failure } from '../errors/failures.ts';
import type { Awaitable } from '../errors/failures.ts';
import { Denial, Grant } from './grants.ts';
import type { PermissionAnswer } from './grants.ts';
import { GrantProblem } from './read-grant.ts';
import { disregard, freeze, isInstance } from '../primordials/untampered.ts';

/** A request of a script: an object of a namespace, such as `File.Read`, or of another kind. */
export interface Asked {
  readonly kind: string;
}

/** The outcome of a request. */
export interface Decision {
  /** The function that the script called. */
  readonly called: string;
  readonly answer: 'granted' | 'denied';
  /** The grant's constraints after reading, null for each absent one; null for a denial. */
  readonly limits: Readonly<Record<string, unknown>> | null;
  /** The reason for a denial, if there is one; null for a grant. */
  readonly reason: string | null;
}

type Decided<Request> = Decision & { readonly request: Request };

/** Takes a line for the host's operator; never shown to a script. */
export type Log = (line: string) => void;

export interface GateOptions<Request extends Asked> {
  /** Null denies everything. */
  readonly handler: ((request: Request) => PermissionAnswer | Promise<PermissionAnswer>) | null;
  /** The longest time for an answer; null for no limit. */
  readonly promptTimeoutMs: number | null;
  /** Called with every decision, and changes none; null if the host does not ask for it. */
  readonly onDecision: ((decision: Decided<Request>) => void) | null;
  /** The name of a function of the engine that has changed since the host was loaded; null if there is none. */
  readonly findChangedBuiltIn?: () => string | null;
}

export class Gate<Request extends Asked> {
  readonly #options: GateOptions<Request>;

  constructor(options: GateOptions<Request>) {
    this.#options = options;
  }

  /**
   * The limits of the grant. In any other case throws, or rejects with, SecurityError for `called`; `log` gets the
   * reason.
   */
  ask<Limits extends object>(
    request: Request,
    called: string,
    read: (grant: Grant) => Limits | GrantProblem,
    log: Log,
  ): Awaitable<Limits> {
    const { handler, promptTimeoutMs, findChangedBuiltIn } = this.#options;
    const deny = (reason: string | null): never => {
      if (reason !== null) log(`${called} (${request.kind}) denied: ${reason}`);
      this.tell({ request, called, answer: 'denied', limits: null, reason }, log);
      throw new Failure('SecurityError', `${called} denied: the host does not permit it`);
    };
    if (handler === null) return deny('the host has no permission handler');
    let answer: unknown;
    let waits: boolean;
    try {
      answer = handler(request);
      waits = !Grant.is(answer) && !Denial.is(answer) && isThenable(answer);
    } catch (error) {
      return deny(`the permission handler threw: ${describeThrown(error)}`);
    }
    const grant = (limits: Limits): Limits => {
      this.tell(
        { request, called, answer: 'granted', limits: limits as Readonly<Record<string, unknown>>, reason: null },
        log,
      );
      return limits;
    };
    // Checked last, since the handler may have changed a function.
    const settle = (settled: unknown): Limits => {
      const changed = findChangedBuiltIn?.() ?? null;
      return grant(
        changed === null ? judge(settled, read, deny) : deny(`${changed} was changed after the host had been loaded`),
      );
    };
    if (!waits) return settle(answer);
    return (async () => {
      const late = Symbol('late');
      let settled: unknown;
      try {
        settled = await withTimeout(answer, promptTimeoutMs, late);
      } catch (error) {
        return deny(`the permission handler failed: ${describeThrown(error)}`);
      }
      return settled === late
        ? deny(`the permission handler did not answer within ${promptTimeoutMs} ms`)
        : settle(settled);
    })();
  }

  /** Reports a decision to the host. */
  tell(decision: Decided<Request>, log: Log): void {
    const { onDecision } = this.#options;
    if (onDecision === null) return;
    const lost = (error: unknown): void => log(`onDecision failed: ${describeThrown(error)}`);
    try {
      const heard: unknown = onDecision(freeze(decision));
      disregard(heard, lost);
    } catch (error) {
      lost(error);
    }
  }
}

function judge<Limits extends object>(
  answer: unknown,
  read: (grant: Grant) => Limits | GrantProblem,
  deny: (reason: string | null) => never,
): Limits {
  if (Denial.is(answer)) return deny(answer.reason === null ? null : describeThrown(answer.reason));
  if (!Grant.is(answer)) return deny('the permission handler answered neither with a grant nor with Denied()');
  let limits: Limits | GrantProblem;
  try {
    limits = read(answer);
  } catch (error) {
    return deny(`the grant cannot be read: ${describeThrown(error)}`);
  }
  return isInstance(limits, GrantProblem) ? deny(limits.text) : limits;
}

/** Throws if reading the value throws. */
function isThenable(value: unknown): boolean {
  if (value instanceof Promise) return true;
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** The longest delay of a timer, nearly 25 days; a longer one fires at once. */
const longestTimerMs = 2 ** 31 - 1;

function withTimeout(answer: unknown, timeoutMs: number | null, late: symbol): Promise<unknown> {
  // Wrapped in a promise of our own, since the handler's may have another `then`.
  if (timeoutMs === null || timeoutMs === Infinity) return new Promise((resolve) => resolve(answer));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, Math.min(timeoutMs, longestTimerMs), late);
  });
  return Promise.race([answer, timeout]).finally(() => clearTimeout(timer));
}
