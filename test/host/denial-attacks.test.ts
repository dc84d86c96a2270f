// Directories and domains that a grant denies: they hold for where a path really leads and for every address that a
// name stands for, whatever the grant allows beside them.

import { linkSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryPlatform, createNodePlatform, FileGrant, HttpGrant } from '../../runtime-host/api/node.ts';
import type { FileConstraints, HttpConstraints, Platform } from '../../runtime-host/api/node.ts';
import { createNodeFiles } from '../../runtime-host/node/files.ts';
import { createNodeHttp } from '../../runtime-host/node/http.ts';
import { portablePaths } from '../../runtime-host/node/paths-portable.ts';
import { hashTree, makeFiles, makeFolder } from './files/real-files.ts';
import type { RealFolder } from './files/real-files.ts';
import { callHttp } from './http/calls.ts';
import { startServer } from './http/servers.ts';
import { handsOut } from './scripts.ts';

const refused = (fn: string): string => `SecurityError: File.${fn} denied: inside deniedDirectories`;

describe.each<[string, (D: string) => Platform]>([
  ['handles', (D) => createNodePlatform({ baseDir: D })],
  ['real paths', (D) => ({ ...createNodePlatform({ baseDir: D }), files: createNodeFiles(D, portablePaths) })],
])('denied directories, by %s', (_name, platformAt) => {
  let folder: RealFolder;
  let D: string;
  beforeEach(() => {
    folder = makeFolder();
    D = join(folder.path, 'data');
    makeFiles(folder.path, {
      'data/a.txt': 'alpha',
      'data/secret/k.txt': 'SECRET',
      'data/secret-not/x.txt': 'x',
      'elsewhere/e.txt': 'E',
    });
    symlinkSync(join(D, 'secret'), join(D, 'link'));
    symlinkSync(join(D, 'secret/k.txt'), join(D, 'k.txt'));
    symlinkSync(join(D, 'secret/new.txt'), join(D, 'dangling.txt'));
  });
  afterEach(() => folder.remove());

  const run = async (call: string, constraints: FileConstraints): Promise<string> =>
    (await handsOut(call, { platform: platformAt(D), permissions: () => FileGrant(constraints) })).join('|');
  const inSecret = (more: FileConstraints = {}): FileConstraints => ({
    allowedDirectories: [D],
    deniedDirectories: [join(D, 'secret')],
    ...more,
  });

  it('are out of reach for every function, by every name, and nothing in them changes', async () => {
    const before = hashTree(join(D, 'secret'));
    for (const path of [
      'secret/k.txt',
      'secret',
      'link/k.txt',
      'link',
      'k.txt',
      'sub/../secret/k.txt',
      'secret/missing',
      'dangling.txt',
      './/secret//k.txt/',
    ]) {
      for (const [fn, call] of [
        ['read', `yield File.read("${path}");`],
        ['exists', `yield File.exists("${path}");`],
        ['list', `yield File.list("${path}");`],
        ['metadata', `yield File.metadata("${path}");`],
        ['write', `File.write("${path}", "x");`],
        ['append', `File.append("${path}", "x");`],
        ['createDir', `File.createDir("${path}");`],
      ] as const)
        expect(await run(call, inSecret()), `${fn} ${path}`).toBe(refused(fn));
    }
    for (const path of ['secret/k.txt', 'secret', 'link/k.txt'])
      expect(await run(`File.delete("${path}");`, inSecret()), path).toBe(refused('delete'));
    expect(hashTree(join(D, 'secret'))).toBe(before);
  });

  it('leave the rest as it is allowed', async () => {
    expect(
      await run(
        'yield File.read("a.txt"); yield File.read("secret-not/x.txt"); File.write("b.txt", "x"); ' +
          'File.delete("link"); return File.exists("b.txt");',
        inSecret(),
      ),
    ).toBe('alpha|x|true');
    expect(await run('yield File.read("a.txt");', { deniedDirectories: [] })).toBe('alpha');
  });

  it('win over allowed directories in them, over a rewritten path and without any allowed ones', async () => {
    for (const more of [{ allowedDirectories: [join(D, 'secret')] }, { allowedDirectories: null }, {}])
      expect(await run('yield File.read("secret/k.txt");', inSecret(more))).toBe(refused('read'));
    expect(await run('yield File.read("a.txt");', inSecret({ rewrittenPath: join(D, 'link/k.txt') }))).toBe(
      refused('read'),
    );
  });

  it('may be named by a link, which is denied itself and where it leads', async () => {
    const denied = { deniedDirectories: [join(D, 'link')] };
    expect(await run('yield File.read("secret/k.txt");', denied)).toBe(refused('read'));
    expect(await run('File.delete("link");', denied)).toBe(refused('delete'));
  });

  it('may not be there yet: neither making them nor what lies in them later is allowed', async () => {
    const denied = { allowedDirectories: [D], deniedDirectories: [join(D, 'later'), join(D, 'link-later/inner')] };
    expect(await run('File.createDir("later/x");', denied)).toBe(refused('createDir'));
    expect(await run('File.write("later", "x");', denied)).toBe(refused('write'));
    symlinkSync(join(D, 'secret'), join(D, 'later'));
    expect(await run('yield File.read("secret/k.txt");', denied)).toBe(refused('read'));
    symlinkSync(D, join(D, 'link-later'));
    expect(await run('File.createDir("inner");', denied)).toBe(refused('createDir'));
  });

  it('follow a link that is changed in the midst of a run', async () => {
    symlinkSync(join(D, 'secret'), join(D, 'now'));
    let asked = 0;
    const given = await handsOut(
      'yield File.read("a.txt"); try { File.read("../elsewhere/e.txt"); } catch (SecurityError e) { yield e; }',
      {
        platform: platformAt(D),
        permissions: () => {
          if (++asked === 2) {
            rmSync(join(D, 'now'));
            symlinkSync(join(folder.path, 'elsewhere'), join(D, 'now'));
          }
          return FileGrant({ deniedDirectories: [join(D, 'now')] });
        },
      },
    );
    expect(given).toEqual(['alpha', 'File.read denied: inside deniedDirectories']);
  });

  it('may be a single file', async () => {
    const denied = { allowedDirectories: [D], deniedDirectories: [join(D, 'a.txt')] };
    expect(await run('yield File.read("a.txt");', denied)).toBe(refused('read'));
    expect(await run('File.write("a.txt", "");', denied)).toBe(refused('write'));
    expect(await run('yield File.read("secret/k.txt");', denied)).toBe('SECRET');
  });

  it('are asked about by the name that something has, where another case is the same', async () => {
    makeFiles(folder.path, { 'data/ALIAS': 'kept' });
    const aliased = {
      ...portablePaths,
      placeOf: (path: string) => portablePaths.placeOf(path === join(D, 'ALIAS') ? join(D, 'secret/k.txt') : path),
    };
    const platform = { ...platformAt(D), files: createNodeFiles(D, aliased) };
    const given = await handsOut('File.delete("ALIAS");', { platform, permissions: () => FileGrant(inSecret()) });
    expect(given).toEqual([refused('delete')]);
    expect(readFileSync(join(D, 'ALIAS'), 'utf8')).toBe('kept');
  });

  it('are not changed through another name of a file in them', async () => {
    linkSync(join(D, 'secret/k.txt'), join(D, 'hard.txt'));
    expect(await run('File.append("hard.txt", "x");', { deniedDirectories: [join(D, 'secret')] })).toContain(
      'denied: it has another name, which may lie inside deniedDirectories',
    );
    expect(readFileSync(join(D, 'secret/k.txt'), 'utf8')).toBe('SECRET');
  });

  it('tell nothing of what is in them', async () => {
    const told = await Promise.all(
      ['secret/k.txt', 'secret/nope.txt', 'secret/x/y/z'].map((path) =>
        run(`yield File.exists("${path}");`, inSecret()),
      ),
    );
    expect(new Set(told)).toEqual(new Set([refused('exists')]));
  });

  it.each<[string, unknown]>([
    ['a text', '/x'],
    ['a number in the list', [1]],
    ['an empty path', ['']],
    ['a getter', Object.defineProperty([], 0, { get: () => '/x', enumerable: true })],
  ])('that are %s make the grant none', async (_what, deniedDirectories) => {
    expect(await run('yield File.read("a.txt");', { deniedDirectories } as FileConstraints)).toBe(
      'SecurityError: File.read denied: the host does not permit it',
    );
  });
});

it('denied directories of files in memory follow its links and its case', async () => {
  const platform = createMemoryPlatform({
    files: { '/data/Secret/k.txt': 'SECRET', '/data/a.txt': 'a' },
    links: { '/data/link': '/data/Secret' },
    caseSensitive: false,
  });
  const run = (path: string): Promise<string[]> =>
    handsOut(`yield File.read("${path}");`, {
      platform,
      permissions: () => FileGrant({ deniedDirectories: ['/DATA/secret'] }),
    });
  for (const path of ['/data/Secret/k.txt', '/data/SECRET/K.TXT', '/data/link/k.txt'])
    expect(await run(path), path).toEqual([refused('read')]);
  expect(await run('/data/a.txt')).toEqual(['a']);
});

describe('denied domains', () => {
  const denied = 'SecurityError: Http.get denied: inside deniedDomains';
  const found: Readonly<Record<string, readonly string[]>> = {
    'two.test': ['127.0.0.2', '127.0.0.1'],
    'six.test': ['::ffff:127.0.0.1'],
    'ok.test': ['127.0.0.3'],
  };
  const client = createNodeHttp({ resolve: async (name) => found[name] ?? ['127.0.0.1'] });
  const get = async (url: string, grant: HttpConstraints): Promise<string> =>
    (await callHttp(client, url, { grant: { timeoutMs: 10_000, ...grant } })).gave;

  it.each<[string, readonly string[]]>([
    ['http://no.test/', ['no.test']],
    ['http://NO.test./', ['no.test']],
    ['http://a.b.no.test/', ['*.no.test']],
    ['http://xn--bcher-kva.test/', ['bücher.test']],
    ['http://127.0.0.1/', ['127.0.0.1']],
    ['http://0x7f.1/', ['127.0.0.1']],
    ['http://[::ffff:7f00:1]/', ['127.0.0.1']],
    ['http://any.test/', ['127.0.0.1']],
    ['http://any.test/', ['[::ffff:127.0.0.1]']],
    ['http://two.test/', ['127.0.0.1']],
    ['http://six.test/', ['127.0.0.1']],
  ])('%s is denied by %s', async (url, deniedDomains) => {
    expect(await get(url, { deniedDomains })).toBe(denied);
    expect(await get(url, { deniedDomains, allowedDomains: [new URL(url).hostname] })).toBe(denied);
  });

  it('hold on redirects, to the end', async () => {
    const seen: string[] = [];
    const server = await startServer((request, response) => {
      seen.push(request.headers.host!);
      if (request.url === '/')
        response.writeHead(302, { location: `http://${request.headers.host!.replace('ok', 'no')}/x` });
      response.end('page');
    });
    const { port } = new URL(server.origin);
    const local = createNodeHttp({ resolve: async () => ['127.0.0.1'] });
    const grant = { deniedDomains: ['no.test'] };
    expect(
      (
        await callHttp(local, `http://ok.test:${port}/`, {
          grant: (request) => (request.url.includes('ok.test') ? grant : {}),
        })
      ).gave,
    ).toBe(denied);
    expect((await callHttp(local, `http://ok.test:${port}/fine`, { grant })).gave).toBe('page');
    expect(seen).toEqual([`ok.test:${port}`, `ok.test:${port}`]);
    await server.close();
  });

  it.each([['*'], ['*.com'], ['http://no.test/'], ['no.test:80'], ['']])('%s makes the grant none', async (entry) => {
    const platform = createMemoryPlatform({ server: () => ({ body: 'page' }) });
    expect(
      await handsOut('yield Http.get("https://ok.test/");', {
        platform,
        permissions: () => HttpGrant({ deniedDomains: [entry] }),
      }),
    ).toEqual(['SecurityError: Http.get denied: the host does not permit it']);
  });
});
