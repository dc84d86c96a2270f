// The Http namespace. It parses the URL, asks for permission, reads the grant and checks the URL; only then it calls
// the platform's client, which asks again about the addresses that it found. Redirects are followed here, each as a
// request of its own.

import type { CallScope } from '../call-scope.ts';
import { Failure } from '../../errors/failures.ts';
import type { Awaitable } from '../../errors/failures.ts';
import { decodeBody } from './body-text.ts';
import { Deadline } from './deadline.ts';
import { networkFaults } from './faults.ts';
import { readHttpGrant } from './grant.ts';
import type { HttpLimits } from './grant.ts';
import { requests } from './requests.ts';
import type { AnyHttpRequest } from './requests.ts';
import { checkAddresses, checkUrl, denied, readLocation, readUrl } from './rules.ts';
import type { Network } from './rules.ts';
import type { PrivateNetwork } from '../../network/private-network.ts';
import { hrefOf, originOf } from '../../network/url-fields.ts';
import { append, isInstance } from '../../primordials/untampered.ts';
import { NetworkFault } from '../../platform/platform.ts';
import type { HttpAnswer, HttpClient, HttpExchange, HttpMethod } from '../../platform/platform.ts';
import { encoded } from '../encoded.ts';
import type { GuardedNamespace } from '../namespace.ts';

export interface HttpHost {
  /** Null if there is no network. */
  readonly client: HttpClient | null;
  readonly privateNetwork: PrivateNetwork;
  /** Throws, or rejects with, a Failure if the request is denied. */
  readonly ask: (request: AnyHttpRequest, called: string) => Awaitable<HttpLimits>;
}

const defaultTimeoutMs = 30_000;
const mostRedirects = 5;
/** The largest answer if no grant sets a size. */
const usualResponseSize = 64 * 2 ** 20;

const requestsByMethod: Readonly<Record<HttpMethod, new (url: string, called: string) => AnyHttpRequest>> = {
  GET: requests.Get,
  POST: requests.Post,
  PUT: requests.Put,
  DELETE: requests.Delete,
};

/**
 * The functions of the namespace; they throw, or reject with, a Failure. getJson gives a text that the module parses.
 */
export function httpFunctions(host: HttpHost) {
  const perform = (
    scope: CallScope,
    called: string,
    method: HttpMethod,
    text: string,
    body: string | null,
  ): Promise<string> => {
    const { client } = host;
    const url = readUrl(text, called);
    if (client === null) throw denied(called, 'this host has no network');
    return new Call(host, client, scope, called, text).perform(method, url, body);
  };
  return {
    get: (scope: CallScope, url: string) => perform(scope, 'Http.get', 'GET', url, null),
    getJson: (scope: CallScope, url: string) => perform(scope, 'Http.getJson', 'GET', url, null),
    post: (scope: CallScope, url: string, body: string) => perform(scope, 'Http.post', 'POST', url, body),
    put: (scope: CallScope, url: string, body: string) => perform(scope, 'Http.put', 'PUT', url, body),
    delete: (scope: CallScope, url: string) => perform(scope, 'Http.delete', 'DELETE', url, null),
  };
}

export const namespace: GuardedNamespace = {
  fault: 'NetworkError',
  bind: ({ platform, privateNetwork }, ask) =>
    httpFunctions({
      client: platform.http,
      privateNetwork,
      ask: (request, called) => ask(request, called, readHttpGrant),
    }),
};

type Body = HttpExchange['body'];

/** One call of the script, redirects included. */
class Call {
  readonly #host: HttpHost;
  readonly #scope: CallScope;
  readonly #client: HttpClient;
  readonly #network: Network;
  readonly #called: string;
  /** The script's text of the URL: messages contain no other URL. */
  readonly #written: string;
  /** The grants of the first request and of all redirects: each of them stays in force until the end. */
  readonly #grants: HttpLimits[] = [];

  constructor(host: HttpHost, client: HttpClient, scope: CallScope, called: string, written: string) {
    this.#host = host;
    this.#scope = scope;
    this.#client = client;
    this.#network = {
      privateNetwork: host.privateNetwork,
      isPublicAddress: (address) => client.isPublicAddress(address),
    };
    this.#called = called;
    this.#written = written;
  }

  async perform(method: HttpMethod, url: URL, text: string | null): Promise<string> {
    const { timeoutMs } = await this.#ask(method, url);
    const deadline = new Deadline(timeoutMs ?? defaultTimeoutMs, this.#scope.signal);
    try {
      deadline.start();
      const body =
        text === null
          ? null
          : await encoded(this.#scope, text, (bytes) => ({
              type: isJson(text) ? 'application/json' : 'text/plain; charset=utf-8',
              bytes,
            }));
      const answer = await this.#follow(method, url, body, deadline);
      if (answer.status < 200 || answer.status > 299) throw this.#failed(`the status is ${answer.status}`);
      return decodeBody(answer.body, answer.contentType);
    } catch (error) {
      if (isInstance(error, Failure)) throw error;
      if (deadline.expired) throw this.#failed(`there was no answer within ${deadline.limitMs} ms`);
      throw isInstance(error, NetworkFault) ? this.#failed(networkFaults[error.code]) : error;
    } finally {
      deadline.end();
    }
  }

  async #follow(firstMethod: HttpMethod, firstUrl: URL, firstBody: Body, deadline: Deadline): Promise<HttpAnswer> {
    let [method, url, body] = [firstMethod, firstUrl, firstBody];
    for (let redirects = 0; ; redirects++) {
      const answer = await this.#exchange(method, url, body, deadline.signal);
      if (answer.location === null || !isRedirect(answer.status)) return answer;
      if (redirects === mostRedirects) throw this.#failed(`it was redirected more than ${mostRedirects} times`);
      const next = readLocation(answer.location, url, this.#called);
      const nextMethod = changesToGet(answer.status, method) ? 'GET' : method;
      if (nextMethod !== method) body = null;
      const isElsewhere = originOf(next) !== originOf(url);
      if (isElsewhere && body !== null) throw denied(this.#called, 'a redirect would send the body to another origin');
      // Another origin needs its own permission, and so does a GET if only a POST was allowed.
      if (isElsewhere || nextMethod !== method) {
        checkUrl(next, this.#grants, this.#network, this.#called);
        deadline.stop();
        // Nobody must be asked for a call that is over.
        if (deadline.signal.aborted) throw new NetworkFault('unknown');
        const { timeoutMs } = await this.#ask(nextMethod, next);
        if (timeoutMs !== null) deadline.shorten(timeoutMs);
        deadline.start();
      }
      method = nextMethod;
      url = next;
    }
  }

  async #ask(method: HttpMethod, url: URL): Promise<HttpLimits> {
    const limits = await this.#host.ask(new requestsByMethod[method](hrefOf(url), this.#called), this.#called);
    append(this.#grants, limits);
    return limits;
  }

  async #exchange(method: HttpMethod, url: URL, body: Body, signal: AbortSignal): Promise<HttpAnswer> {
    const network = this.#network;
    const grants = this.#grants;
    checkUrl(url, grants, network, this.#called);
    await this.#scope.use('requests', 1);
    return this.#client.exchange({
      method,
      url,
      body,
      signal,
      checkAddresses: (addresses) => checkAddresses(addresses, url, grants, network, this.#called),
      checkSize: (bytes) => {
        let isBound = false;
        for (let at = 0; at < grants.length; at++) {
          const { maxResponseSize } = grants[at]!;
          if (maxResponseSize !== null && bytes > maxResponseSize)
            throw denied(this.#called, 'larger than maxResponseSize');
          isBound ||= maxResponseSize !== null;
        }
        if (!isBound && bytes > usualResponseSize) throw this.#failed('the answer is larger than 64 MiB');
      },
      read: this.#scope.read,
    });
  }

  #failed(what: string): Failure {
    return new Failure('NetworkError', `${this.#called} failed: ${what}: ${clip(this.#written)}`);
  }
}

function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

/** As in browsers: a 303 is followed by GET, and so are a 301 and a 302 after a POST. */
function changesToGet(status: number, method: HttpMethod): boolean {
  return status === 303 || (method === 'POST' && (status === 301 || status === 302));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Cuts between characters, so that the shown text is well formed. */
function clip(url: string): string {
  if (url.length <= 200) return url;
  const last = url.charCodeAt(149);
  return `${url.slice(0, last >= 0xd800 && last <= 0xdbff ? 149 : 150)}…`;
}
