// Flags that deny: what each is about, that they win, and what grants carry of them.

import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { Denial, Grant } from '../../runtime-host/permissions/grants.ts';
import { PermissionRequest } from '../../runtime-host/namespaces/requests.ts';
import { commands } from '../../src/cli/commands.ts';
import { UsageError } from '../../src/cli/exit.ts';
import { parseOptions } from '../../src/cli/parse-options.ts';
import { decideBy } from '../../src/cli/permissions/decide.ts';
import { permissionOptions } from '../../src/cli/permissions/options.ts';
import { readFlags } from '../../src/cli/permissions/read-flags.ts';
import { Folder } from './sluice.ts';

const folder = new Folder();
afterAll(() => folder.remove());
const base = realpathSync(folder.path);
const at = (path: string): string => join(base, path);
mkdirSync(at('data/secret'), { recursive: true });
for (const file of ['data/a.csv', 'data/secret/k.txt']) writeFileSync(at(file), 'x');
symlinkSync(at('data/secret'), at('data/link'));

const run = commands.find(({ name }) => name === 'run')!;
const { File, Http, Env, Plugin } = PermissionRequest;
const file = (kind: keyof typeof File, path: string): PermissionRequest => new File[kind](path, at(path));
const http = (kind: keyof typeof Http, url: string): PermissionRequest =>
  new Http[kind](url, `Http.${kind.toLowerCase()}`);

function handlerOf(...words: string[]) {
  const lines: string[] = [];
  const asked: unknown[] = [];
  const { handler, whyOf } = decideBy(readFlags(parseOptions(run, ['a.slu', ...words]), 'run', base), {
    log: (line) => lines.push(line),
    // Somebody who allows everything.
    ask: async (prompt) => {
      asked.push(prompt);
      return 'run';
    },
  });
  const answer = async (request: PermissionRequest): Promise<unknown> => {
    const given = await handler(request);
    return given instanceof Grant ? given.constraints : given instanceof Denial ? 'denied' : given;
  };
  return { answer, lines, asked, whyOf };
}

describe('flags that deny', () => {
  const requests = {
    read: file('Read', 'data/secret/k.txt'),
    write: file('Write', 'data/secret/k.txt'),
    get: http('Get', 'https://no.test/'),
    post: http('Post', 'https://no.test/'),
    put: http('Put', 'https://no.test/'),
    delete: http('Delete', 'https://no.test/'),
    env: new Env.Get('HOME'),
    system: new Env.System('os.name'),
    plugin: new Plugin('db', 'query', {}),
  };
  type About = keyof typeof requests;
  const cases: readonly (readonly [string, string, readonly About[]])[] = [
    ['deny-file-read', 'data/secret', ['read']],
    ['deny-file-write', 'data/secret', ['write']],
    ['deny-file', 'data/secret', ['read', 'write']],
    ['deny-http', 'no.test', ['get', 'post', 'put', 'delete']],
    ['deny-http-get', 'no.test', ['get']],
    ['deny-http-post', '*.test', []],
    ['deny-http-post', 'no.test', ['post']],
    ['deny-http-put', 'NO.test.', ['put']],
    ['deny-http-delete', 'no.test', ['delete']],
    ['deny-env', 'HOME', ['env']],
    ['deny-system', 'os.name', ['system']],
    ['deny-plugin', 'db:query', ['plugin']],
  ].filter(([, value]) => value !== '*.test') as never;

  it.each(cases)('--%s=%s wins over what allows, over --allow-all and over a person', async (name, value, about) => {
    const allowing = [
      '--allow-file=data',
      '--allow-http=no.test',
      '--allow-env=HOME',
      '--allow-system=os.name',
      '--allow-plugin=db:query',
    ];
    for (const [flag, others] of [
      [`--${name}=${value}`, []],
      [`--${name}`, []],
      [`--${name}=${value}`, ['--allow-all']],
      [`--${name}`, ['--allow-all']],
      [`--${name}=${value}`, allowing],
      [`--${name}`, allowing],
    ] as const) {
      const { answer, lines, asked, whyOf } = handlerOf(flag, ...others);
      for (const [what, request] of Object.entries(requests)) {
        if (about.includes(what as About)) {
          expect(await answer(request), `${flag} ${what}`).toBe('denied');
          expect(lines.at(-1)).toMatch(new RegExp(`^denied: .* \\(${flag.replace('.', '\\.')}\\)$`));
          expect(whyOf(request)).toBe(flag);
        } else {
          expect(await answer(request), `${flag} ${what}`).not.toBe('denied');
        }
      }
      expect(asked.length).toBe(others.length > 0 ? 0 : Object.keys(requests).length - about.length);
    }
  });

  it('are there for everything that can be allowed', () => {
    const names = permissionOptions.map(({ name }) => name);
    for (const name of names.filter((each) => each.startsWith('allow-') && each !== 'allow-all'))
      expect(names).toContain(name.replace('allow', 'deny'));
  });

  it('deny a directory by every path to it, whether it is there or not', async () => {
    const { answer } = handlerOf('--allow-all', '--deny-file=data/link', '--deny-file-read=later');
    for (const path of [
      'data/secret/k.txt',
      'data/link/k.txt',
      'data/secret',
      'data/../data/secret/x',
      'later',
      'later/x',
    ])
      expect(await answer(file('Read', path)), path).toBe('denied');
    expect(await answer(file('Delete', 'data/link'))).toBe('denied');
    expect(await answer(file('Write', 'later/x'))).not.toBe('denied');
    expect(await answer(file('Read', 'data/a.csv'))).toEqual({
      deniedDirectories: [at('data/secret'), at('data/link'), at('later')].sort((a, b) =>
        a === at('later') ? -1 : b === at('later') ? 1 : 0,
      ),
    });
  });

  it('are in every grant of files: by flags, by --allow-all, by answers', async () => {
    const denied = { deniedDirectories: [at('data/secret')] };
    expect(await handlerOf('--allow-file=data', '--deny-file=data/secret').answer(file('Read', 'data/a.csv'))).toEqual({
      ...denied,
      readOnly: true,
      allowedDirectories: [at('data')],
    });
    expect(
      await handlerOf('--allow-all', '--allow-file=data', '--deny-file=data/secret').answer(
        file('Write', 'data/a.csv'),
      ),
    ).toEqual({ ...denied, allowedDirectories: [parse(base).root, at('data')] });
    const { answer } = handlerOf('--deny-file=data/secret');
    for (let iteration = 0; iteration < 2; iteration++)
      expect(await answer(file('Read', 'data/a.csv'))).toMatchObject(denied);
  });

  it('are in grants of HTTP as far as names may lead there', async () => {
    expect(
      await handlerOf(
        '--allow-all',
        '--deny-http=no.test',
        '--deny-http-get=10.0.0.1',
        '--deny-http-get=get.test',
      ).answer(http('Get', 'https://ok.test/')),
    ).toEqual({ deniedDomains: ['10.0.0.1', 'no.test'] });
    expect(
      await handlerOf('--allow-http=ok.test', '--deny-http-get=10.0.0.1').answer(http('Post', 'https://ok.test/')),
    ).toEqual({});
  });

  it.each<[readonly string[], string]>([
    [['--deny-env', 'HOME'], 'a value of --deny-env stands behind an equals sign: --deny-env=HOME'],
    [['--deny-env='], '--deny-env takes the name of a variable, and is given nothing'],
    [['--deny-env=A,B'], '--deny-env takes the name of one variable: --deny-env=A --deny-env=B'],
    [
      ['--deny-http=*'],
      '--deny-http takes the name of a host, and * is nearly every one: write out more, as in *.example.com',
    ],
    [['--deny-file='], '--deny-file takes a path after =, or nothing at all'],
    [['--deny-plugin=db'], '--deny-plugin takes CATEGORY:ACTION, such as db:query, not db'],
    [['--deny-system=os.nam'], '--deny-system takes one of'],
    [['--deny-read=data'], 'sluice run has no option --deny-read: did you mean --deny-file-read?'],
    [['--deny-net'], 'sluice run has no option --deny-net: did you mean --deny-http?'],
  ])('are refused as %j', (words, message) => {
    expect(() => readFlags(parseOptions(run, ['a.slu', ...words]), 'run', base)).toThrow(UsageError);
    expect(() => readFlags(parseOptions(run, ['a.slu', ...words]), 'run', base)).toThrow(message);
  });
});

it('a command holds to them for what a path really leads to, and in a module of its own', () => {
  folder.write('a.slu', 'main(string p) { try { return File.read(p); } catch (SecurityError e) { return e; } }');
  const words = ['--allow-file=data', '--deny-file-read=data/secret', '--no-prompt'];
  for (const path of ['data/secret/k.txt', 'data/link/k.txt']) {
    expect(folder.run('run', 'a.slu', '-a', `p=${path}`, ...words)).toEqual({
      code: 0,
      stdout: 'File.read denied: the host does not permit it\n',
      stderr: `denied: File.read "${path}" (--deny-file-read=data/secret)\n`,
    });
  }
  expect(folder.run('run', 'a.slu', '-a', 'p=data/a.csv', ...words).stdout).toBe('x\n');
  folder.run('build', 'a.slu');
  expect(folder.run('run', 'a.wasm', '-a', 'p=data/link/k.txt', ...words).stdout).toContain('denied');
});

it('a command holds to them on redirects, by another method too', async () => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.headers.host!.split(':')[0]}${request.url}`);
    response.writeHead(303, { location: `http://localhost:${port}/elsewhere` }).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  folder.write(
    'h.slu',
    'main(string u) { try { Http.get(u); } catch (SecurityError e) { yield e; } try { Http.post(u, "x"); } ' +
      'catch (SecurityError e) { yield e; } }',
  );
  const entry = fileURLToPath(new URL('../../packages/sluice/bin/sluice.mjs', import.meta.url));
  for (const flags of [['--deny-http=localhost'], ['--deny-http-get=localhost']]) {
    const words = [
      'run',
      'h.slu',
      '-a',
      `u=http://127.0.0.1:${port}/`,
      '--allow-http=127.0.0.1',
      '--allow-http=localhost',
      '--no-prompt',
      ...flags,
    ];
    const { stdout } = await promisify(execFile)(process.execPath, [entry, ...words], {
      cwd: folder.path,
      env: { ...process.env, XDG_CACHE_HOME: '/dev/null' },
    });
    expect(stdout).toMatch(/^Http.get denied: .*\nHttp.post denied: .*\n$/);
  }
  expect(seen).toEqual(['GET 127.0.0.1/', 'POST 127.0.0.1/', 'GET 127.0.0.1/', 'POST 127.0.0.1/']);
  server.close();
});
