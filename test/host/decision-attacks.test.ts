// What an audit log hears of requests and answers: each decision once, and without a say in it.

import { describe, expect, it } from 'vitest';
import {
  createMemoryPlatform,
  defineModule,
  Denied,
  EnvGrant,
  FileGrant,
  Granted,
  HttpGrant,
} from '../../runtime-host/api/node.ts';
import type { PermissionDecision, PermissionHandler, ScriptOptions } from '../../runtime-host/api/node.ts';
import { run as runWith } from '../plugins/compiling.ts';
import { collectLog, handsOut, load } from './scripts.ts';

const platform = createMemoryPlatform({
  files: { '/a.txt': 'alpha', '/secret/k.txt': 'SECRET' },
  baseDir: '/',
  server: ({ url }) =>
    url.endsWith('/to') ? { status: 302, headers: { location: 'https://other.test/' } } : { body: 'page' },
  system: { 'os.name': 'memory' },
});

/** What was heard during a run, and what the script handed out. */
async function hear(
  text: string,
  permissions: unknown,
  more: ScriptOptions = {},
): Promise<{ readonly heard: PermissionDecision[]; readonly given: string[] }> {
  const heard: PermissionDecision[] = [];
  const given = await handsOut(text, {
    platform,
    environment: { X: 'x' },
    onDecision: (decision) => heard.push(decision),
    permissions: permissions as PermissionHandler,
    ...more,
  });
  return { heard, given };
}

const shortly = ({ request, called, answer, reason }: PermissionDecision): readonly unknown[] => [
  request.kind,
  called,
  answer,
  reason,
];

describe('a decision', () => {
  it('is heard once for each request, with what was asked, answered and allowed', async () => {
    const { heard } = await hear(
      'yield File.read("a.txt"); yield Env.get("X"); yield Http.getJson("https://x.test/") as string;',
      ({ kind }: { readonly kind: string }) =>
        kind === 'File.Read'
          ? FileGrant({ maxBytes: 9 })
          : kind === 'Env.Get'
            ? EnvGrant({ allowedVarNames: ['X'] })
            : Denied('not today'),
    );
    expect(heard.map(shortly)).toEqual([
      ['File.Read', 'File.read', 'granted', null],
      ['Env.Get', 'Env.get', 'granted', null],
      ['Http.Get', 'Http.getJson', 'denied', 'not today'],
    ]);
    expect({ ...heard[0]!.request }).toEqual({ kind: 'File.Read', path: 'a.txt', resolvedPath: '/a.txt' });
    expect({ ...heard[0]!.limits }).toEqual({
      maxBytes: 9,
      rewrittenPath: null,
      allowedDirectories: null,
      deniedDirectories: null,
      allowedExtensions: null,
      readOnly: false,
    });
    expect(heard[1]!.limits).toEqual(expect.objectContaining({ allowedVarNames: ['X'] }));
    expect(heard[2]!.limits).toBe(null);
  });

  it.each<[string, unknown, string]>([
    ['no handler', undefined, 'the host has no permission handler'],
    [
      'a handler that throws',
      () => {
        throw new Error('oops');
      },
      'the permission handler threw: Error: oops',
    ],
    ['one that rejects', () => Promise.reject(new Error('later')), 'the permission handler failed: Error: later'],
    ['no answer', () => undefined, 'the permission handler answered neither with a grant nor with Denied()'],
    ['another kind of grant', () => HttpGrant({}), 'a HttpGrant does not answer a File request'],
    ['a late one', () => new Promise(() => {}), 'the permission handler did not answer within 20 ms'],
  ])('is a denial of %s, with the reason', async (_what, permissions, reason) => {
    const { heard, given } = await hear('yield File.read("a.txt");', permissions, { promptTimeoutMs: 20 });
    expect(heard.map(shortly)).toEqual([['File.Read', 'File.read', 'denied', reason]]);
    expect(given).toEqual(['SecurityError: File.read denied: the host does not permit it']);
  });

  it('is heard again where a constraint denies what the handler granted', async () => {
    const { heard } = await hear(
      'try { File.read("/secret/k.txt"); } catch (e) {} try { Http.get("https://x.test/to"); } catch (e) {} ' +
        'File.read("a.txt");',
      ({ kind }: { readonly kind: string }) =>
        kind === 'File.Read'
          ? FileGrant({ deniedDirectories: ['/secret'] })
          : HttpGrant({ allowedDomains: ['x.test'] }),
    );
    expect(heard.map(shortly)).toEqual([
      ['File.Read', 'File.read', 'granted', null],
      ['File.Read', 'File.read', 'denied', 'File.read denied: inside deniedDirectories'],
      ['Http.Get', 'Http.get', 'granted', null],
      ['Http.Get', 'Http.get', 'denied', 'Http.get denied: outside allowedDomains'],
      ['File.Read', 'File.read', 'granted', null],
    ]);
  });

  it('is heard for each redirect that is a request of its own, once if that is denied', async () => {
    const { heard } = await hear('Http.get("https://x.test/to");', ({ url }: { readonly url: string }) =>
      url.includes('other') ? Denied() : Granted,
    );
    expect(heard.map(shortly)).toEqual([
      ['Http.Get', 'Http.get', 'granted', null],
      ['Http.Get', 'Http.get', 'denied', null],
    ]);
  });

  it('is heard before anything is done, of a plugin too, and in a worker', async () => {
    const order: string[] = [];
    const plugin = defineModule({
      name: 'Db',
      functions: { 'int ask(int n)': { permission: 'db:ask', call: (n: bigint) => (order.push('called'), n) } },
    });
    const options: ScriptOptions = {
      platform,
      permissions: () => Granted,
      onDecision: ({ request }) => order.push(request.kind),
    };
    expect(await runWith('yield Db.ask(3);', [plugin], options)).toEqual([3n]);
    expect(order).toEqual(['Plugin', 'called']);
    expect(await handsOut('yield File.read("a.txt");', { ...options, isolation: 'worker' })).toEqual(['alpha']);
    expect(order).toEqual(['Plugin', 'called', 'File.Read']);
  });

  it('is not heard where nothing is asked: of texts that cannot be a request, and in a replay', async () => {
    expect(
      (
        await hear(
          'try { File.read("a\\u{1b}"); } catch (e) {} try { Http.get("ftp://x.test/"); } catch (e) {}',
          () => Granted,
        )
      ).heard,
    ).toEqual([]);
    const run = (await load('yield File.read("a.txt");', { platform, permissions: () => Granted, record: true })).run();
    await run.result;
    expect((await hear('yield File.read("a.txt");', () => Granted, { replay: await run.log })).heard).toEqual([]);
  });
});

describe('who hears it', () => {
  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('full');
      },
    ],
    [
      'throws what has no text',
      () => {
        throw Object.create(null) as Error;
      },
    ],
    ['rejects', () => Promise.reject(new Error('full'))],
    ['answers with a grant', () => Granted],
    ['never answers', () => new Promise(() => {})],
  ])('changes nothing if it %s', async (_what, onDecision) => {
    const { lines, log } = collectLog();
    const text = 'yield File.read("a.txt"); try { Env.get("X"); } catch (SecurityError e) { yield e; }';
    const permissions = ({ kind }: { readonly kind: string }) => (kind === 'File.Read' ? Granted : Denied());
    expect(await handsOut(text, { platform, permissions, log, onDecision: onDecision as () => void })).toEqual([
      'alpha',
      'Env.get denied: the host does not permit it',
    ]);
    if (_what.startsWith('throws') || _what === 'rejects') expect(lines.join('\n')).toContain('onDecision failed: ');
  });

  it('cannot change what it hears', async () => {
    const { heard } = await hear('yield File.read("a.txt");', () =>
      FileGrant({ allowedExtensions: ['txt'], allowedDirectories: ['/'] }),
    );
    const parts = [
      heard[0],
      heard[0]!.request,
      heard[0]!.limits,
      heard[0]!.limits!['allowedExtensions'],
      heard[0]!.limits!['allowedDirectories'],
    ];
    expect(parts.map((part) => Object.isFrozen(part))).toEqual(parts.map(() => true));
  });

  it('is a function', async () => {
    await expect(load('yield 1;', { onDecision: 'x' as never })).rejects.toThrow(
      'the option onDecision is a function that takes a decision',
    );
  });
});
