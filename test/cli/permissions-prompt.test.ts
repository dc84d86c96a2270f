// Questions: what they say, what each answer covers, and what cannot be made to look like one.

import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Denial, Grant } from '../../runtime-host/permissions/grants.ts';
import { PermissionRequest } from '../../runtime-host/namespaces/requests.ts';
import { commands } from '../../src/cli/commands.ts';
import { parseOptions } from '../../src/cli/parse-options.ts';
import { decideBy } from '../../src/cli/permissions/decide.ts';
import { ask } from '../../src/cli/permissions/prompt.ts';
import type { Terminal } from '../../src/cli/permissions/prompt.ts';
import { readFlags } from '../../src/cli/permissions/read-flags.ts';
import { plainStyle } from '../../src/diagnostics/render.ts';
import { Folder } from './sluice.ts';

const folder = new Folder();
afterAll(() => folder.remove());
const base = realpathSync(folder.path);
const at = (path: string): string => join(base, path);
for (const directory of ['data/deep', 'elsewhere']) mkdirSync(at(directory), { recursive: true });
for (const file of ['data/a.csv', 'elsewhere/k.txt']) writeFileSync(at(file), 'x');
symlinkSync(at('elsewhere/k.txt'), at('data/link.txt'));

const run = commands.find(({ name }) => name === 'run')!;
const { File, Http, Env, Plugin } = PermissionRequest;
const read = (path: string): PermissionRequest => new File.Read(path, at(path));
const get = (url: string): PermissionRequest => new Http.Get(url, 'Http.get');

/** Lines that are typed, each once it is asked for; what is typed ahead of a question comes as `ahead`. */
class TypedTerminal implements Terminal {
  shown = '';
  readonly #lines: string[];
  #ahead: string[];

  constructor(lines: readonly string[], ahead: readonly string[] = []) {
    this.#lines = [...lines];
    this.#ahead = [...ahead];
  }

  async discardInput(): Promise<void> {
    this.#ahead = [];
  }

  write(text: string): void {
    this.shown += text;
  }

  async readLine(): Promise<string | null> {
    const line = this.#ahead.shift() ?? this.#lines.shift() ?? null;
    if (line !== null) this.shown += `${line}\n`;
    return line;
  }
}

/** The handler of these flags before such a terminal. */
function sitting(terminal: Terminal, ...words: string[]) {
  const lines: string[] = [];
  const flags = readFlags(parseOptions(run, ['a.slu', ...words]), 'run', base);
  const { handler } = decideBy(flags, {
    log: (line) => lines.push(line),
    ask: (prompt) => ask(terminal, plainStyle, prompt),
  });
  const answer = async (request: PermissionRequest): Promise<unknown> => {
    const given = await handler(request);
    return given instanceof Grant ? given.constraints : given instanceof Denial ? 'denied' : given;
  };
  return { answer, lines };
}

describe('a question', () => {
  const cases: readonly (readonly [string, PermissionRequest, string, string])[] = [
    [
      'File.Read',
      read('data/a.csv'),
      `read the file "data/a.csv" (${at('data/a.csv')})`,
      `reading and listing everything in ${at('data')} and below`,
    ],
    [
      'File.Exists',
      new File.Exists('data', at('data')),
      `know whether there is "data" (${at('data')})`,
      `reading and listing everything in ${at('data')} and below`,
    ],
    [
      'File.List',
      new File.List(at('data'), at('data')),
      `list the directory "${at('data')}"`,
      `reading and listing everything in ${at('data')} and below`,
    ],
    [
      'File.Metadata',
      new File.Metadata('data/a.csv', at('data/a.csv')),
      'know the size and times of "data/a.csv"',
      'reading and listing',
    ],
    [
      'File.Write',
      new File.Write('new.txt', at('new.txt')),
      'write the file "new.txt"',
      `writing, creating and deleting everything in ${base} and below`,
    ],
    [
      'File.Append',
      new File.Append('data/a.csv', at('data/a.csv')),
      'append to the file "data/a.csv"',
      'writing, creating and deleting',
    ],
    [
      'File.Delete',
      new File.Delete('data/a.csv', at('data/a.csv')),
      'delete "data/a.csv"',
      'writing, creating and deleting',
    ],
    [
      'File.CreateDir',
      new File.CreateDir('x/y', at('x/y')),
      'create the directory "x/y"',
      `writing, creating and deleting everything in ${at('x')} and below`,
    ],
    [
      'Http.Get',
      get('https://example.com/a?b'),
      'send a GET request to "https://example.com/a?b"',
      'GET requests to https://example.com\n',
    ],
    [
      'Http.Delete',
      new Http.Delete('http://example.com:81/', 'Http.delete'),
      'send a DELETE request to "http://example.com:81/"',
      'DELETE requests to http://example.com:81\n',
    ],
    ['Env.Get', new Env.Get('HOME'), 'read the environment variable "HOME"', 'reading the environment variable "HOME"'],
    [
      'Env.System',
      new Env.System('os.name'),
      'read the property "os.name" of the system',
      'reading the property "os.name"',
    ],
    [
      'Plugin',
      new Plugin('db', 'query', { sql: 'select 1', rows: 3 }),
      'use a plugin that asks for "db:query".\n  sql: "select 1"\n  rows: 3\n',
      'every use of "db:query", whatever its details',
    ],
  ];
  it.each(cases)('says what a script wants, and what is allowed with it: %s', async (_, request, text, scope) => {
    const terminal = new TypedTerminal(['y']);
    expect(await sitting(terminal).answer(request)).toBeTypeOf('object');
    expect(terminal.shown).toContain(`\nThis script wants to ${text}`);
    expect(terminal.shown).toContain(`\n  y  allow once\n  a  allow for this run: ${scope}`);
    expect(terminal.shown).toMatch(/\n  n  deny\n  d  deny for this run: every .*\ny, a, n or d\? y\n$/);
  });

  it('tells where a link leads', async () => {
    const terminal = new TypedTerminal(['y']);
    expect(await sitting(terminal).answer(read('data/link.txt'))).toEqual({
      readOnly: true,
      allowedDirectories: [at('elsewhere')],
    });
    expect(terminal.shown).toContain(`\n  A link leads from there to ${at('elsewhere/k.txt')}.\n`);
  });

  it('tells what is no host of the internet', async () => {
    for (const url of ['http://localhost:3000/', 'http://127.0.0.1/', 'http://192.168.0.1/', 'http://[::1]/']) {
      const terminal = new TypedTerminal(['y']);
      expect(await sitting(terminal).answer(get(url))).toEqual({ allowedDomains: [new URL(url).hostname] });
      expect(terminal.shown).toContain('is this machine, or in a private network.');
    }
    const terminal = new TypedTerminal(['y']);
    expect(await sitting(terminal).answer(get('http://93.184.216.34/'))).toEqual({ allowedDomains: ['93.184.216.34'] });
    expect(terminal.shown).not.toContain('private network');
  });

  it('offers no whole file system for the run', async () => {
    const terminal = new TypedTerminal(['a', 'y']);
    await sitting(terminal).answer(new File.Read('/x.txt', '/x.txt'));
    expect(terminal.shown).not.toContain('a  allow');
    expect(terminal.shown).toContain('\ny, n or d? a\nPlease answer with y, n or d, and Enter: y\n');
  });
});

describe('an answer', () => {
  it('allows once', async () => {
    const { answer } = sitting(new TypedTerminal(['y', ' N ']));
    expect(await answer(read('data/a.csv'))).toEqual({ readOnly: true, allowedDirectories: [at('data')] });
    expect(await answer(read('data/a.csv'))).toBe('denied');
  });

  it('allows reading in a directory for the run', async () => {
    const { answer } = sitting(new TypedTerminal(['a', 'n', 'n', 'n', 'n']));
    const grant = { readOnly: true, allowedDirectories: [at('data')] };
    expect(await answer(read('data/a.csv'))).toEqual(grant);
    expect(await answer(new File.List('data/deep', at('data/deep')))).toEqual(grant);
    expect(await answer(read('data/link.txt'))).toBe('denied');
    expect(await answer(read('elsewhere/k.txt'))).toBe('denied');
    expect(await answer(new File.Write('data/a.csv', at('data/a.csv')))).toBe('denied');
    expect(await answer(new Env.Get('HOME'))).toBe('denied');
  });

  it('allows an origin with a method for the run', async () => {
    const { answer } = sitting(new TypedTerminal(['a', 'n', 'n', 'n', 'n']));
    expect(await answer(get('https://example.com/a'))).toEqual({});
    expect(await answer(get('https://example.com/b'))).toEqual({});
    expect(await answer(get('http://example.com/a'))).toBe('denied');
    expect(await answer(get('https://example.com:8443/a'))).toBe('denied');
    expect(await answer(get('https://sub.example.com/a'))).toBe('denied');
    expect(await answer(new Http.Post('https://example.com/a', 'Http.post'))).toBe('denied');
  });

  it('allows a name for the run', async () => {
    const { answer } = sitting(new TypedTerminal(['a', 'n', 'a', 'n', 'a', 'n']));
    for (const [allowed, other] of [
      [new Env.Get('A'), new Env.Get('B')],
      [new Env.System('os.name'), new Env.System('os.arch')],
      [new Plugin('db', 'query', { a: 1 }), new Plugin('db', 'drop', {})],
    ] as const) {
      expect(await answer(allowed)).toBeTypeOf('object');
      expect(await answer(allowed)).toBeTypeOf('object');
      expect(await answer(other)).toBe('denied');
    }
  });

  it('denies once', async () => {
    const { answer, lines } = sitting(new TypedTerminal(['n', 'y']));
    expect(await answer(read('data/a.csv'))).toBe('denied');
    expect(await answer(read('data/a.csv'))).toBeTypeOf('object');
    expect(lines).toEqual([]);
  });

  it('denies a kind for the run', async () => {
    const { answer } = sitting(new TypedTerminal(['d', 'y', 'y', 'd']));
    expect(await answer(read('data/a.csv'))).toBe('denied');
    expect(await answer(new File.Exists('elsewhere', at('elsewhere')))).toBe('denied');
    expect(await answer(new File.Write('data/a.csv', at('data/a.csv')))).toBeTypeOf('object');
    expect(await answer(get('https://example.com/'))).toEqual({});
    expect(await answer(get('https://example.com/'))).toBe('denied');
    expect(await answer(new Http.Put('http://other.test/', 'Http.put'))).toBe('denied');
  });

  it('is asked for again until it is one', async () => {
    const terminal = new TypedTerminal(['', 'yes', 'ya', '1', 'Y']);
    expect(await sitting(terminal).answer(get('https://example.com/'))).toEqual({});
    expect(terminal.shown.split('Please answer with y, a, n or d, and Enter: ')).toHaveLength(5);
  });

  it('is limited by the flags', async () => {
    const { answer, lines } = sitting(
      new TypedTerminal(['y', 'y']),
      '--https-only',
      '--http-timeout-ms=5',
      '--file-max-bytes=9',
    );
    expect(await answer(get('https://example.com/'))).toEqual({ httpsOnly: true, timeoutMs: 5 });
    expect(await answer(read('data/a.csv'))).toEqual({ readOnly: true, maxBytes: 9, allowedDirectories: [at('data')] });
    expect(await answer(get('http://example.com/'))).toBe('denied');
    expect(lines).toEqual(['denied: Http.get "http://example.com/" (--https-only is given)']);
  });

  it('that was typed ahead is none', async () => {
    const terminal = new TypedTerminal(['n'], ['y', 'a', 'y']);
    expect(await sitting(terminal).answer(read('data/a.csv'))).toBe('denied');
    const again = new TypedTerminal(['n'], ['y']);
    expect(await sitting(again, '--allow-file-read=elsewhere').answer(read('data/a.csv'))).toBe('denied');
  });

  it('is no at the end of input, for what comes later too', async () => {
    const terminal = new TypedTerminal(['x']);
    const { answer, lines } = sitting(terminal);
    expect(await answer(read('data/a.csv'))).toBe('denied');
    expect(await answer(new Env.Get('HOME'))).toBe('denied');
    expect(terminal.shown.split('This script wants to')).toHaveLength(2);
    expect(lines).toEqual([
      'denied: File.read "data/a.csv" (allow it with --allow-file-read=data)',
      'denied: Env.get "HOME" (allow it with --allow-env=HOME)',
    ]);
  });
});

describe('questions', () => {
  it('come one after the other, and an answer counts for those that wait', async () => {
    const terminal = new TypedTerminal(['a', 'n', 'd']);
    const { answer } = sitting(terminal);
    const requests = [
      read('data/a.csv'),
      read('data/deep/x'),
      get('https://a.test/'),
      get('https://b.test/'),
      get('https://c.test/'),
    ];
    const answers = await Promise.all(requests.map(answer));
    const grant = { readOnly: true, allowedDirectories: [at('data')] };
    expect(answers).toEqual([grant, { ...grant, allowedDirectories: [at('data')] }, 'denied', 'denied', 'denied']);
    expect(terminal.shown.match(/wants to .*|or d\? .*/g)).toEqual([
      `wants to read the file "data/a.csv" (${at('data/a.csv')}).`,
      'or d? a',
      'wants to send a GET request to "https://a.test/".',
      'or d? n',
      'wants to send a GET request to "https://b.test/".',
      'or d? d',
    ]);
  });

  it('are not put where a flag answers', async () => {
    const terminal = new TypedTerminal([]);
    const { answer } = sitting(terminal, '--allow-file-read=data', '--allow-env=HOME');
    expect(await answer(read('data/a.csv'))).toBeTypeOf('object');
    expect(await answer(new Env.Get('HOME'))).toBeTypeOf('object');
    expect(terminal.shown).toBe('');
  });

  it('are put where a flag allows something else of the kind', async () => {
    const terminal = new TypedTerminal(['y', 'y']);
    const { answer } = sitting(terminal, '--allow-file-read=data', '--allow-http=example.com');
    expect(await answer(read('elsewhere/k.txt'))).toEqual({ readOnly: true, allowedDirectories: [at('elsewhere')] });
    expect(await answer(get('https://other.test/'))).toEqual({});
  });

  it('do not fill the screen', async () => {
    const terminal = new TypedTerminal(['n']);
    await sitting(terminal).answer(get(`https://example.com/${'x'.repeat(8000)}/end`));
    expect(terminal.shown).toMatch(/"https:\/\/example\.com\/x+ … 7624 characters left out … x+\/end"\.\n/);
    expect(terminal.shown).toContain('GET requests to https://example.com\n');
  });
});
