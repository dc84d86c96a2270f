// `--audit`: the lines that are written, when, and into which files they are not.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { PermissionRequest } from '../../runtime-host/namespaces/requests.ts';
import { openAudit } from '../../src/cli/permissions/audit.ts';
import { Folder } from './sluice.ts';

const folder = new Folder();
afterAll(() => folder.remove());
const at = (path: string): string => join(folder.path, path);
mkdirSync(at('data'));
folder.write('data/a.txt', 'alpha');
folder.write(
  'a.slu',
  'yield File.read("data/a.txt"); try { yield Env.get("HOME"); } catch (SecurityError e) { yield e; }',
);
beforeEach(() => rmSync(at('log'), { force: true, recursive: true }));
const lines = (name = 'log'): Readonly<Record<string, unknown>>[] =>
  readFileSync(at(name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
const run = (...words: readonly string[]) =>
  folder.run('run', 'a.slu', '--allow-file-read=data', '--no-prompt', ...words);

describe('the audit log', () => {
  it("has a line for each decision, in a file of the caller's alone, behind those that are there", () => {
    expect(run('--audit=log').stdout).toBe('alpha\nEnv.get denied: the host does not permit it\n');
    expect(statSync(at('log')).mode & 0o777).toBe(0o600);
    const [read, env] = lines();
    expect(read).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      pid: expect.any(Number) as number,
      script: 'a.slu',
      called: 'File.read',
      answer: 'granted',
      reason: 'a flag allows it',
      request: {
        kind: 'File.Read',
        path: 'data/a.txt',
        resolvedPath: expect.stringMatching(/\/data\/a\.txt$/) as string,
      },
      constraints: {
        readOnly: true,
        allowedDirectories: [expect.stringMatching(/\/data$/) as string],
        deniedDirectories: [expect.stringMatching(/\/log$/) as string],
      },
    });
    expect(env).toMatchObject({
      called: 'Env.get',
      answer: 'denied',
      reason: 'no flag allows it',
      request: { kind: 'Env.Get', name: 'HOME' },
    });
    run('--audit=log', '--deny-env');
    expect(lines()).toHaveLength(4);
    expect(lines()[3]).toMatchObject({ reason: '--deny-env' });
    expect(folder.run('bench', 'a.slu', '--reps', '2', '--allow-all', '--audit', 'log').code).toBe(0);
    expect(lines()).toHaveLength(8);
  });

  it('tells what a constraint denied after a flag had allowed it', () => {
    folder.write('b.slu', 'try { File.read("data/a.txt"); } catch (SecurityError e) {}');
    folder.run('run', 'b.slu', '--allow-file-read=data', '--file-max-bytes=2', '--audit=log');
    expect(lines().map(({ answer, reason }) => [answer, reason])).toEqual([
      ['granted', 'a flag allows it'],
      ['denied', 'File.read denied: larger than maxBytes'],
    ]);
  });

  it('begins a line of its own where the last one was cut off', () => {
    writeFileSync(at('log'), '{"time":"cut', { mode: 0o600 });
    run('--audit=log');
    expect(readFileSync(at('log'), 'utf8').split('\n')[0]).toBe('{"time":"cut');
    expect(JSON.parse(readFileSync(at('log'), 'utf8').split('\n')[1]!)).toMatchObject({ script: 'a.slu' });
  });

  it('has what was decided when the run is killed', async () => {
    folder.write('long.slu', 'File.exists("data/a.txt"); yield "asked"; while (true) {}');
    const child = spawn(
      process.execPath,
      [
        fileURLToPath(new URL('../../packages/sluice/bin/sluice.mjs', import.meta.url)),
        'run',
        'long.slu',
        '--allow-file-read=data',
        '--audit=log',
      ],
      { cwd: folder.path, env: { ...process.env, XDG_CACHE_HOME: '/dev/null' } },
    );
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(lines()).toEqual([expect.objectContaining({ called: 'File.exists', answer: 'granted' })]);
  });

  it('is out of reach for the script, whatever is allowed', () => {
    const calls = ['File.delete("log");', 'File.write("log", "");', 'File.append("link", "x");', 'File.read("log");'];
    folder.write(
      'c.slu',
      calls.map((call) => `try { ${call} yield "done"; } catch (SecurityError e) { yield e; }`).join('\n'),
    );
    symlinkSync(at('log'), at('link'));
    const { stdout } = folder.run('run', 'c.slu', '--allow-all', '--allow-file=.', '--audit=log');
    expect(stdout).toBe(
      ['delete', 'write', 'append', 'read']
        .map((name) => `File.${name} denied: the host does not permit it\n`)
        .join(''),
    );
    expect(lines().map(({ answer, reason }) => [answer, reason])).toEqual(
      Array.from({ length: 4 }, () => ['denied', '--audit']),
    );
  });

  it.each<[string, RegExp, () => void]>([
    ['a link', /is a link$/, () => symlinkSync(at('data/a.txt'), at('log'))],
    ['a dangling link', /is a link$/, () => symlinkSync(at('nothing'), at('log'))],
    ['another name of a file', /has another name too$/, () => linkSync(at('data/a.txt'), at('log'))],
    ['a directory', /is a directory$/, () => mkdirSync(at('log'))],
    ['a pipe that nobody reads', /is no file$/, () => void spawnSync('mkfifo', [at('log')])],
    [
      'a file that others can write',
      /can be changed by other users$/,
      () => {
        writeFileSync(at('log'), '');
        chmodSync(at('log'), 0o666);
      },
    ],
    [
      'a file of another user',
      /belongs to another user$|can be changed by other users$/,
      () => {
        writeFileSync(at('log'), '');
        if (process.getuid?.() === 0) chownSync(at('log'), 65_534, 65_534);
        else chmodSync(at('log'), 0o666);
      },
    ],
  ])('is not written to %s, and the script does not begin', (_what, why, make) => {
    make();
    const { code, stdout, stderr } = run('--audit=log');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.split('\n')[0]).toMatch(/^sluice: cannot write the audit log log: it /);
    expect(stderr.split('\n')[0]).toMatch(why);
    expect(existsSync(at('nothing'))).toBe(false);
    expect(readFileSync(at('data/a.txt'), 'utf8')).toBe('alpha');
  });

  it('is neither the script nor the log of the run', () => {
    expect(run('--audit=a.slu')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('it is the script itself') as string,
    });
    expect(run('--audit=log', '--record=./log')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--record and --audit name the same file') as string,
    });
    expect(run('--audit=missing/log')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no such directory') as string,
    });
  });

  it('lets the run go on where it cannot be written any more, and says so once', () => {
    const complaints: string[] = [];
    const audit = openAudit(at('log'), 'a.slu', (line) => complaints.push(line));
    const decision = {
      request: new PermissionRequest.Env.Get('X'),
      called: 'Env.get',
      answer: 'granted',
      limits: null,
      reason: null,
    } as const;
    audit.note(decision, null);
    audit.close();
    for (let iteration = 0; iteration < 3; iteration++) audit.note(decision, null);
    expect(complaints).toHaveLength(1);
    expect(lines()).toHaveLength(1);
  });

  it('holds whatever a plugin tells of a call, harmless and of limited length', () => {
    const audit = openAudit(at('log'), 'a.slu', () => {});
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    const trap = {
      get x(): never {
        throw new Error('no');
      },
    };
    const details = [
      { n: 1n << 60n, text: '\u001b[2J\u009b\u202e\u007f' },
      { circle },
      { trap },
      { long: 'x'.repeat(1_000_000) },
      { many: Array.from({ length: 100_000 }, () => 'x') },
      {
        toJSON: () => {
          throw new Error('no');
        },
      },
    ];
    for (const each of details)
      audit.note(
        {
          request: new PermissionRequest.Plugin('db', 'query', each),
          called: 'Db.query',
          answer: 'granted',
          limits: { rows: 3 },
          reason: null,
        },
        'a flag allows it',
      );
    audit.close();
    expect(lines()).toHaveLength(details.length);
    expect(lines()[0]).toMatchObject({
      request: { details: { n: String(1n << 60n), text: '\u001b[2J\u009b\u202e\u007f' } },
      constraints: { rows: 3 },
    });
    for (const line of readFileSync(at('log'), 'utf8').trimEnd().split('\n')) {
      expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
      expect(line.length).toBeLessThan(70_000);
    }
  });
});
