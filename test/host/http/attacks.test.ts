// Further attacks on Http of Node: answers that never get to their point, hosts that changed the engine's own objects,
// and what else a connection might be led to. Every name ends in .test and stands for 127.0.0.1.

import { execFile } from 'node:child_process';
import diagnostics from 'node:diagnostics_channel';
import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNodeHttp } from '../../../runtime-host/node/http.ts';
import { callHttp } from './calls.ts';
import type { CallOptions } from './calls.ts';
import { certificateAuthority, startServer, startSocketServer, until } from './servers.ts';
import type { Handler, TestServer } from './servers.ts';

const servers: TestServer[] = [];
/** The ends of connections that this process opened. */
let opened: Socket[] = [];
const note = (message: unknown): void => void opened.push((message as { socket: Socket }).socket);
beforeEach(() => diagnostics.subscribe('net.client.socket', note));
afterEach(async () => {
  diagnostics.unsubscribe('net.client.socket', note);
  const left = opened.filter((socket) => !socket.destroyed);
  opened = [];
  expect(left).toEqual([]);
  await until(() => servers.every((server) => server.connections() === 0));
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const keep = async (starting: Promise<TestServer>): Promise<TestServer> => {
  const server = await starting;
  servers.push(server);
  return server;
};
const serve = (handle: Handler, certificate: 'server' | 'self-signed' | null = null): Promise<TestServer> =>
  keep(startServer(handle, certificate));
const at = (server: TestServer, path = '/', name = 'ok.test'): string =>
  `${server.origin.replace('localhost', name)}${path}`;
const bytesRead = (): number => opened.reduce((sum, socket) => sum + socket.bytesRead, 0);

const client = createNodeHttp({ resolve: async () => ['127.0.0.1'], certificateAuthorities: [certificateAuthority] });
const hostText = /127\.0\.0\.1|ECONN|HPE_|ERR_|Parse|socket|\bat |node:/;

async function get(url: string, options: CallOptions = {}): Promise<string> {
  const { gave } = await callHttp(client, url, { grant: { timeoutMs: 10_000 }, ...options });
  expect(gave.replaceAll(url, '')).not.toMatch(hostText);
  return gave;
}
const failed = (what: string, url: string): string => `NetworkError: Http.get failed: ${what}: ${url}`;
const malformed = 'the answer is no HTTP that can be read';
const encoded = 'the answer is compressed, which was not asked for';
const tooLarge = 'SecurityError: Http.get denied: larger than maxResponseSize';

/** Answers every connection with these bytes, and the repeated ones until it is cut. */
function answerRaw(start: string, repeated: string | null = null): Promise<TestServer> {
  return keep(
    startSocketServer((socket) => {
      socket.write(start);
      if (repeated === null) return void socket.end();
      const flood = (): void => {
        while (!socket.destroyed && socket.write(repeated));
      };
      socket.on('drain', flood);
      flood();
    }),
  );
}

const ok = 'HTTP/1.1 200 OK\r\n';
const long = (text: string, times: number): string => text.repeat(times);

describe('answers without end', () => {
  it.each([
    ['empty lines before it', '', long('\r\n', 4_096)],
    ['early hints', '', long('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n', 256)],
    ['continuing', '', long('HTTP/1.1 100 Continue\r\n\r\n', 256)],
    ['a reason', 'HTTP/1.1 200 ', long('K', 8_192)],
    ['one header', `${ok}x: `, long('x', 8_192)],
    ['many headers', ok, long('x: y\r\n', 2_048)],
    ['the noughts of a size', `${ok}transfer-encoding: chunked\r\n\r\n`, long('0', 8_192)],
    ['an extension of a chunk', `${ok}transfer-encoding: chunked\r\n\r\n1;a=`, long('b', 8_192)],
    ['many extensions', `${ok}transfer-encoding: chunked\r\n\r\n`, long(`1;a=${long('b', 1_000)}\r\nx\r\n`, 16)],
    ['trailers', `${ok}transfer-encoding: chunked\r\n\r\n0\r\n`, long('x: y\r\n', 2_048)],
  ])('%s: cut off, and little is read', async (_name, start, repeated) => {
    const server = await answerRaw(start, repeated);
    expect(await get(at(server))).toBe(failed(malformed, at(server)));
    expect(bytesRead()).toBeLessThan(512 * 1024);
  });

  it.each([0, 1, 9, 1_000, 100_000])('a body beyond %d bytes is cut off within 64 KiB', async (maxResponseSize) => {
    const server = await answerRaw(`${ok}\r\n`, long('x', 16_384));
    expect(await get(at(server), { grant: { maxResponseSize } })).toBe(tooLarge);
    expect(bytesRead()).toBeLessThanOrEqual(maxResponseSize + 65_536);
  });

  it('chunks of one byte are an answer all the same', async () => {
    const server = await answerRaw(`${ok}transfer-encoding: chunked\r\n\r\n${long('1\r\nx\r\n', 200_000)}0\r\n\r\n`);
    expect(await get(at(server))).toBe(long('x', 200_000));
  });

  it('93: of an encoding that was not asked for nothing is read but the beginning', async () => {
    const server = await answerRaw(`${ok}content-encoding: gzip\r\n\r\n`, long('x', 16_384));
    expect(await get(at(server), { grant: { maxResponseSize: 100_000 } })).toBe(failed(encoded, at(server)));
    expect(bytesRead()).toBeLessThanOrEqual(100_000 + 65_536);
  });

  it('the body of a failure is not read', async () => {
    const server = await answerRaw('HTTP/1.1 500 No\r\n\r\n', long('x', 16_384));
    expect(await get(at(server))).toBe(failed('the status is 500', at(server)));
    expect(bytesRead()).toBeLessThanOrEqual(65_536);
  });

  it('the body of a redirect is not read', async () => {
    const target = await serve((_request, response) => void response.end('there'));
    const server = await answerRaw(`HTTP/1.1 302 Found\r\nlocation: ${at(target)}\r\n\r\n`, long('x', 16_384));
    expect(await get(at(server))).toBe('there');
    expect(opened[0]!.bytesRead).toBeLessThanOrEqual(65_536);
  });
});

describe('answers in two minds', () => {
  it.each([
    ['gzip', encoded],
    ['br', encoded],
    ['zstd', encoded],
    ['deflate, identity', encoded],
    ['identity, gzip', encoded],
    ['x-unknown', encoded],
    ['GZIP', encoded],
  ])('content-encoding %s', async (encoding, what) => {
    const server = await answerRaw(`${ok}Content-Encoding: ${encoding}\r\ncontent-length: 2\r\n\r\nok`);
    expect(await get(at(server))).toBe(failed(what, at(server)));
  });

  it('an encoding behind an innocent one', async () => {
    const server = await answerRaw(
      `${ok}content-encoding: identity\r\ncontent-encoding: gzip\r\ncontent-length: 2\r\n\r\nok`,
    );
    expect(await get(at(server))).toBe(failed(encoded, at(server)));
  });

  it('an encoding behind three thousand headers', async () => {
    const server = await answerRaw(
      `${ok}${long('a:b\r\n', 3_000)}content-encoding: gzip\r\ncontent-length: 2\r\n\r\nok`,
    );
    expect(await get(at(server))).toBe(failed(encoded, at(server)));
  });

  it('a compressed transfer', async () => {
    const server = await answerRaw(`${ok}transfer-encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`);
    expect(await get(at(server))).toBe(failed(encoded, at(server)));
  });

  it('two places to go to', async () => {
    const target = await serve((_request, response) => void response.end('there'));
    const server = await answerRaw(
      `HTTP/1.1 302 Found\r\nlocation: ${at(target, '/a')}\r\nlocation: ${at(target, '/b')}\r\n\r\n`,
    );
    expect(await get(at(server))).toBe(failed(malformed, at(server)));
    expect(target.seen).toEqual([]);
  });

  it.each([
    'location: http://evil.test\r\n /x\r\n',
    'location: http://ok.test/\rx: y\r\n',
    'location: /a\0b\r\n',
    'location : /a\r\n',
  ])('73: %j', async (header) => {
    const server = await answerRaw(`HTTP/1.1 302 Found\r\n${header}\r\n`);
    expect(await get(at(server), { grant: { allowedDomains: ['ok.test'] } })).toMatch(
      /^(SecurityError: Http\.get denied|NetworkError: Http\.get failed): /,
    );
    expect(opened.length).toBe(1);
  });

  it('a second answer after the first', async () => {
    const server = await answerRaw(`${ok}content-length: 2\r\n\r\nok${ok}content-length: 4\r\n\r\nevil`);
    expect(await get(at(server))).toBe('ok');
  });

  it('a switch to another protocol', async () => {
    const server = await answerRaw(
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
    );
    expect(await get(at(server))).toBe(failed(malformed, at(server)));
  });

  it('a redirect in UTF-8', async () => {
    const target = await serve((request, response) => void response.end(decodeURIComponent(request.url!)));
    const server = await keep(
      startSocketServer((socket) =>
        socket.end(Buffer.from(`HTTP/1.1 302 Found\r\nlocation: ${at(target)}é😀\r\n\r\n`)),
      ),
    );
    expect(await get(at(server))).toBe('/é😀');
  });
});

describe('what a redirect may not do', () => {
  const to = (status: number, location: string): Promise<TestServer> =>
    serve((request, response) =>
      request.url === '/to' ? void response.writeHead(status, { location }).end() : void response.end(request.method),
    );

  it.each([301, 302, 303])('a POST that was allowed is no GET that was allowed: %d', async (status) => {
    const server = await to(status, '/page');
    const grant: CallOptions['grant'] = ({ kind }) => (kind === 'Http.Post' ? {} : null);
    const { gave, asked } = await callHttp(client, at(server, '/to'), { fn: 'post', body: 'b', grant });
    expect(gave).toBe('SecurityError: Http.post denied: the host does not permit it');
    expect(asked).toEqual([`Http.Post ${at(server, '/to')}`, `Http.Get ${at(server, '/page')}`]);
    expect(server.seen.map(({ path }) => path)).toEqual(['/to']);
  });

  it.each([307, 308])('a POST that stays one is not asked about again: %d', async (status) => {
    const server = await to(status, '/page');
    const { gave, asked } = await callHttp(client, at(server, '/to'), { fn: 'post', body: 'b' });
    expect(gave).toBe('POST');
    expect(asked.length).toBe(1);
  });

  it.each([
    ['put', 303],
    ['delete', 303],
  ] as const)('a %s that becomes a GET is asked about: %d', async (fn, status) => {
    const server = await to(status, '/page');
    const { gave, asked } = await callHttp(client, at(server, '/to'), { fn, body: 'b' });
    expect(gave).toBe('GET');
    expect(asked[1]).toBe(`Http.Get ${at(server, '/page')}`);
  });

  it('say where it led', async () => {
    const server = await to(302, 'http://secret-place.test:81/token?x');
    for (const grant of [
      { allowedDomains: ['ok.test'] },
      { allowedPorts: [server.port] },
      (request: { readonly url: string }) => (request.url.includes('secret') ? null : {}),
    ]) {
      const { gave } = await callHttp(client, at(server, '/to'), { grant });
      expect(gave).toMatch(/^SecurityError: Http\.get denied: /);
      expect(gave).not.toMatch(/secret|token|81/);
    }
    const { gave } = await callHttp(
      createNodeHttp({ resolve: async (name) => (name === 'ok.test' ? ['127.0.0.1'] : []) }),
      at(server, '/to'),
    );
    expect(gave).toBe(failed('the name of the host is not known', at(server, '/to')));
  });

  it('be asked about once the time is up', async () => {
    const server = await serve(
      (_request, response) => void setTimeout(() => response.writeHead(302, { location: 'http://b.test/' }).end(), 150),
    );
    const { gave, asked } = await callHttp(client, at(server), { grant: { timeoutMs: 50 } });
    expect(gave).toBe(failed('there was no answer within 50 ms', at(server)));
    expect(asked.length).toBe(1);
    await until(() => server.connections() === 0);
  });
});

describe('a host that changed the engine', () => {
  /** Sets properties while a call lasts. */
  async function changed<Result>(
    changes: readonly (readonly [target: object, name: string, value: unknown])[],
    work: () => Promise<Result>,
  ): Promise<Result> {
    const before = changes.map(([target, name]) => Object.getOwnPropertyDescriptor(target, name));
    for (const [target, name, value] of changes)
      Object.defineProperty(target, name, { value, configurable: true, writable: true });
    try {
      return await work();
    } finally {
      changes.forEach(([target, name], index) =>
        before[index] === undefined
          ? Reflect.deleteProperty(target, name)
          : Object.defineProperty(target, name, before[index]),
      );
    }
  }

  const yes = (): boolean => true;
  const urlField = (name: string, value: string): readonly [object, string, unknown] => [URL.prototype, name, value];

  // Each is set alone: what the rules say must not move.
  it.each<[string, readonly [object, string, unknown]]>([
    ['startsWith', [String.prototype, 'startsWith', yes]],
    ['endsWith', [String.prototype, 'endsWith', yes]],
    ['includes of texts', [String.prototype, 'includes', () => false]],
    ['includes of lists', [Array.prototype, 'includes', yes]],
    ['some', [Array.prototype, 'some', () => false]],
    ['every', [Array.prototype, 'every', yes]],
    ['slice', [String.prototype, 'slice', () => 'ok.test']],
    ['charCodeAt', [String.prototype, 'charCodeAt', () => 97]],
    ['RegExp.test', [RegExp.prototype, 'test', () => false]],
    ['Set.has', [Set.prototype, 'has', yes]],
    ['Number', [globalThis, 'Number', () => 443]],
    ['hostname', urlField('hostname', 'ok.test')],
    ['protocol', urlField('protocol', 'https:')],
    ['port', urlField('port', '443')],
    ['username', urlField('username', '')],
    ['origin', urlField('origin', 'https://ok.test')],
    ['URL.parse', [URL, 'parse', () => new URL('https://ok.test/')]],
  ])('157: %s', async (_name, change) => {
    const server = await serve((_request, response) => void response.end('reached'));
    const grant = { allowedDomains: ['ok.test'], allowedPorts: [443], httpsOnly: true };
    const urls = [
      at(server, '/', 'evil.test'),
      at(server),
      `https://evil.test/`,
      'https://ok.test:8443/',
      'https://a:b@ok.test/',
      'https://ok.test\\\\@evil.test/',
      'https://ok.test/ x',
      'file:///etc/passwd',
    ];
    const limits = grant;
    const noAddress: CallOptions = { grant: {}, net: 'deny' };
    // Calls first, expectations after: those use what was changed.
    const gave = await changed([change], async () => {
      const all: string[] = [];
      for (const url of urls) all[all.length] = (await callHttp(client, url, { grant: limits })).gave;
      for (const url of [
        'http://127.0.0.1:1/',
        'http://[::ffff:10.0.0.1]/',
        'http://169.254.169.254/',
        at(server, '/', 'a.test'),
      ])
        all[all.length] = (await callHttp(client, url, noAddress)).gave;
      return all;
    });
    expect(gave.length).toBe(12);
    for (const text of gave) expect(text).toMatch(/^SecurityError: Http\.get denied: /);
    expect(server.seen).toEqual([]);
    expect(opened).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['status', 200],
    ['location', 'http://evil.test/'],
    ['content-encoding', 'gzip'],
    ['content-type', 'text/plain; charset=utf-16'],
    ['auth', 'me:secret'],
    ['socketPath', '/nowhere.sock'],
    ['agent', new http.Agent()],
    ['headers', { cookie: 'a=b' }],
    ['rejectUnauthorized', false],
    ['servername', 'evil.test'],
    ['ca', certificateAuthority],
    ['family', 6],
    ['localAddress', '203.0.113.9'],
    ['httpsOnly', false],
    ['isWildcard', true],
  ])('157: Object.prototype.%s', async (name, value) => {
    const server = await serve((request, response) =>
      request.url === '/to' ? void response.writeHead(302).end() : void response.end('é'),
    );
    const selfSigned = await serve((_request, response) => void response.end('reached'), 'self-signed');
    const gave = await changed([[Object.prototype, name, value]], async () => [
      (await callHttp(client, at(server))).gave,
      (await callHttp(client, at(server, '/to'))).gave,
      (await callHttp(client, at(selfSigned))).gave,
      (await callHttp(client, at(server, '/no', 'a.ok.test'), { grant: { allowedDomains: ['ok.test'] } })).gave,
    ]);
    expect(gave).toEqual([
      'é',
      failed('the status is 302', at(server, '/to')),
      failed('the certificate of the host is not trusted, or TLS failed', at(selfSigned)),
      'SecurityError: Http.get denied: outside allowedDomains',
    ]);
    expect(server.seen.map(({ path }) => path)).toEqual(['/', '/to']);
    expect(server.seen[0]!.headers).toEqual({
      host: `ok.test:${server.port}`,
      'user-agent': 'sluice/1',
      accept: '*/*',
      'accept-encoding': 'identity',
      connection: 'close',
    });
    expect(selfSigned.seen).toEqual([]);
  });

  it('101: a proxy in the place of the agents of Node sees nothing', async () => {
    const [server, secure] = await Promise.all([
      serve((_request, response) => void response.end('direct')),
      serve((_request, response) => void response.end('direct'), 'server'),
    ]);
    const agents = [http.globalAgent, https.globalAgent] as const;
    let used = 0;
    const lead = (): never => {
      used++;
      throw new Error('through the proxy');
    };
    http.globalAgent = new (class extends http.Agent {
      override createConnection = lead;
    })();
    https.globalAgent = new (class extends https.Agent {
      override createConnection = lead;
    })();
    try {
      expect([await get(at(server)), await get(at(secure))]).toEqual(['direct', 'direct']);
    } finally {
      [http.globalAgent, https.globalAgent] = agents;
    }
    expect(used).toBe(0);
  });

  it.each(['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'])(
    '101: the variable %s counts for nothing',
    async (name) => {
      const [server, secure, proxy] = await Promise.all([
        serve((_request, response) => void response.end('direct')),
        serve((_request, response) => void response.end('direct'), 'server'),
        serve((_request, response) => void response.end('proxied')),
      ]);
      process.env[name] = proxy.origin;
      process.env['NODE_USE_ENV_PROXY'] = '1';
      try {
        expect([await get(at(server)), await get(at(secure))]).toEqual(['direct', 'direct']);
      } finally {
        delete process.env[name];
        delete process.env['NODE_USE_ENV_PROXY'];
      }
      expect(proxy.seen).toEqual([]);
    },
  );
});

describe('connections', () => {
  it.each([undefined, '', '10.9.8.7', '127.0.0.2', '::1'])(
    'to %j, which nobody was asked about, carry nothing',
    async (remoteAddress) => {
      const [server, secure] = await Promise.all([
        serve((_request, response) => void response.end('reached')),
        serve((_request, response) => void response.end('reached'), 'server'),
      ]);
      const mislead = (message: unknown): void =>
        void Object.defineProperty((message as { socket: Socket }).socket, 'remoteAddress', { value: remoteAddress });
      diagnostics.subscribe('net.client.socket', mislead);
      try {
        for (const each of [server, secure])
          expect(await get(at(each))).toBe(failed('the host cannot be reached', at(each)));
      } finally {
        diagnostics.unsubscribe('net.client.socket', mislead);
      }
      expect([server.seen, secure.seen]).toEqual([[], []]);
    },
  );

  it('are read strictly, whatever flag Node was started with', async () => {
    const server = await answerRaw(`${ok}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`);
    const script = `
      const { createNodeHttp } = await import(process.argv[1] + '/runtime-host/node/http.ts');
      const { callHttp } = await import(process.argv[1] + '/test/host/http/calls.ts');
      console.log((await callHttp(createNodeHttp(), process.argv[2])).gave);`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--insecure-http-parser',
      '--input-type=module',
      '-e',
      script,
      join(import.meta.dirname, '../../..'),
      at(server, '/', '127.0.0.1'),
    ]);
    expect(stdout.trim()).toBe(failed(malformed, at(server, '/', '127.0.0.1')));
  });
});

describe('resolvers', () => {
  const byName = (resolve: unknown) =>
    createNodeHttp({ resolve: resolve as (name: string) => Promise<readonly string[]> });
  const unknown = 'the name of the host is not known';

  it('may not change what was asked about', async () => {
    const server = await serve((_request, response) => void response.end('reached'));
    let reads = 0;
    const shifting = new Proxy(['93.184.216.34'], {
      get: (list, key) => (key === '0' && ++reads > 1 ? '127.0.0.1' : (Reflect.get(list, key) as unknown)),
    });
    const { gave } = await callHttp(
      byName(async () => shifting),
      at(server),
      { net: 'deny', grant: { timeoutMs: 300 } },
    );
    expect(gave).toMatch(/^NetworkError: /);
    expect(reads).toBe(1);
    expect(server.seen).toEqual([]);
  });

  it.each<[string, unknown]>([
    [
      'throws',
      () => {
        throw new Error('/etc/resolv.conf');
      },
    ],
    ['gives no promise', () => ['127.0.0.1.5']],
    ['gives nothing', async () => undefined],
    ['gives null', async () => null],
    ['gives a name', async () => ['evil.test']],
    ['gives numbers', async () => [2130706433]],
    ['gives an address and more', async () => ['127.0.0.1', 'evil.test']],
    ['gives a port', async () => ['127.0.0.1:80']],
    [
      'fails',
      async () => {
        throw Object.assign(new Error('query ENOTFOUND'), { code: 'ENOTFOUND' });
      },
    ],
  ])('that %s', async (_name, resolve) => {
    const { gave } = await callHttp(byName(resolve), 'http://ok.test:1/');
    expect(gave).toBe(failed(unknown, 'http://ok.test:1/'));
    expect(opened).toEqual([]);
  });

  it('are asked once for each request, and with its name alone', async () => {
    const server = await serve((request, response) =>
      request.url === '/to' ? void response.writeHead(302, { location: '/there' }).end() : void response.end('there'),
    );
    const names: string[] = [];
    const resolving = byName(async (name: string) => [names.push(name) > 0 ? '127.0.0.1' : '']);
    expect((await callHttp(resolving, at(server, '/to'))).gave).toBe('there');
    expect(names).toEqual(['ok.test', 'ok.test']);
  });

  it('that change their mind between the hops of a redirect', async () => {
    const server = await serve((_request, response) => void response.writeHead(302, { location: '/there' }).end());
    const answers = [['127.0.0.1'], ['127.0.0.1']];
    const { gave } = await callHttp(
      byName(async () => answers.shift() ?? []),
      at(server),
      { grant: { allowedDomains: ['ok.test'] }, net: 'allow' },
    );
    expect(gave).toBe(failed(unknown, at(server)));
    expect(server.seen.length).toBe(2);
  });

  it('are not asked about addresses', async () => {
    const server = await serve((_request, response) => void response.end('ok'));
    const { gave } = await callHttp(
      byName(() => {
        throw new Error('asked');
      }),
      at(server, '/', '127.0.0.1'),
    );
    expect(gave).toBe('ok');
  });

  it('lead on to the next address where nobody answers', async () => {
    const server = await serve((_request, response) => void response.end('ok'));
    const { gave } = await callHttp(
      byName(async () => ['127.0.0.2', '127.0.0.1']),
      at(server),
    );
    expect(gave).toBe('ok');
  });
});
