// The rules of a call that hold whatever the client is like: with clients made for the case, which need not obey.

import { describe, expect, it } from 'vitest';
import { createMemoryHttp } from '../../../runtime-host/memory/http.ts';
import { NetworkFault } from '../../../runtime-host/platform/platform.ts';
import type { HttpAnswer, HttpClient, HttpExchange } from '../../../runtime-host/platform/platform.ts';
import { callHttp } from './calls.ts';

const answer = (more: Partial<HttpAnswer> = {}): HttpAnswer => ({
  status: 200,
  location: null,
  contentType: null,
  body: new TextEncoder().encode('ok'),
  ...more,
});
const clientOf = (exchange: (exchange: HttpExchange) => Promise<HttpAnswer>): HttpClient => ({
  exchange,
  isPublicAddress: () => true,
});
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** Rejects when its signal says so, as clients must, and never otherwise. */
const silence = ({ signal }: HttpExchange): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new NetworkFault('unknown'))));

describe('the host is asked', () => {
  it('about the URL in canonical form, without its fragment', async () => {
    const { asked } = await callHttp(
      clientOf(async () => answer()),
      'HTTP://OK.Test:80/a/../b?ü#secret',
    );
    expect(asked).toEqual(['Http.Get http://ok.test/b?%C3%BC']);
  });

  it('about a redirect without its fragment', async () => {
    const { asked } = await callHttp(
      clientOf(async ({ url }) =>
        url.hostname === 'a.test' ? answer({ status: 302, location: 'http://b.test/#x' }) : answer(),
      ),
      'http://a.test/',
    );
    expect(asked).toEqual(['Http.Get http://a.test/', 'Http.Get http://b.test/']);
  });

  it('about nothing on behalf of a call whose time is up', async () => {
    const late = clientOf(async () => (await wait(120), answer({ status: 302, location: 'http://b.test/' })));
    const { gave, asked } = await callHttp(late, 'http://a.test/', { grant: { timeoutMs: 30 } });
    expect(gave).toBe('NetworkError: Http.get failed: there was no answer within 30 ms: http://a.test/');
    expect(asked).toEqual(['Http.Get http://a.test/']);
  });

  it('about nothing on behalf of a run that is over', async () => {
    const run = new AbortController();
    const ending = clientOf(async () => (run.abort(), answer({ status: 302, location: 'http://b.test/' })));
    const { gave, asked } = await callHttp(ending, 'http://a.test/', { signal: run.signal });
    expect(gave).toMatch(/^NetworkError: /);
    expect(asked).toEqual(['Http.Get http://a.test/']);
  });

  it('again at every new origin, back at the first one too', async () => {
    const places: Readonly<Record<string, string>> = {
      '/1': 'http://b.test/2',
      '/2': 'http://a.test/3',
      '/3': 'https://a.test/4',
      '/4': 'https://a.test:444/5',
    };
    const { gave, asked } = await callHttp(
      clientOf(async ({ url }) =>
        places[url.pathname] === undefined ? answer() : answer({ status: 307, location: places[url.pathname]! }),
      ),
      'http://a.test/1',
    );
    expect(gave).toBe('ok');
    expect(asked).toEqual(
      ['http://a.test/1', 'http://b.test/2', 'http://a.test/3', 'https://a.test/4', 'https://a.test:444/5'].map(
        (url) => `Http.Get ${url}`,
      ),
    );
  });

  it('nothing where there is no network', async () => {
    expect(await callHttp(null, 'http://ok.test/')).toEqual({
      gave: 'SecurityError: Http.get denied: this host has no network',
      asked: [],
    });
  });
});

describe('the grants', () => {
  it.each<[string, object, object, string]>([
    ['size', { maxResponseSize: 1 }, {}, 'SecurityError: Http.get denied: larger than maxResponseSize'],
    ['size', {}, { maxResponseSize: 1 }, 'SecurityError: Http.get denied: larger than maxResponseSize'],
    ['domains', { allowedDomains: ['a.test'] }, {}, 'SecurityError: Http.get denied: outside allowedDomains'],
    ['domains', {}, { allowedDomains: ['a.test'] }, 'SecurityError: Http.get denied: outside allowedDomains'],
    ['ports', {}, { allowedPorts: [443] }, 'SecurityError: Http.get denied: outside allowedPorts'],
    ['scheme', {}, { httpsOnly: true }, 'SecurityError: Http.get denied: httpsOnly'],
  ])('of all origins on the way hold to the end: %s', async (_what, first, second, gives) => {
    const reached: string[] = [];
    const client = clientOf(async ({ url, checkSize }) => {
      reached.push(url.hostname);
      if (url.hostname === 'a.test') return answer({ status: 302, location: 'http://b.test/' });
      checkSize(2);
      return answer();
    });
    const { gave } = await callHttp(client, 'http://a.test/', {
      grant: ({ url }) => (url.includes('a.test') ? first : second),
    });
    expect(gave).toBe(gives);
    expect(reached).toEqual(gives.includes('larger') ? ['a.test', 'b.test'] : ['a.test']);
  });

  it('of another origin shorten the time, and are named', async () => {
    const client = clientOf((exchange) =>
      exchange.url.hostname === 'a.test'
        ? Promise.resolve(answer({ status: 302, location: 'http://b.test/' }))
        : silence(exchange),
    );
    const { gave } = await callHttp(client, 'http://a.test/', {
      grant: ({ url }) => ({ timeoutMs: url.includes('a.test') ? 15_000 : 40 }),
    });
    expect(gave).toBe('NetworkError: Http.get failed: there was no answer within 40 ms: http://a.test/');
  });

  it('that were broken are what is told, though the time was up too', async () => {
    const client = clientOf(async ({ checkSize }) => (await wait(80), checkSize(2), answer()));
    const { gave } = await callHttp(client, 'http://a.test/', { grant: { timeoutMs: 20, maxResponseSize: 1 } });
    expect(gave).toBe('SecurityError: Http.get denied: larger than maxResponseSize');
  });

  it('of another origin do not lengthen it', async () => {
    const client = clientOf((exchange) =>
      exchange.url.hostname === 'a.test'
        ? Promise.resolve(answer({ status: 302, location: 'http://b.test/' }))
        : silence(exchange),
    );
    const { gave } = await callHttp(client, 'http://a.test/', {
      grant: ({ url }) => ({ timeoutMs: url.includes('a.test') ? 60 : 15_000 }),
    });
    expect(gave).toBe('NetworkError: Http.get failed: there was no answer within 60 ms: http://a.test/');
  });
});

describe('messages', () => {
  const refusing = clientOf(async () => {
    throw new NetworkFault('refused');
  });

  it.each([133, 134, 135, 136])('are cut between characters: at %d', async (length) => {
    const url = `http://ok.test/${'x'.repeat(length)}${'😀'.repeat(40)}`;
    const { gave } = await callHttp(refusing, url);
    expect(gave.isWellFormed()).toBe(true);
    expect(gave.length).toBeLessThan(250);
    expect(gave).toMatch(
      /^NetworkError: Http\.get failed: the host refused the connection: http:\/\/ok\.test\/x+.*…$/u,
    );
  });

  it('name the URL as the script wrote it', async () => {
    const { gave } = await callHttp(refusing, 'HTTP://OK.test/%7e#x');
    expect(gave).toBe('NetworkError: Http.get failed: the host refused the connection: HTTP://OK.test/%7e#x');
  });
});

describe('a server in memory', () => {
  it('is not asked for a run that is over', async () => {
    let asked = 0;
    const run = new AbortController();
    run.abort();
    const { gave } = await callHttp(
      createMemoryHttp(() => (asked++, { body: 'ok' })),
      'http://ok.test/',
      { signal: run.signal },
    );
    expect(gave).toMatch(/^NetworkError: /);
    expect(asked).toBe(0);
  });

  it('is left when the run ends, whether it answers or not', async () => {
    const run = new AbortController();
    const waiting = callHttp(
      createMemoryHttp(() => new Promise(() => {})),
      'http://ok.test/',
      { signal: run.signal },
    );
    run.abort();
    expect((await waiting).gave).toMatch(/^NetworkError: /);
  });

  it.each(['Location', 'location', 'LOCATION'])('may spell its headers as it likes: %s', async (name) => {
    const client = createMemoryHttp(({ url }) =>
      url.endsWith('/there') ? { body: 'there' } : { status: 302, headers: { [name]: '/there' } },
    );
    expect((await callHttp(client, 'http://ok.test/')).gave).toBe('there');
  });

  it('cannot compress', async () => {
    const client = createMemoryHttp(() => ({ headers: { 'Content-Encoding': 'gzip' }, body: 'ok' }));
    expect((await callHttp(client, 'http://ok.test/')).gave).toBe(
      'NetworkError: Http.get failed: the answer is compressed, which was not asked for: http://ok.test/',
    );
  });

  it('that knows no such host says so', async () => {
    expect(
      (
        await callHttp(
          createMemoryHttp(() => null),
          'http://ok.test/',
        )
      ).gave,
    ).toBe('NetworkError: Http.get failed: the name of the host is not known: http://ok.test/');
  });
});
