// What the flags of the command line allow: the grant for every kind of request, and the line for what no flag covers.

import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Denial, Grant } from '../../runtime-host/permissions/grants.ts';
import { PermissionRequest } from '../../runtime-host/namespaces/requests.ts';
import { commands } from '../../src/cli/commands.ts';
import { parseOptions } from '../../src/cli/parse-options.ts';
import { decideBy } from '../../src/cli/permissions/decide.ts';
import { readFlags } from '../../src/cli/permissions/read-flags.ts';
import { Folder } from './sluice.ts';

const folder = new Folder();
afterAll(() => folder.remove());
const base = realpathSync(folder.path);
const at = (path: string): string => join(base, path);
for (const directory of ['data/deep', 'data-evil', 'out', 'elsewhere']) mkdirSync(at(directory), { recursive: true });
for (const file of ['data/a.csv', 'data/deep/b.txt', 'elsewhere/k.txt']) writeFileSync(at(file), 'x');
symlinkSync(at('elsewhere'), at('data/link'));
symlinkSync(at('data'), at('into'));

const run = commands.find(({ name }) => name === 'run')!;
const { File, Http, Env, Plugin } = PermissionRequest;

/** The handler of these flags, without anybody to ask, and the lines that it writes. */
function handlerOf(...words: string[]): {
  readonly answer: (request: PermissionRequest) => unknown;
  readonly lines: string[];
  readonly close: () => void;
} {
  const lines: string[] = [];
  const { handler, close } = decideBy(readFlags(parseOptions(run, ['a.slu', ...words]), 'run', base), {
    log: (line) => lines.push(line),
    ask: null,
  });
  return {
    answer: (request) => {
      const answer = handler(request);
      if (answer instanceof Promise) throw new Error('what needs no question is answered at once');
      return answer instanceof Grant ? answer.constraints : answer instanceof Denial ? 'denied' : answer;
    },
    lines,
    close,
  };
}

const file = (kind: keyof typeof File, path: string): PermissionRequest => new File[kind](path, at(path));
const http = (kind: keyof typeof Http, url: string): PermissionRequest =>
  new Http[kind](url, `Http.${kind.toLowerCase()}`);

const reading = ['Read', 'Exists', 'List', 'Metadata'] as const;
const changing = ['Write', 'Append', 'Delete', 'CreateDir'] as const;

describe('flags for files', () => {
  it.each(reading)('--allow-file-read grants %s, read-only', (kind) => {
    const { answer } = handlerOf('--allow-file-read=data');
    expect(answer(file(kind, 'data/deep/b.txt'))).toEqual({ readOnly: true, allowedDirectories: [at('data')] });
    expect(answer(file(kind, 'data'))).toEqual({ readOnly: true, allowedDirectories: [at('data')] });
  });

  it.each(changing)('--allow-file-write grants %s', (kind) => {
    const { answer } = handlerOf('--allow-file-write=out');
    expect(answer(file(kind, 'out/new/c.txt'))).toEqual({ allowedDirectories: [at('out')] });
  });

  it('neither grants the other', () => {
    for (const kind of changing)
      expect(handlerOf('--allow-file-read=data').answer(file(kind, 'data/a.csv')), kind).toBe('denied');
    for (const kind of reading)
      expect(handlerOf('--allow-file-write=data').answer(file(kind, 'data/a.csv')), kind).toBe('denied');
  });

  it.each([...reading, ...changing])('--allow-file grants %s', (kind) => {
    expect(handlerOf('--allow-file=data').answer(file(kind, 'data/a.csv'))).toMatchObject({
      allowedDirectories: [at('data')],
    });
  });

  it('name several directories, absolute ones and links among them', () => {
    const { answer } = handlerOf('--allow-file-read=out', `--allow-file-read=${at('elsewhere')}`, '--allow-file=into');
    for (const path of ['out/x', 'elsewhere/k.txt', 'data/a.csv', 'into/a.csv']) {
      expect(answer(file('Read', path)), path).toMatchObject({
        allowedDirectories: [at('out'), at('elsewhere'), at('data')],
      });
    }
  });

  it.each(['elsewhere/k.txt', 'data-evil/x', 'data/../elsewhere/k.txt', '.', '../x', 'data/link/k.txt'])(
    'do not cover %s',
    (path) => {
      expect(handlerOf('--allow-file=data').answer(file('Read', path))).toBe('denied');
      expect(handlerOf('--allow-file=data').answer(file('Write', path))).toBe('denied');
    },
  );

  it('cover a link that is to be deleted, not what it leads to', () => {
    expect(handlerOf('--allow-file-write=data').answer(file('Delete', 'data/link'))).toEqual({
      allowedDirectories: [at('data')],
    });
    expect(handlerOf('--allow-file-write=elsewhere').answer(file('Delete', 'data/link'))).toBe('denied');
  });

  it('carry the limits', () => {
    const limits = ['--file-extensions=txt, .CSV', '--file-max-bytes=64KiB', '--file-read-only'];
    const expected = { allowedExtensions: ['txt', '.CSV'], maxBytes: 65_536, readOnly: true };
    expect(handlerOf(...limits, '--allow-file=data').answer(file('Write', 'data/a.csv'))).toEqual({
      ...expected,
      allowedDirectories: [at('data')],
    });
    expect(handlerOf(...limits, '--allow-all').answer(file('Write', 'data/a.csv'))).toEqual(expected);
    expect(handlerOf(...limits).answer(file('Read', 'data/a.csv'))).toBe('denied');
  });
});

describe('flags for HTTP', () => {
  const kinds = ['Get', 'Post', 'Put', 'Delete'] as const;

  it.each(kinds)('--allow-http grants %s', (kind) => {
    expect(handlerOf('--allow-http=example.com').answer(http(kind, 'https://example.com/a?b'))).toEqual({});
  });

  it.each(kinds)('--allow-http-… grants %s alone', (kind) => {
    const { answer } = handlerOf(`--allow-http-${kind.toLowerCase()}=example.com`);
    for (const other of kinds)
      expect(answer(http(other, 'https://example.com/')), other).toEqual(other === kind ? {} : 'denied');
  });

  it('cover a host in every way to write it, and no other', () => {
    const { answer } = handlerOf('--allow-http=EXAMPLE.com', '--allow-http=*.below.test', '--allow-http=bücher.test');
    for (const url of [
      'http://example.com:8080/',
      'https://example.com./',
      'https://a.b.below.test/',
      'https://xn--bcher-kva.test/',
    ])
      expect(answer(http('Get', url)), url).toEqual({});
    for (const url of [
      'https://sub.example.com/',
      'https://notexample.com/',
      'https://example.com.evil.test/',
      'https://below.test/',
      'https://evil.test/?example.com',
    ]) {
      expect(answer(http('Get', url)), url).toBe('denied');
    }
  });

  it('carry the limits', () => {
    const limits = ['--http-ports=80, 443', '--https-only', '--http-timeout-ms=500', '--http-max-bytes=1MB'];
    const expected = { allowedPorts: [80, 443], httpsOnly: true, timeoutMs: 500, maxResponseSize: 1_000_000 };
    expect(handlerOf(...limits, '--allow-http=example.com').answer(http('Get', 'https://example.com/'))).toEqual(
      expected,
    );
    expect(handlerOf(...limits, '--allow-all').answer(http('Get', 'https://example.com/'))).toEqual(expected);
    expect(handlerOf(...limits).answer(http('Get', 'https://example.com/'))).toBe('denied');
  });

  it('list localhost and addresses, which are reached only so', () => {
    const { answer } = handlerOf('--allow-http-get=localhost', '--allow-http=[::1]', '--allow-http-post=example.com');
    expect(answer(http('Get', 'http://localhost:3000/'))).toEqual({
      allowedDomains: ['localhost', '[::1]', 'example.com'],
    });
    expect(answer(http('Put', 'http://[::1]/'))).toMatchObject({
      allowedDomains: ['[::1]', 'localhost', 'example.com'],
    });
    expect(answer(http('Post', 'http://localhost:3000/'))).toBe('denied');
    expect(answer(http('Get', 'http://127.0.0.1/'))).toBe('denied');
  });
});

describe('flags for names', () => {
  it('--allow-env grants variables', () => {
    const { answer } = handlerOf('--allow-env=HOME', '--allow-env=LANG');
    expect(answer(new Env.Get('LANG'))).toEqual({ allowedVarNames: ['HOME', 'LANG'] });
    for (const name of ['home', 'HOME ', 'PATH', 'os.name']) expect(answer(new Env.Get(name)), name).toBe('denied');
  });

  it('--allow-system grants properties', () => {
    const { answer } = handlerOf('--allow-system=os.name', '--allow-env=os.arch');
    expect(answer(new Env.System('os.name'))).toEqual({ allowedVarNames: ['os.name'] });
    expect(answer(new Env.System('os.arch'))).toBe('denied');
    expect(answer(new Env.Get('os.name'))).toBe('denied');
  });

  it('--allow-plugin grants a category and an action', () => {
    const { answer } = handlerOf('--allow-plugin=db:query');
    expect(answer(new Plugin('db', 'query', { sql: 'select 1' }))).toEqual({});
    expect(answer(new Plugin('db', 'drop', {}))).toBe('denied');
    expect(answer(new Plugin('fs', 'query', {}))).toBe('denied');
  });
});

const everyKind: readonly PermissionRequest[] = [
  ...[...reading, ...changing].map((kind) => file(kind, 'elsewhere/k.txt')),
  http('Get', 'https://example.com/'),
  http('Post', 'https://example.com/'),
  http('Put', 'https://example.com/'),
  http('Delete', 'https://example.com/'),
  new Env.Get('HOME'),
  new Env.System('os.name'),
  new Plugin('db', 'query', {}),
];

describe('--allow-all', () => {
  it('grants every kind without restriction', () => {
    const { answer, lines } = handlerOf('--allow-all');
    for (const request of everyKind) expect(answer(request), request.kind).toBe(null);
    expect(lines).toEqual([]);
  });

  it('leaves to other flags what needs a name', () => {
    const { answer } = handlerOf('--allow-all', '--allow-file-read=data', '--allow-http=localhost');
    expect(answer(file('Read', 'elsewhere/k.txt'))).toEqual({ allowedDirectories: [parse(base).root, at('data')] });
    expect(answer(http('Get', 'http://localhost/'))).toEqual({ allowedDomains: ['localhost'] });
    expect(answer(http('Get', 'https://example.com/'))).toBe(null);
  });
});

describe('what no flag covers', () => {
  it('is denied, whatever its kind', () => {
    const { answer } = handlerOf();
    for (const request of everyKind) expect(answer(request), request.kind).toBe('denied');
  });

  const cases: readonly (readonly [string, PermissionRequest, string])[] = [
    ['a file', file('Read', 'data/a.csv'), 'File.read "data/a.csv" (allow it with --allow-file-read=data)'],
    ['a file at the base', file('Write', 'new.txt'), 'File.write "new.txt" (allow it with --allow-file-write=.)'],
    [
      'a file below a link',
      file('Read', 'data/link/k.txt'),
      'File.read "data/link/k.txt" (allow it with --allow-file-read=elsewhere)',
    ],
    ['a directory', file('List', 'data/deep'), 'File.list "data/deep" (allow it with --allow-file-read=data/deep)'],
    [
      'a directory to be',
      file('CreateDir', 'out/a/b'),
      'File.createDir "out/a/b" (allow it with --allow-file-write=out)',
    ],
    [
      'a place outside',
      new File.Exists('/no-such-place/x', '/no-such-place/x'),
      'File.exists "/no-such-place/x" (its directory does not exist)',
    ],
    [
      'a URL',
      new Http.Get('https://example.com/a', 'Http.getJson'),
      'Http.getJson "https://example.com/a" (allow it with --allow-http-get=example.com)',
    ],
    [
      'an address',
      http('Post', 'http://[::1]:80/'),
      `Http.post "http://[::1]:80/" (allow it with '--allow-http-post=[::1]')`,
    ],
    ['a variable', new Env.Get('HOME'), 'Env.get "HOME" (allow it with --allow-env=HOME)'],
    ['a property', new Env.System('os.arch'), 'Env.system "os.arch" (allow it with --allow-system=os.arch)'],
    ['no property', new Env.System('user.dir'), 'Env.system "user.dir" (there is no such property)'],
    [
      'a plugin',
      new Plugin('db', 'query', {}),
      'the plugin permission "db:query" (allow it with --allow-plugin=db:query)',
    ],
  ];
  it.each(cases)('is told with the flag for it: %s', (_, request, line) => {
    const { answer, lines } = handlerOf();
    answer(request);
    answer(request);
    expect(lines).toEqual([`denied: ${line}`]);
  });

  const limited: readonly (readonly [string, PermissionRequest, string])[] = [
    ['--file-read-only', file('Append', 'data/a.csv'), '--file-read-only is given'],
    ['--file-extensions=txt', file('Read', 'data/a.csv'), '--file-extensions leaves it out'],
    ['--https-only', http('Get', 'http://example.com/'), '--https-only is given'],
    ['--http-ports=443', http('Get', 'https://example.com:8443/'), '--http-ports leaves it out'],
  ];
  it.each(limited)('is told of the limit %s', (flag, request, why) => {
    const { answer, lines } = handlerOf(flag);
    expect(answer(request)).toBe('denied');
    expect(lines).toEqual([expect.stringContaining(`(${why})`)]);
  });

  it('is given as a flag that allows it', () => {
    for (const request of everyKind) {
      const { answer, lines } = handlerOf();
      answer(request);
      const flag = /\(allow it with (.*)\)$/.exec(lines[0]!)![1]!;
      expect(handlerOf(flag).answer(request), flag).not.toBe('denied');
    }
  });

  it('is told so often and no more', () => {
    const { answer, lines, close } = handlerOf();
    for (let iteration = 0; iteration < 10_000; iteration++) answer(new Env.Get(`NAME_${iteration % 2000}`));
    close();
    expect(lines).toHaveLength(51);
    expect(lines.slice(49)).toEqual([
      'denied: Env.get "NAME_49" (allow it with --allow-env=NAME_49)',
      'denied: 9,750 more requests',
    ]);
  });

  it('does nothing to the terminal (attack 161)', () => {
    const { answer, lines } = handlerOf();
    const forged = 'a"\u001b[2J\ny\u202e\u200b  b\u00a0\u2028\u3164';
    answer(new File.Read(forged, `/x/${forged}`));
    answer(new Http.Get(`https://example.com/${'x'.repeat(8000)}`, 'Http.get'));
    answer(new Env.Get(forged));
    answer(new Plugin(forged, forged, { [forged]: forged }));
    expect(lines).toHaveLength(4);
    for (const line of lines) expect(line).not.toMatch(/[^ -~…]|  /u);
    expect(lines[0]).toContain('"a\\"\\u001b[2J\\u000ay\\u202e\\u200b \\u0020b\\u00a0\\u2028\\u3164"');
    expect(lines[1]!.length).toBeLessThan(600);
  });
});
