// Calls of Http without a script around them: what they ask, and how they end as one line of text. Runs in any engine.

import { CallScope } from '../../../runtime-host/namespaces/call-scope.ts';
import { Failure } from '../../../runtime-host/errors/failures.ts';
import { readDomain } from '../../../runtime-host/network/domains.ts';
import { httpFunctions } from '../../../runtime-host/namespaces/http/functions.ts';
import type { HttpHost } from '../../../runtime-host/namespaces/http/functions.ts';
import type { HttpConstraints, HttpLimits } from '../../../runtime-host/namespaces/http/grant.ts';
import type { AnyHttpRequest } from '../../../runtime-host/namespaces/http/requests.ts';
import type { HttpClient } from '../../../runtime-host/platform/platform.ts';

export type HttpFunction = keyof ReturnType<typeof httpFunctions>;

export interface CallOptions {
  readonly fn?: HttpFunction;
  readonly body?: string;
  /** Null denies; a function is asked each time. */
  readonly grant?: HttpConstraints | null | ((request: AnyHttpRequest) => HttpConstraints | null);
  readonly net?: HttpHost['privateNetwork'];
  readonly signal?: AbortSignal;
}

export interface Called {
  /** The body, or `SecurityError: …` or `NetworkError: …`. */
  readonly gave: string;
  /** What the host was asked: `Http.Get http://…`. */
  readonly asked: readonly string[];
}

/** The limits of a grant; throws for an entry of allowedDomains that is none. */
export function limitsOf(constraints: HttpConstraints): HttpLimits {
  const {
    maxResponseSize = null,
    timeoutMs = null,
    allowedDomains = null,
    deniedDomains = null,
    allowedPorts = null,
    httpsOnly = null,
  } = constraints;
  const readEntry = (entry: string) => {
    const rule = readDomain(entry);
    if (rule === null) throw new Error(`${entry} is no domain`);
    return rule;
  };
  return {
    maxResponseSize,
    timeoutMs,
    allowedDomains: allowedDomains === null ? null : allowedDomains.map(readEntry),
    deniedDomains: deniedDomains === null ? null : deniedDomains.map(readEntry),
    allowedPorts,
    httpsOnly: httpsOnly === true,
  };
}

/** Rejects with whatever is no Failure: nothing else may reach a script. */
export async function callHttp(client: HttpClient | null, url: string, options: CallOptions = {}): Promise<Called> {
  const { fn = 'get', body = '', grant = {}, net = 'allow', signal = new AbortController().signal } = options;
  const asked: string[] = [];
  const ask = (request: AnyHttpRequest, called: string): HttpLimits => {
    asked.push(`${request.kind} ${request.url}`);
    const answer = typeof grant === 'function' ? grant(request) : grant;
    if (answer === null) throw new Failure('SecurityError', `${called} denied: the host does not permit it`);
    return limitsOf(answer);
  };
  try {
    return {
      gave: await httpFunctions({ client, privateNetwork: net, ask })[fn](new CallScope(signal), url, body),
      asked,
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { gave: `${error.type}: ${error.message}`, asked };
  }
}
