// What HTTP clients share, as rows: a call, its grant, and how it ends. Runs in any engine; the site is a function,
// which answers in memory or behind a real server. In a row `$` stands for the site's origin, as in `$/ok`.

import type { HttpConstraints } from '../../../runtime-host/namespaces/http/grant.ts';
import type { MemoryAnswer, MemoryRequest } from '../../../runtime-host/memory/http.ts';
import type { HttpClient } from '../../../runtime-host/platform/platform.ts';
import { callHttp } from './calls.ts';
import type { CallOptions, HttpFunction } from './calls.ts';

export interface HttpRow {
  readonly name: string;
  readonly url: string;
  readonly fn?: HttpFunction;
  readonly body?: string;
  /** Null denies. */
  readonly grant?: HttpConstraints | null;
  readonly net?: CallOptions['net'];
  /** The body, or `SecurityError: …` or `NetworkError: …`. */
  readonly gives: string;
  /** How it ends where redirects cannot be followed, if that is different. */
  readonly givesUnfollowed?: string;
  /** What arrived at the site, as `GET /ok`; nothing if left out. */
  readonly arrives?: readonly string[];
  /** The same where redirects cannot be followed. */
  readonly arrivesUnfollowed?: readonly string[];
}

/** What the site did in place of an answer: `never` answers. */
type SiteAnswer = MemoryAnswer | 'never';

/** The site of the contract. `path` is that of the URL, with what follows `?`. */
export function answerAsSite(
  { method, body, contentType }: Pick<MemoryRequest, 'method' | 'body' | 'contentType'>,
  path: string,
): SiteAnswer {
  const [page = '', query = ''] = path.split(/\?(.*)/s);
  switch (page) {
    case '/ok':
      return { body: 'ok' };
    case '/asked':
      return { body: `${method} ${contentType} ${body}` };
    case '/text':
      return { body: 'ééééé' };
    case '/astral':
      return { body: '😀' };
    case '/bom':
      return { body: '\ufeffa' };
    case '/empty':
      return { body: '' };
    case '/nothing':
      return { status: 204 };
    case '/large':
      return { body: 'x'.repeat(1_000_000) };
    case '/latin-1':
      return { headers: { 'Content-Type': 'text/plain; charset=iso-8859-1' }, body: Uint8Array.of(0xe9, 0x21) };
    case '/utf-16':
      return {
        headers: { 'content-type': 'text/plain;charset="utf-16le"' },
        body: Uint8Array.of(0x61, 0, 0x3d, 0xd8, 0, 0xde),
      };
    case '/half-pair':
      return { headers: { 'content-type': 'text/plain;charset=utf-16le' }, body: Uint8Array.of(0x3d, 0xd8, 0x61, 0) };
    case '/no-text':
      return { body: Uint8Array.of(0xff, 0xfe, 0x61) };
    case '/cut-text':
      return { body: Uint8Array.of(0x61, 0xc3) };
    case '/surrogate':
      return { body: Uint8Array.of(0xed, 0xa0, 0x80) };
    case '/status':
      return { status: Number(query), body: 'why' };
    case '/to':
      return { status: Number(query.slice(0, 3)), headers: { Location: query.slice(4) } };
    case '/nowhere':
      return { status: 302 };
    case '/loop':
      return { status: 302, headers: { location: '/loop' } };
    case '/never':
      return 'never';
    default:
      return { status: 404 };
  }
}

const denied = (what: string, fn: HttpFunction = 'get'): string => `SecurityError: Http.${fn} denied: ${what}`;
const failed = (what: string, url: string, fn: HttpFunction = 'get'): string =>
  `NetworkError: Http.${fn} failed: ${what}: ${url}`;
const notTold = 'the browser says no more: the host cannot be reached, redirects, or does not let this page ask it';
const noText = 'the answer is not text in the encoding that it claims';
const tooLarge = denied('larger than maxResponseSize');
const deniedPlain = 'the host does not permit it';

const read = (page: string, gives: string): HttpRow => ({
  name: `reads ${page}`,
  url: `$${page}`,
  gives,
  arrives: [`GET ${page}`],
});
const fails = (page: string, what: string): HttpRow => ({
  name: `fails at ${page}`,
  url: `$${page}`,
  gives: failed(what, `$${page}`),
  arrives: [`GET ${page}`],
});
const sends = (fn: HttpFunction, body: string, type: string): HttpRow => ({
  name: `${fn} sends ${body === '' ? 'nothing' : body}`,
  url: '$/asked',
  fn,
  body,
  gives: `${fn.toUpperCase()} ${type} ${body}`,
  arrives: [`${fn.toUpperCase()} /asked`],
});
const sized = (page: string, maxResponseSize: number, gives: string): HttpRow => ({
  name: `${page} within ${maxResponseSize} bytes`,
  url: `$${page}`,
  grant: { maxResponseSize },
  gives,
  arrives: [`GET ${page}`],
});
const refused = (
  url: string,
  what: string,
  grant: HttpConstraints = {},
  net: CallOptions['net'] = 'allow',
): HttpRow => ({ name: `refuses ${url} under ${net} ${JSON.stringify(grant)}`, url, grant, net, gives: denied(what) });

const redirect = (status: number, fn: HttpFunction, method: string, sent: string): HttpRow => {
  const path = `/to?${status}=/asked`;
  return {
    name: `follows ${status} after ${fn}`,
    url: `$${path}`,
    fn,
    body: 'b',
    gives: `${method} ${sent}`,
    arrives: [`${fn.toUpperCase()} ${path}`, `${method} /asked`],
    givesUnfollowed: failed(notTold, `$${path}`, fn),
    arrivesUnfollowed: [`${fn.toUpperCase()} ${path}`],
  };
};
const misled = (location: string, what: string, grant: HttpConstraints = {}): HttpRow => {
  const path = `/to?302=${location}`;
  return {
    name: `is not led to ${location}`,
    url: `$${path}`,
    grant,
    gives: denied(what),
    arrives: [`GET ${path}`],
    givesUnfollowed: failed(notTold, `$${path}`),
  };
};

const text = 'text/plain; charset=utf-8';

export const httpRows: readonly HttpRow[] = [
  read('/ok', 'ok'),
  read('/text', 'ééééé'),
  read('/astral', '😀'),
  read('/bom', 'a'),
  read('/empty', ''),
  read('/nothing', ''),
  read('/latin-1', 'é!'),
  read('/utf-16', 'a😀'),
  read('/asked?a=b&c=%20', 'GET null null'),
  { name: 'leaves the fragment at home', url: '$/ok#secret', gives: 'ok', arrives: ['GET /ok'] },
  { name: 'getJson gives text', url: '$/ok', fn: 'getJson', gives: 'ok', arrives: ['GET /ok'] },
  { name: 'delete sends nothing', url: '$/asked', fn: 'delete', gives: 'DELETE null null', arrives: ['DELETE /asked'] },
  sends('post', '{"a": 1}', 'application/json'),
  sends('post', '12', 'application/json'),
  sends('post', '{a: 1}', text),
  sends('post', '', text),
  sends('put', '[]', 'application/json'),
  sends('put', 'é😀', text),
  sends('put', '\ufeff1', text),
  fails('/no-text', noText),
  fails('/cut-text', noText),
  fails('/surrogate', noText),
  fails('/half-pair', noText),
  ...[400, 401, 403, 404, 418, 429, 500, 503].map((status) => fails(`/status?${status}`, `the status is ${status}`)),
  fails('/missing', 'the status is 404'),

  sized('/text', 10, 'ééééé'),
  sized('/text', 9, tooLarge),
  sized('/ok', 2, 'ok'),
  sized('/ok', 1, tooLarge),
  sized('/ok', 0, tooLarge),
  sized('/empty', 0, ''),
  sized('/nothing', 0, ''),
  sized('/large', 999_999, tooLarge),
  sized('/status?500', 0, failed('the status is 500', '$/status?500')),
  {
    name: 'waits no longer than it may',
    url: '$/never',
    grant: { timeoutMs: 150 },
    gives: failed('there was no answer within 150 ms', '$/never'),
    arrives: ['GET /never'],
  },

  { name: 'does nothing without permission', url: '$/ok', grant: null, gives: denied(deniedPlain) },
  {
    name: 'posts nothing without permission',
    url: '$/ok',
    fn: 'post',
    grant: null,
    gives: denied(deniedPlain, 'post'),
  },
  {
    name: 'a long URL is no URL',
    url: `$/${'x'.repeat(8_192)}`,
    gives: denied('the URL is longer than 8192 characters'),
  },
  refused('$/a\u0007b', 'the URL holds a control character'),
  refused('$/a\nb', 'the URL holds a control character'),
  refused('$/\u202eb', 'the URL holds a character that changes the direction of writing'),
  refused('$/a b', 'the URL holds white space; write it as %20'),
  refused(' $/ok', 'the URL holds white space; write it as %20'),
  refused('$/\u00a0', 'the URL holds white space; write it as %20'),
  refused('$\\ok', 'the URL holds a backslash; write a slash'),
  refused('', 'this is no URL; it begins with https://'),
  refused('/ok', 'this is no URL; it begins with https://'),
  refused('ok.test/ok', 'this is no URL; it begins with https://'),
  refused('http://', 'this is no URL; it begins with https://'),
  ...[
    'ftp://ok.test/',
    'file:///etc/passwd',
    'data:,x',
    'blob:http://ok.test/x',
    'javascript:1',
    'ws://ok.test/',
    'about:blank',
    'node:fs',
  ].map((url) => refused(url, 'the scheme of the URL is neither http nor https')),
  ...['http://a@ok.test/', 'http://a:b@ok.test/', 'http://:b@ok.test/', 'http://ok.test@evil.test/'].map((url) =>
    refused(url, 'the URL holds a user name or a password'),
  ),
  refused('$/ok', 'outside allowedDomains', { allowedDomains: [] }),
  refused('$/ok', 'outside allowedDomains', { allowedDomains: ['evil.test', '*.localhost.test'] }),
  refused('$/ok', 'outside allowedPorts', { allowedPorts: [] }),
  refused('$/ok', 'outside allowedPorts', { allowedPorts: [1] }),
  refused('http://ok.test/', 'httpsOnly', { httpsOnly: true }),
  refused('http://ok.test/', 'outside allowedPorts', { allowedPorts: [443] }),
  ...[
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '017700000001',
    '0',
    '10.0.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '100.64.0.1',
    '192.0.0.192',
    '224.0.0.1',
    '255.255.255.255',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[fd00:ec2::254]',
  ].map((host) => refused(`http://${host}/`, 'the host is not on the public network', {}, 'deny')),

  redirect(301, 'get', 'GET', 'null null'),
  redirect(302, 'get', 'GET', 'null null'),
  redirect(303, 'get', 'GET', 'null null'),
  redirect(307, 'get', 'GET', 'null null'),
  redirect(308, 'get', 'GET', 'null null'),
  redirect(301, 'post', 'GET', 'null null'),
  redirect(302, 'post', 'GET', 'null null'),
  redirect(303, 'post', 'GET', 'null null'),
  redirect(307, 'post', 'POST', `${text} b`),
  redirect(308, 'post', 'POST', `${text} b`),
  redirect(301, 'put', 'PUT', `${text} b`),
  redirect(303, 'put', 'GET', 'null null'),
  redirect(308, 'put', 'PUT', `${text} b`),
  redirect(302, 'delete', 'DELETE', 'null null'),
  redirect(303, 'delete', 'GET', 'null null'),
  misled('http://evil.test/', 'outside allowedDomains', { allowedDomains: ['localhost'] }),
  misled('//evil.test/', 'outside allowedDomains', { allowedDomains: ['localhost'] }),
  misled('http://localhost:1/', 'outside allowedPorts', { allowedPorts: [-1] }),
  misled('file:///etc/passwd', 'the scheme of the redirect is neither http nor https'),
  misled('javascript:1', 'the scheme of the redirect is neither http nor https'),
  misled('http://a:b@localhost/', 'the redirect holds a user name or a password'),
  misled('http://[', 'the redirect leads to no URL'),
  {
    name: 'is redirected five times at most',
    url: '$/loop',
    gives: failed('it was redirected more than 5 times', '$/loop'),
    arrives: Array.from({ length: 6 }, () => 'GET /loop'),
    givesUnfollowed: failed(notTold, '$/loop'),
    arrivesUnfollowed: ['GET /loop'],
  },
  {
    name: 'is redirected to nowhere',
    url: '$/nowhere',
    gives: failed('the status is 302', '$/nowhere'),
    arrives: ['GET /nowhere'],
    givesUnfollowed: failed(notTold, '$/nowhere'),
  },
];

/** Runs a row against a site. A port of -1 in a grant stands for the site's own. */
export async function runHttpRow(row: HttpRow, client: HttpClient, origin: string): Promise<string> {
  const { url, fn, body, grant = {}, net } = row;
  const placed =
    grant?.allowedPorts?.includes(-1) === true
      ? { ...grant, allowedPorts: [Number(new URL(origin).port) || 80] }
      : grant;
  const { gave } = await callHttp(client, url.replace('$', origin), {
    grant: placed,
    ...(fn === undefined ? {} : { fn }),
    ...(body === undefined ? {} : { body }),
    ...(net === undefined ? {} : { net }),
  });
  return gave.replace(origin, '$');
}
