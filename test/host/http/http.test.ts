// Http with real servers on loopback: what is sent, what is taken, what is refused, and the attacks of the list under
// their numbers. Every name that ends in .test stands for 127.0.0.1 here.

import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createNodePlatform, Denied, Granted, HttpGrant } from '../../../runtime-host/api/node.ts';
import type {
  HttpConstraints,
  PermissionAnswer,
  PermissionRequest,
  ScriptOptions,
} from '../../../runtime-host/api/node.ts';
import { handsOut, load } from '../scripts.ts';
import { certificateAuthority, startServer, startSocketServer, until } from './servers.ts';
import type { Handler, TestServer } from './servers.ts';

type Resolve = (name: string) => Promise<readonly string[]>;
const toLoopback: Resolve = async () => ['127.0.0.1'];

interface World {
  readonly grant?:
    | HttpConstraints
    | PermissionAnswer
    | ((request: PermissionRequest) => PermissionAnswer | Promise<PermissionAnswer>);
  readonly net?: ScriptOptions['privateNetwork'];
  readonly resolve?: Resolve;
  readonly authorities?: readonly string[];
}

function options({
  grant = {},
  net = 'allow',
  resolve = toLoopback,
  authorities = [certificateAuthority],
}: World): ScriptOptions {
  const answer =
    typeof grant === 'function'
      ? grant
      : () =>
          'kind' in grant || 'reason' in grant ? (grant as PermissionAnswer) : HttpGrant(grant as HttpConstraints);
  return {
    platform: createNodePlatform({ resolve, certificateAuthorities: authorities }),
    permissions: answer,
    privateNetwork: net,
  };
}

const hostText = /ECONN|ENOTFOUND|HPE_|ERR_|CERT|socket hang up|self.signed|127\.0\.0\.1|\bat \/|node:/;

/** The body, or `SE …` or `NE …`; what it tells of an error holds nothing of the host. */
async function attempt(call: string, world: World = {}): Promise<string> {
  const [given = ''] = await handsOut(
    `main() { try { return ${call}; } catch (SecurityError e) { return "SE " + e; } catch (NetworkError e) { ` +
      'return "NE " + e; } }',
    options(world),
  );
  if (/^[SN]E /.test(given) && !call.includes('127')) expect(given).not.toMatch(hostText);
  return given;
}

const get = (url: string, world: World = {}): Promise<string> => attempt(`Http.get("${url}")`, world);
const denied = (what: string, fn = 'get'): string => `SE Http.${fn} denied: ${what}`;
const failed = (what: string, url: string, fn = 'get'): string => `NE Http.${fn} failed: ${what}: ${url}`;
const notPublic = denied('the host is not on the public network');
const outsideDomains = denied('outside allowedDomains');

const gzipBomb = gzipSync(Buffer.alloc(20_000_000));

const pages: Readonly<Record<string, Handler>> = {
  '/ok': (_request, response) => void response.end('ok'),
  '/echo': (_request, response, body) => void response.end(body),
  '/utf-8': (_request, response) => void response.end('ééééé'),
  '/latin-1': (_request, response) =>
    void response.setHeader('content-type', 'text/plain; charset=iso-8859-1').end(Buffer.from([0xe9, 0x21])),
  '/odd-charset': (_request, response) =>
    void response.setHeader('content-type', 'text/plain; charset=klingon').end('é'),
  '/not-text': (_request, response) => void response.end(Buffer.from([0xff, 0xfe, 0x61])),
  '/bom': (_request, response) => void response.end('\ufeffa'),
  '/empty': (_request, response) => void response.writeHead(204).end(),
  '/json': (_request, response) => void response.end('{"a": 1, "b": 2.0}'),
  '/bad-json': (_request, response) => void response.end('{"a": '),
  '/gzip': (_request, response) => void response.setHeader('content-encoding', 'gzip').end(gzipBomb),
  '/gzips': (_request, response) =>
    void response.setHeader('content-encoding', Array.from({ length: 1_000 }, () => 'gzip').join(', ')).end(gzipBomb),
  '/identity': (_request, response) => void response.setHeader('content-encoding', 'identity').end('plain'),
  '/endless': (_request, response) => {
    const write = (): void => {
      while (!response.destroyed && response.write('x'.repeat(16_384)));
      if (!response.destroyed) response.once('drain', write);
    };
    write();
  },
  '/drip': (_request, response) => {
    const timer = setInterval(() => response.write('.'), 20);
    response.on('close', () => clearInterval(timer));
  },
  '/silence': () => {},
  '/half': (_request, response) => {
    response.setHeader('content-length', 100);
    response.write('half');
    setTimeout(() => response.destroy(), 20);
  },
  '/reset': (request) => void request.socket.resetAndDestroy(),
  '/cookie': (_request, response) => void response.setHeader('set-cookie', 'a=b').end('cookie'),
  '/loop': (_request, response) => void response.writeHead(302, { location: '/loop' }).end(),
  '/no-location': (_request, response) => void response.writeHead(302).end(),
  '/large-headers': (_request, response) => void response.setHeader('x-large', 'x'.repeat(65_536)).end('ok'),
  '/many-headers': (_request, response) => {
    for (let at = 0; at < 10_000; at++) response.setHeader(`x${at}`, 'x');
    response.end('ok');
  },
};

/** `/to?CODE=URL` redirects there, `/after?MS=URL` does so after a while, `/status?N` has that status. */
const site: Handler = (request, response, body) => {
  const { pathname, search } = new URL(request.url!, 'http://x');
  const [key = '', value = ''] = search.slice(1).split(/=(.*)/s);
  if (pathname === '/to')
    return void response.writeHead(Number(key), { location: decodeURIComponent(value) }).end('moved');
  if (pathname === '/after')
    return void setTimeout(() => response.writeHead(302, { location: decodeURIComponent(value) }).end(), Number(key));
  if (pathname === '/status') return void response.writeHead(Number(key)).end('body of a failure');
  const page = pages[pathname];
  if (page === undefined) return void response.writeHead(404).end();
  return page(request, response, body);
};

let server: TestServer;
let other: TestServer;
let secure: TestServer;
let selfSigned: TestServer;

beforeAll(async () => {
  [server, other, secure, selfSigned] = await Promise.all([
    startServer(site),
    startServer(site),
    startServer(site, 'server'),
    startServer(site, 'self-signed'),
  ]);
});
afterAll(() => Promise.all([server, other, secure, selfSigned].map((each) => each.close())));
afterEach(async () => {
  // Nothing is left open, whatever happened.
  await until(() => [server, other, secure, selfSigned].every((each) => each.connections() === 0));
  for (const each of [server, other, secure, selfSigned]) each.seen.length = 0;
});

/** The URL of a page by a name of ours. */
const at = (name: string, path: string, to: TestServer = server): string =>
  `${to.origin.startsWith('https') ? 'https' : 'http'}://${name}:${to.port}${path}`;
const redirect = (status: number, to: string, through: TestServer = server, name = 'ok.test'): string =>
  at(name, `/to?${status}=${encodeURIComponent(to)}`, through);

describe('requests as they arrive', () => {
  it.each([
    ['get', 'GET', 'Http.get(URL)'],
    ['getJson', 'GET', 'Json.stringify(Http.getJson(URL))'],
    ['delete', 'DELETE', 'Http.delete(URL)'],
  ])('%s', async (_fn, method, call) => {
    await attempt(call.replace('URL', `"${at('ok.test', '/json?x=1#y')}"`));
    expect(server.seen).toMatchObject([{ method, path: '/json?x=1', body: '' }]);
  });

  it.each([
    ['post', '{"a": 1}', 'application/json'],
    ['post', '12', 'application/json'],
    ['post', '{a: 1}', 'text/plain; charset=utf-8'],
    ['post', '', 'text/plain; charset=utf-8'],
    ['put', '[]', 'application/json'],
    ['put', 'é', 'text/plain; charset=utf-8'],
  ])('%s of %j', async (fn, body, type) => {
    expect(await attempt(`Http.${fn}("${at('ok.test', '/echo')}", ${JSON.stringify(body)})`)).toBe(body);
    expect(server.seen).toMatchObject([
      {
        method: fn.toUpperCase(),
        body,
        headers: { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) },
      },
    ]);
  });

  it('101: hold nothing but what they must', async () => {
    process.env['http_proxy'] = process.env['HTTP_PROXY'] = other.origin;
    try {
      await attempt(`Http.post("${at('ok.test', '/echo')}", "x")`);
    } finally {
      delete process.env['http_proxy'];
      delete process.env['HTTP_PROXY'];
    }
    expect(other.seen).toEqual([]);
    expect(server.seen[0]!.headers).toEqual({
      host: `ok.test:${server.port}`,
      'user-agent': 'sluice/1',
      accept: '*/*',
      'accept-encoding': 'identity',
      connection: 'close',
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '1',
    });
  });

  it('103: bring no cookie back', async () => {
    const url = at('ok.test', '/cookie');
    expect(await handsOut(`Http.get("${url}"); yield Http.get("${url}");`, options({}))).toEqual(['cookie']);
    expect(server.seen.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined]);
  });
});

describe('answers', () => {
  it.each([
    ['/ok', 'ok'],
    ['/utf-8', 'ééééé'],
    ['/latin-1', 'é!'],
    ['/odd-charset', 'é'],
    ['/bom', 'a'],
    ['/empty', ''],
    ['/identity', 'plain'],
  ])('%s', async (path, text) => {
    expect(await get(at('ok.test', path))).toBe(text);
  });

  it.each([300, 304, 400, 401, 403, 404, 418, 429, 500, 503])('a status of %d', async (status) => {
    const url = at('ok.test', `/status?${status}`);
    expect(await get(url)).toBe(failed(`the status is ${status}`, url));
  });

  it('a redirect to nowhere', async () => {
    expect(await get(at('ok.test', '/no-location'))).toBe(failed('the status is 302', at('ok.test', '/no-location')));
  });

  it('bytes that are no text', async () => {
    expect(await get(at('ok.test', '/not-text'))).toContain('the answer is not text in the encoding that it claims');
  });

  it('JSON, and what is none', async () => {
    expect(await handsOut(`yield Http.getJson("${at('ok.test', '/json')}");`, options({}))).toEqual([
      '{"a":1,"b":2.0}',
    ]);
    expect(
      await handsOut(
        `try { Http.getJson("${at('ok.test', '/bad-json')}"); } catch (ParseError e) { yield "ParseError"; }`,
        options({}),
      ),
    ).toEqual(['ParseError']);
  });

  it.each(['/half', '/reset'])('that break off: %s', async (path) => {
    expect(await get(at('ok.test', path))).toBe(
      failed('the connection was closed before the answer was whole', at('ok.test', path)),
    );
  });

  it('nobody there', async () => {
    const gone = await startServer(site);
    await gone.close();
    const url = at('ok.test', '/ok', gone);
    expect(await get(url)).toBe(failed('the host refused the connection', url));
  });

  it('a name that nobody knows', async () => {
    const nobody = async (): Promise<readonly string[]> => {
      throw new Error('/etc/hosts says no');
    };
    expect(await get(at('ok.test', '/ok'), { resolve: nobody })).toContain('the name of the host is not known');
    expect(await get(at('ok.test', '/ok'), { resolve: async () => [] })).toContain('the name of the host is not known');
    expect(await get(at('ok.test', '/ok'), { resolve: async () => ['not an address'] })).toContain(
      'the name of the host is not known',
    );
  });

  it.each<[string, string]>([
    ['no HTTP', 'hello\r\n\r\n'],
    ['a status that is none', 'HTTP/1.1 abc OK\r\n\r\n'],
    ['a header that is none', 'HTTP/1.1 200 OK\r\nbad header\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    [
      'a length and chunks',
      'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n',
    ],
    ['chunks that are none', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n'],
    ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
    ['a carriage return in a header', 'HTTP/1.1 302 Found\r\nlocation: /a\rb\r\n\r\n'],
    ['nothing', ''],
  ])('105: %s', async (_name, text) => {
    const raw = await startSocketServer((socket) => socket.end(text));
    try {
      expect(await get(at('ok.test', '/ok', raw))).toMatch(/^NE Http.get failed: /);
    } finally {
      await raw.close();
    }
  });

  it.each(['/large-headers', '/many-headers'])('105: %s', async (path) => {
    expect(await get(at('ok.test', path))).toMatch(/^NE Http.get failed: the answer is no HTTP that can be read/);
  });
});

describe('URLs that are refused before anybody is asked', () => {
  it.each([
    ['67: ftp://ok.test/', 'the scheme of the URL is neither http nor https'],
    ['67: file:///etc/passwd', 'the scheme of the URL is neither http nor https'],
    ['67: data:,x', 'the scheme of the URL is neither http nor https'],
    ['67: blob:http://ok.test/x', 'the scheme of the URL is neither http nor https'],
    ['67: javascript:alert(1)', 'the scheme of the URL is neither http nor https'],
    ['67: ws://ok.test/', 'the scheme of the URL is neither http nor https'],
    ['83: http://ok.test\\\\@evil.test/', 'the URL holds a backslash; write a slash'],
    ['credentials: http://a:b@ok.test/', 'the URL holds a user name or a password'],
    ['credentials: http://a@ok.test/', 'the URL holds a user name or a password'],
    ['space: http://ok.test/a b', 'the URL holds white space; write it as %20'],
    ['space: http://ok.test/\\u{a0}', 'the URL holds white space; write it as %20'],
    ['control: http://ok.test/\\n', 'the URL holds a control character'],
    ['control: http://ok.te\\tst/', 'the URL holds a control character'],
    ['control: http://ok.test/\\u{0}', 'the URL holds a control character'],
    ['bidi: http://ok.test/\\u{202e}', 'the URL holds a character that changes the direction of writing'],
    ['none: ok.test', 'this is no URL; it begins with https://'],
    ['none: ', 'this is no URL; it begins with https://'],
    ['none: http://', 'this is no URL; it begins with https://'],
    ['none: http://ok.test:99999/', 'this is no URL; it begins with https://'],
    ['none: http://[::1/', 'this is no URL; it begins with https://'],
    [`long: http://ok.test/${'x'.repeat(8_200)}`, 'the URL is longer than 8192 characters'],
  ])('%s', async (name, what) => {
    let asked = 0;
    const url = name.slice(name.indexOf(': ') + 2);
    expect(
      await get(url, {
        grant: () => {
          asked++;
          return Granted;
        },
      }),
    ).toBe(denied(what));
    expect(asked).toBe(0);
  });
});

describe('domains', () => {
  const only = (...allowedDomains: string[]): World => ({ grant: { allowedDomains } });

  it('83: a host is what stands before the path', async () => {
    expect(await get(`http://ok.test:${server.port}/ok#@evil.test`, only('ok.test'))).toBe('ok');
    expect(await get(`http://evil.test:${server.port}/ok?ok.test`, only('ok.test'))).toBe(outsideDomains);
    expect(await get(`http://ok.test%2eevil.test:${server.port}/ok`, only('ok.test'))).toBe(outsideDomains);
    expect(server.seen.map(({ headers }) => headers.host)).toEqual([`ok.test:${server.port}`]);
  });

  it.each([
    'notok.test',
    'ok.test.evil.test',
    'sub.ok.test',
    'o-k.test',
    'ok.tes',
    'okatest',
    'xn--ok.test',
    '[::1]',
    '127.0.0.1',
    'ok.test..',
  ])('85: %s is not ok.test', async (host) => {
    expect(await get(at(host, '/ok'), only('ok.test'))).toMatch(/^SE /);
    expect(server.seen).toEqual([]);
  });

  it.each(['ok.test', 'OK.TEST', 'ok.test.', 'o%6b.test', 'ｏk.test'])('%s is ok.test', async (host) => {
    expect(await get(at(host, '/ok'), only('Ok.Test.'))).toBe('ok');
  });

  it.each([
    ['a.ok.test', true],
    ['a.b.ok.test', true],
    ['ok.test', false],
    ['aok.test', false],
    ['.ok.test', false],
  ])('a wildcard: %s', async (host, isAllowed) => {
    expect((await get(at(host, '/ok'), only('*.ok.test'))) === 'ok').toBe(isAllowed);
  });

  it('of a grant that is bad', async () => {
    for (const domain of ['*', '*.com', 'http://ok.test/', 'ok.test:80', ''])
      expect(await get(at('ok.test', '/ok'), only('ok.test', domain))).toBe(denied('the host does not permit it'));
    expect(await get(at('ok.test', '/ok'), only())).toBe(outsideDomains);
  });
});

describe('ports and schemes', () => {
  it('89: default ports count', async () => {
    const world: World = {
      grant: { allowedPorts: [443] },
      resolve: async () => {
        throw new Error();
      },
    };
    expect(await get('https://ok.test/', world)).toMatch(/^NE/);
    expect(await get('http://ok.test/', world)).toBe(denied('outside allowedPorts'));
    expect(await get('http://ok.test:443/', world)).toMatch(/^NE/);
  });

  it('others must be listed', async () => {
    expect(await get(at('ok.test', '/ok'), { grant: { allowedPorts: [server.port] } })).toBe('ok');
    expect(await get(at('ok.test', '/ok'), { grant: { allowedPorts: [server.port + 1] } })).toBe(
      denied('outside allowedPorts'),
    );
    expect(await get(at('ok.test', '/ok'), { grant: { allowedPorts: [] } })).toBe(denied('outside allowedPorts'));
  });

  it('httpsOnly', async () => {
    expect(await get(at('ok.test', '/ok'), { grant: { httpsOnly: true } })).toBe(denied('httpsOnly'));
    expect(await get(at('ok.test', '/ok', secure), { grant: { httpsOnly: true } })).toBe('ok');
    expect(server.seen).toEqual([]);
  });
});

describe('TLS', () => {
  const untrusted = 'the certificate of the host is not trusted, or TLS failed';

  it('trusts what it was told to', async () => {
    expect(await get(at('ok.test', '/ok', secure))).toBe('ok');
    expect(await get(at('localhost', '/ok', secure))).toBe('ok');
    expect(await get(at('127.0.0.1', '/ok', secure))).toBe('ok');
  });

  it.each<[string, () => TestServer, string, World]>([
    ['an authority that is unknown', () => secure, 'ok.test', { authorities: [] }],
    ['another name', () => secure, 'evil.test', {}],
    ['a self-signed certificate', () => selfSigned, 'ok.test', {}],
    ['no TLS at all', () => server, 'ok.test', {}],
  ])('refuses %s', async (_name, to, name, world) => {
    const url = `https://${name}:${to().port}/ok`;
    expect(await get(url, world)).toBe(failed(untrusted, url));
  });

  it('107: whatever the environment says', async () => {
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      expect(await get(at('ok.test', '/ok', selfSigned))).toContain(untrusted);
      expect(selfSigned.seen).toEqual([]);
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
  });
});

describe('addresses', () => {
  const noGet: World = { grant: Granted, net: 'deny' };

  it.each([
    '0x7f.1',
    '2130706433',
    '017700000001',
    '127.1',
    '①②⑦.⓪.⓪.①',
    '0',
    '127.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:0:0:1]',
    '[::]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
  ])('75: %s is this machine', async (host) => {
    expect(await get(at(host, '/ok'), noGet)).toBe(notPublic);
    expect(server.seen).toEqual([]);
  });

  it.each([
    '169.254.169.254',
    '168.63.129.16',
    '100.64.0.1',
    '192.0.0.192',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '224.0.0.1',
    '255.255.255.255',
    '0.0.0.0',
    '198.18.0.1',
    '240.0.0.1',
    '100.100.100.200',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
    '[fec0::1]',
    '[2001:db8::1]',
    '[2001::1]',
  ])('77: %s is not public', async (host) => {
    expect(await get(`http://${host}/`, noGet)).toBe(notPublic);
  });

  it.each([
    ['79: one public, one not', ['93.184.216.34', '127.0.0.1']],
    ['one public, one mapped', ['93.184.216.34', '::ffff:10.0.0.1']],
    ['metadata', ['169.254.169.254']],
    ['loopback', ['127.0.0.1']],
    ['loopback of IPv6', ['::1']],
  ])('a name for %s', async (_name, addresses) => {
    expect(await get(at('a.test', '/ok'), { ...noGet, resolve: async () => addresses })).toBe(notPublic);
    expect(server.seen).toEqual([]);
  });

  it('are looked up once: a second answer changes nothing', async () => {
    let asked = 0;
    const rebinding: Resolve = async () => (++asked === 1 ? ['127.0.0.1'] : ['93.184.216.34']);
    expect(await get(at('a.test', '/ok'), { resolve: rebinding })).toBe('ok');
    expect(asked).toBe(1);
    asked = 0;
    const toUs: Resolve = async () => (++asked === 1 ? ['203.0.113.1'] : ['127.0.0.1']);
    expect(await get(at('a.test', '/ok'), { ...noGet, resolve: toUs })).toBe(notPublic);
    expect(asked).toBe(1);
    expect(server.seen.length).toBe(1);
  });

  it.each<[ScriptOptions['privateNetwork'], HttpConstraints, string, string]>([
    ['deny', {}, 'a.test', notPublic],
    ['deny', { allowedDomains: ['a.test'] }, 'a.test', notPublic],
    ['deny', { allowedDomains: ['localhost'] }, 'localhost', 'ok'],
    ['deny', { allowedDomains: ['127.0.0.1'] }, '127.0.0.1', 'ok'],
    ['deny', { allowedDomains: ['127.0.0.1'] }, '127.1', 'ok'],
    ['deny', { allowedDomains: ['localhost'] }, '127.0.0.1', outsideDomains],
    ['listed', {}, 'a.test', 'ok'],
    ['listed', {}, '127.0.0.1', 'ok'],
    ['listed', { allowedDomains: ['a.test'] }, 'a.test', notPublic],
    ['listed', { allowedDomains: ['*.a.test'] }, 'b.a.test', notPublic],
    ['listed', { allowedDomains: ['localhost', 'a.test'] }, 'localhost', 'ok'],
    ['allow', { allowedDomains: ['a.test'] }, 'a.test', 'ok'],
    ['allow', {}, '127.0.0.1', 'ok'],
  ])('privateNetwork %s with %j: %s', async (net, grant, name, result) => {
    expect(await get(at(name, '/ok'), { grant, net: net! })).toBe(result);
  });

  it('privateNetwork is listed unless the host says otherwise', async () => {
    const { privateNetwork: _, ...world } = options({ grant: { allowedDomains: ['a.test'] } });
    expect(
      await handsOut(`try { Http.get("${at('a.test', '/ok')}"); } catch (SecurityError e) { yield e; }`, world),
    ).toEqual([notPublic.slice(3)]);
  });
});

describe('redirects', () => {
  it.each([
    [301, 'get', 'GET', ''],
    [302, 'get', 'GET', ''],
    [303, 'get', 'GET', ''],
    [307, 'get', 'GET', ''],
    [308, 'get', 'GET', ''],
    [301, 'post', 'GET', ''],
    [302, 'post', 'GET', ''],
    [303, 'post', 'GET', ''],
    [307, 'post', 'POST', 'b'],
    [308, 'post', 'POST', 'b'],
    [301, 'put', 'PUT', 'b'],
    [303, 'put', 'GET', ''],
    [307, 'put', 'PUT', 'b'],
    [301, 'delete', 'DELETE', ''],
    [303, 'delete', 'GET', ''],
  ])('%d after %s', async (status, fn, method, body) => {
    const url = redirect(status, '/echo?x');
    expect(await attempt(fn === 'get' || fn === 'delete' ? `Http.${fn}("${url}")` : `Http.${fn}("${url}", "b")`)).toBe(
      body,
    );
    expect(server.seen.at(-1)).toMatchObject({ method, path: '/echo?x', body });
    expect(server.seen.length).toBe(2);
  });

  it('five at most', async () => {
    const url = at('ok.test', '/loop');
    expect(await get(url)).toBe(failed('it was redirected more than 5 times', url));
    expect(server.seen.length).toBe(6);
  });

  it('69: from https to http under httpsOnly', async () => {
    expect(await get(redirect(302, at('ok.test', '/ok'), secure), { grant: { httpsOnly: true } })).toBe(
      denied('httpsOnly'),
    );
    expect(server.seen).toEqual([]);
  });

  it('71: to a port that is not allowed', async () => {
    expect(await get(redirect(302, at('ok.test', '/ok', other)), { grant: { allowedPorts: [server.port] } })).toBe(
      denied('outside allowedPorts'),
    );
    expect(other.seen).toEqual([]);
  });

  it.each([
    '//evil.test/x',
    '\\\\evil.test',
    'http://evil.test/',
    'https://ok.test@evil.test/',
    'file:///etc/passwd',
    'javascript:x',
    'data:,x',
    'ftp://ok.test/',
    'http://a:b@ok.test/',
    '/a b',
    'http://[',
    'http://ok.test:99999/',
  ])('73: to %s', async (location) => {
    expect(await get(redirect(302, location), { grant: { allowedDomains: ['ok.test'] } })).toMatch(
      /^SE Http.get denied: /,
    );
    expect(server.seen.length).toBe(1);
  });

  it('73: without slashes it is a path', async () => {
    expect(await get(redirect(302, 'http:ok'), { grant: { allowedDomains: ['ok.test'] } })).toBe('ok');
    expect(server.seen.map(({ path, headers }) => [path, headers.host])).toEqual([
      ['/to?302=http%3Aok', `ok.test:${server.port}`],
      ['/ok', `ok.test:${server.port}`],
    ]);
  });

  it('81: to a metadata service', async () => {
    const anything: World = { grant: { allowedDomains: ['localhost'] }, net: 'listed' };
    expect(await get(redirect(302, 'http://169.254.169.254/', server, 'localhost'), anything)).toBe(outsideDomains);
    const byUrl = (request: PermissionRequest): PermissionAnswer =>
      'url' in request && request.url.includes('localhost') ? HttpGrant({ allowedDomains: ['localhost'] }) : Granted;
    expect(
      await get(redirect(302, 'http://169.254.169.254/', server, 'localhost'), { grant: byUrl, net: 'deny' }),
    ).toBe(outsideDomains);
  });

  it('109: another origin is another request', async () => {
    const asked: string[] = [];
    const byUrl = (request: PermissionRequest): PermissionAnswer => {
      if (!('url' in request)) return Denied();
      asked.push(`${request.kind} ${request.function} ${request.url}`);
      return request.url.includes('a.test') ? Granted : Denied();
    };
    const url = redirect(302, at('b.test', '/ok', other), server, 'a.test');
    expect(await get(url, { grant: byUrl })).toBe(denied('the host does not permit it'));
    expect(asked).toEqual([`Http.Get Http.get ${url}`, `Http.Get Http.get ${at('b.test', '/ok', other)}`]);
    expect(other.seen).toEqual([]);
  });

  it('the same origin is not asked about again', async () => {
    let asked = 0;
    expect(
      await get(redirect(302, '/ok'), {
        grant: () => {
          asked++;
          return Granted;
        },
      }),
    ).toBe('ok');
    expect(asked).toBe(1);
  });

  it('both grants hold at the other origin', async () => {
    const byUrl = (request: PermissionRequest): PermissionAnswer =>
      'url' in request && request.url.includes('a.test') ? HttpGrant({ maxResponseSize: 1 }) : Granted;
    expect(await get(redirect(302, at('b.test', '/ok', other), server, 'a.test'), { grant: byUrl })).toBe(
      denied('larger than maxResponseSize'),
    );
  });

  it('a body goes to no other origin', async () => {
    expect(await attempt(`Http.post("${redirect(307, at('b.test', '/echo', other))}", "secret")`)).toBe(
      denied('a redirect would send the body to another origin', 'post'),
    );
    expect(other.seen).toEqual([]);
  });

  it('a POST that becomes a GET goes there without it', async () => {
    expect(await attempt(`Http.post("${redirect(303, at('b.test', '/echo', other))}", "secret")`)).toBe('');
    expect(other.seen).toMatchObject([{ method: 'GET', body: '' }]);
    expect(other.seen[0]!.headers.referer).toBeUndefined();
  });
});

describe('sizes', () => {
  it.each([
    ['/utf-8', 9, false],
    ['/utf-8', 10, true],
    ['/ok', 1, false],
    ['/ok', 2, true],
    ['/empty', 0, true],
  ])('91, 95: %s within %d', async (path, maxResponseSize, fits) => {
    const given = await get(at('ok.test', path), { grant: { maxResponseSize } });
    expect(given === denied('larger than maxResponseSize')).toBe(!fits);
  });

  it.each(['/gzip', '/gzips'])('93: a compressed bomb %s is not unpacked', async (path) => {
    const before = server.bytesSent();
    expect(await get(at('ok.test', path), { grant: { maxResponseSize: 100_000 } })).toBe(
      failed('the answer is compressed, which was not asked for', at('ok.test', path)),
    );
    await until(() => server.connections() === 0);
    expect(server.bytesSent() - before).toBeLessThan(200_000);
  });

  it('an endless body ends at the limit', async () => {
    expect(await get(at('ok.test', '/endless'), { grant: { maxResponseSize: 1_000_000 } })).toBe(
      denied('larger than maxResponseSize'),
    );
  });

  it('a length that is announced is enough', async () => {
    const before = server.bytesSent();
    const big = await startServer(
      (_request, response) => void response.setHeader('content-length', 10_000_000).write('x'),
    );
    expect(await get(at('ok.test', '/', big), { grant: { maxResponseSize: 1_000 } })).toBe(
      denied('larger than maxResponseSize'),
    );
    await big.close();
    expect(server.bytesSent()).toBe(before);
  });
});

describe('time', () => {
  const late = (ms: number, url: string): string => failed(`there was no answer within ${ms} ms`, url);

  it.each(['/silence', '/drip'])('%s', async (path) => {
    expect(await get(at('ok.test', path), { grant: { timeoutMs: 100 } })).toBe(late(100, at('ok.test', path)));
  });

  it('of looking a name up counts', async () => {
    const never: Resolve = () => new Promise(() => {});
    expect(await get(at('ok.test', '/ok'), { grant: { timeoutMs: 50 }, resolve: never })).toBe(
      late(50, at('ok.test', '/ok')),
    );
  });

  it('97: one deadline for all redirects', async () => {
    const hop = (path: string): string => at('ok.test', `/after?150=${encodeURIComponent(path)}`);
    const url = hop(hop(hop('/ok')));
    expect(await get(url, { grant: { timeoutMs: 300 } })).toMatch(
      /^NE Http.get failed: there was no answer within 300 ms/,
    );
  });

  it('99: of asking does not count', async () => {
    const slow = async (): Promise<PermissionAnswer> => {
      await new Promise((resolve) => setTimeout(resolve, 600));
      return HttpGrant({ timeoutMs: 300 });
    };
    expect(await get(at('ok.test', '/ok'), { grant: slow })).toBe('ok');
    expect(await get(redirect(302, at('b.test', '/ok', other)), { grant: slow })).toBe('ok');
  });

  it('is none at nought', async () => {
    expect(await get(at('ok.test', '/silence'), { grant: { timeoutMs: 0 } })).toBe(late(0, at('ok.test', '/silence')));
  });
});

describe('a run that is given up', () => {
  it('ends what it waits for', async () => {
    const script = await load(
      `main() { try { Http.get("${at('ok.test', '/silence')}"); } catch (e) { yield "caught"; } }`,
      options({ grant: Granted }),
    );
    const run = script.run();
    const seen: unknown[] = [];
    const ended = run.forEach((value) => seen.push(value));
    await until(() => server.seen.length === 1);
    run.abort();
    await expect(ended).rejects.toThrow('aborted');
    expect(seen).toEqual([]);
  });
});
