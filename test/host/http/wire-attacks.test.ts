// Names of hosts on the wire: the header, what TLS is told, and spellings that one side takes for another name than the
// other.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNodePlatform, HttpGrant } from '../../../runtime-host/api/node.ts';
import type { HttpConstraints } from '../../../runtime-host/api/node.ts';
import { createNodeHttp } from '../../../runtime-host/node/http.ts';
import { handsOut } from '../scripts.ts';
import { callHttp } from './calls.ts';
import { certificateAuthority, startServer } from './servers.ts';
import type { TestServer } from './servers.ts';

let plain: TestServer;
let secure: TestServer;
const names: string[] = [];
beforeAll(async () => {
  plain = await startServer((_request, response) => void response.end('ok'));
  secure = await startServer((_request, response) => void response.end('ok'), 'server');
});
afterAll(async () => {
  await plain.close();
  await secure.close();
});

const resolve = async (name: string): Promise<readonly string[]> => {
  names.push(name);
  return ['127.0.0.1'];
};

async function get(url: string, grant: HttpConstraints = {}): Promise<string> {
  const [given = ''] = await handsOut(
    'main(string url) { try { return Http.get(url); } catch (SecurityError e) { return "SE " + e; } ' +
      'catch (NetworkError e) { return "NE " + e; } }',
    {
      platform: createNodePlatform({ resolve, certificateAuthorities: [certificateAuthority] }),
      permissions: () => HttpGrant(grant),
      privateNetwork: 'allow',
    },
    { url },
  );
  return given;
}

describe('the name that a server is asked for', () => {
  it.each([
    ['ok.test', 'ok.test'],
    ['ok.test.', 'ok.test'],
    ['OK.Test.', 'ok.test'],
    ['%6fk.test', 'ok.test'],
    ['ｏｋ.test', 'ok.test'],
    ['ok。test', 'ok.test'],
    ['127.0.0.1', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
  ])('%s is %s, without a last dot', async (name, host) => {
    expect(await get(`http://${name}:${plain.port}/`, { allowedDomains: [host] })).toBe('ok');
    expect(plain.seen.at(-1)!.headers.host).toBe(`${host}:${plain.port}`);
  });

  it('has no port where it is the usual one', async () => {
    const seen: unknown[] = [];
    const client = createNodeHttp({
      resolve: async () => {
        throw new Error('not looked up');
      },
    });
    expect(
      (
        await callHttp(
          {
            ...client,
            exchange: async (exchange) => {
              seen.push(exchange.url.host);
              return { status: 200, location: null, contentType: null, body: new Uint8Array() };
            },
          },
          'http://ok.test.:80/',
        )
      ).gave,
    ).toBe('');
    expect(seen).toEqual(['ok.test.']);
  });

  it('is looked up as it is written: a last dot keeps the system from adding domains of its own', async () => {
    names.length = 0;
    await get(`http://ok.test.:${plain.port}/`);
    expect(names).toEqual(['ok.test.']);
  });

  it('is the one of the certificate, with a last dot and without', async () => {
    expect(await get(`https://ok.test.:${secure.port}/`, { allowedDomains: ['ok.test'] })).toBe('ok');
    expect(secure.seen.at(-1)!.headers.host).toBe(`ok.test:${secure.port}`);
    expect(await get(`https://evil.test.:${secure.port}/`)).toMatch(
      /^NE Http.get failed: the certificate of the host is not trusted/,
    );
  });

  it.each(['http://./', 'http://ok.test../', 'http://.ok.test/', 'http://a..b/', 'https://.../'])(
    'is a name: %s is refused',
    async (url) => {
      names.length = 0;
      expect(await get(url)).toBe('SE Http.get denied: the host of the URL is no name');
      expect(names).toEqual([]);
    },
  );

  it.each([
    'http://[fe80::1%25eth0]/',
    'http://[fe80::1%eth0]/',
    'http://[::1%251]/',
    'http://ok.test:65536/',
    'http://ok.test:-1/',
    'http://ok.test:8o/',
    'http://[::1/',
  ])('%s is no URL', async (url) => {
    expect(await get(url)).toMatch(/^SE Http.get denied: this is no URL/);
  });

  it.each(['fe80::1%eth0', '2606:4700:4700::1111%eth0', '::1%1'])(
    'a name that stands for %s, which has a zone, is not connected to',
    async (address) => {
      const client = createNodeHttp({ resolve: async () => [address] });
      expect((await callHttp(client, `http://ok.test:${plain.port}/`, { net: 'deny' })).gave).toMatch(
        /^SecurityError: .*not on the public network/,
      );
      expect((await callHttp(client, `http://ok.test:${plain.port}/`, { grant: { timeoutMs: 500 } })).gave).toMatch(
        /^NetworkError/,
      );
    },
  );
});
