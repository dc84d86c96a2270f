// Permissions as a user meets them: scripts under flags, and questions on a terminal of its own.

import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { parseOptions } from '../../src/cli/parse-options.ts';
import { permissionOptions } from '../../src/cli/permissions/options.ts';
import { readPermissions } from '../../src/cli/permissions/permissions.ts';
import { Folder, sluice } from './sluice.ts';

const folder = new Folder();
afterAll(() => folder.remove());
for (const directory of ['data', 'out']) mkdirSync(join(folder.path, directory));
folder.write('data/a.csv', 'x');

const run = commands.find(({ name }) => name === 'run')!;
const entry = fileURLToPath(new URL('../../packages/sluice/bin/sluice.mjs', import.meta.url));

/** Shell words as they are. */
const quoted = (words: readonly string[]): string =>
  words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');

describe('a script', () => {
  folder.write(
    'read.slu',
    'main(string path) {\n  try { yield File.read(path); } catch (SecurityError e) { yield e; }\n}\n',
  );

  it('reads what is allowed', () => {
    expect(folder.run('run', 'read.slu', '-a', 'path=data/a.csv', '--allow-file-read=data')).toEqual({
      code: 0,
      stdout: 'x\n',
      stderr: '',
    });
  });

  it('is denied the rest, and the command says how to allow it', () => {
    for (const flags of [[], ['--allow-file-read=out'], ['--allow-file-write=data', '--no-prompt']]) {
      expect(folder.run('run', 'read.slu', '-a', 'path=data/a.csv', ...flags)).toEqual({
        code: 0,
        stdout: 'File.read denied: the host does not permit it\n',
        stderr: 'denied: File.read "data/a.csv" (allow it with --allow-file-read=data)\n',
      });
    }
  });

  it.each([
    ['--file-read-only', 'write', '--file-read-only is given', 'readOnly'],
    ['--file-extensions=md', 'read', '--file-extensions leaves it out', 'outside allowedExtensions'],
    ['--file-max-bytes=0', 'read', '--file-max-bytes allows less', 'larger than maxBytes'],
  ])('is told which flag limits it: %s', (flag, verb, why, reason) => {
    folder.write('write.slu', 'try { File.write("data/a.csv", "y"); } catch (SecurityError e) { yield e; }\n');
    const script = verb === 'read' ? ['read.slu', '-a', 'path=data/a.csv'] : ['write.slu'];
    expect(folder.run('run', ...script, '--allow-all', flag)).toEqual({
      code: 0,
      stdout: `File.${verb} denied: ${reason}\n`,
      stderr: `denied: File.${verb} "data/a.csv" (${why})\n`,
    });
  });

  it('sees the variables of the command that are allowed', () => {
    folder.write(
      'env.slu',
      'main() {\n  yield `${Env.get("SLUICE_TEST_A")}`;\n  yield `${Env.get("SLUICE_TEST_B")}`;\n}\n',
    );
    const { code, stdout, stderr } = sluice(['run', 'env.slu', '--allow-env=SLUICE_TEST_A'], {
      folder: folder.path,
      environment: { SLUICE_TEST_A: 'one', SLUICE_TEST_B: 'two' },
    });
    expect({ code, stdout }).toEqual({ code: 3, stdout: 'one\n' });
    expect(stderr).toMatch(
      /^denied: Env\.get "SLUICE_TEST_B" \(allow it with --allow-env=SLUICE_TEST_B\)\nSecurityError: /,
    );
  });

  it('has each of its flags on the page about the command line', () => {
    const page = readFileSync(new URL('../../docs/command-line.md', import.meta.url), 'utf8');
    for (const { name } of permissionOptions) expect(page).toMatch(new RegExp(`^\\|.*\`--${name}(=|\`).*\\|$`, 'm'));
  });

  it('runs where the working directory is gone', async () => {
    const path = join(folder.path, 'yields.slu');
    folder.write('yields.slu', 'yield 1;\ntry { yield File.exists("a"); } catch (FileError e) { yield "none"; }\n');
    const gone = join(folder.path, 'gone');
    mkdirSync(gone);
    const child = spawn(
      'sh',
      [
        '-c',
        `cd ${quoted([gone])} && rmdir ${quoted([gone])} ` +
          `&& ${quoted([process.execPath, entry, 'run', path, '--allow-all'])}`,
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    await new Promise((resolve) => child.on('close', resolve));
    expect(output).toBe('1\nfalse\n');
  });

  it('is measured under the same flags', () => {
    folder.write('bench.slu', 'yield File.read("data/a.csv");\n');
    expect(folder.run('bench', 'bench.slu', '--reps', '2', '--allow-file-read=data').code).toBe(0);
    expect(folder.run('bench', 'bench.slu', '--reps', '2').code).toBe(3);
  });

  it('reaches this machine over HTTP only by its name', async () => {
    const server = createServer(({ url: path }, response) => {
      if (path === '/away') response.writeHead(302, { location: `http://localhost:${port}/` });
      response.end('hello');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/`;
    folder.write(
      'get.slu',
      'main(string url) {\n  try { yield Http.get(url); } catch (SecurityError e) { yield e; }\n}\n',
    );
    // The server answers while the command runs.
    const getFrom = (address: string, flags: readonly string[]): Promise<string> =>
      new Promise((resolve) => {
        const child = spawn(process.execPath, [entry, 'run', 'get.slu', '-a', `url=${address}`, ...flags], {
          cwd: folder.path,
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        const output = { stdout: '', stderr: '' };
        child.stdout.on('data', (chunk) => (output.stdout += String(chunk)));
        child.stderr.on('data', (chunk) => (output.stderr += String(chunk)));
        child.on('close', () => resolve(output.stderr + output.stdout));
      });
    const get = (...flags: string[]): Promise<string> => getFrom(url, flags);
    try {
      expect(await get('--allow-http=127.0.0.1')).toBe('hello\n');
      expect(await get('--allow-all')).toBe(
        `denied: Http.get "${url}" (allow it with --allow-http-get=127.0.0.1)\n` +
          'Http.get denied: the host is not on the public network\n',
      );
      expect(await get('--allow-all', '--allow-http-get=127.0.0.1')).toBe('hello\n');
      expect(await get('--allow-http=127.0.0.1', '--https-only')).toBe(
        `denied: Http.get "${url}" (--https-only is given)\nHttp.get denied: httpsOnly\n`,
      );
      expect(await getFrom(`${url}away`, ['--allow-http=127.0.0.1'])).toBe(
        `denied: Http.get "${url}away" (a redirect leads to a host that no flag allows)\n` +
          'Http.get denied: outside allowedDomains\n',
      );
      expect(await get('--allow-http=127.0.0.1', '--http-max-bytes=2')).toBe(
        `denied: Http.get "${url}" (--http-max-bytes allows less)\nHttp.get denied: larger than maxResponseSize\n`,
      );
    } finally {
      server.close();
    }
  });
});

describe('the options for the host', () => {
  it('hold the variables of the process, and deny private networks', () => {
    const { environment, privateNetwork, platform, permissions } = readPermissions(
      parseOptions(run, ['a.slu']),
      'run',
    ).options;
    expect(environment).toEqual({ ...process.env });
    expect(environment).not.toBe(process.env);
    expect(privateNetwork).toBe('deny');
    expect(platform!.files!.resolve('x')).toBe(join(process.cwd(), 'x'));
    expect(permissions).toBeTypeOf('function');
  });
});

type Step = readonly [waitFor: string, type: string];

/**
 * Runs the command on a terminal of its own, which `script` of util-linux or BSD makes, and types each text once what
 * it waits for stands there. Gives all that the terminal showed, and the exit code as its last line.
 */
function onTerminal(words: readonly string[], steps: readonly Step[]): Promise<string> {
  const command = `${quoted([process.execPath, entry, ...words])}; echo "exit code $?"`;
  const options =
    process.platform === 'linux' ? ['-qec', command, '/dev/null'] : ['-q', '/dev/null', 'sh', '-c', command];
  const child = spawn('script', options, {
    cwd: folder.path,
    env: { ...process.env, NO_COLOR: '1', SHELL: '/bin/sh', NODE_OPTIONS: '' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  let seen = 0;
  let next = 0;
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.stdout.on('data', (chunk) => {
      shown += String(chunk).replaceAll('\r\n', '\n');
      for (let step = steps[next]; step !== undefined && shown.includes(step[0], seen); step = steps[next]) {
        seen = shown.indexOf(step[0], seen) + step[0].length;
        child.stdin.write(step[1]);
        next += 1;
      }
    });
    child.on('close', () => resolve(shown));
  });
}

describe('on a terminal', () => {
  const question = 'y, a, n or d? ';
  const reads = 'try { yield File.read("data/a.csv"); } catch (SecurityError e) { yield "refused"; }\n';
  folder.write(
    'twice.slu',
    `${reads}try { File.list("data"); yield "listed"; } catch (SecurityError e) { yield "refused"; }\n`,
  );

  it('asks, and remembers what was allowed for the run', async () => {
    const shown = await onTerminal(['run', 'twice.slu'], [[question, 'a\n']]);
    expect(shown.split('This script wants to')).toHaveLength(2);
    expect(shown).toContain('This script wants to read the file "data/a.csv" (');
    expect(shown).toMatch(
      /\n  y  allow once\n  a  allow for this run: reading and listing everything in .*\/data and below\n  n  deny\n  d  deny for this run: every request to read or list files\n/,
    );
    expect(shown).toMatch(/\nx\nlisted\nexit code 0\n/);
  });

  it('asks one question after the other, again after an answer that is none', async () => {
    const shown = await onTerminal(
      ['run', 'twice.slu'],
      [
        [question, 'yes\n'],
        ['and Enter: ', '\n'],
        ['and Enter: ', 'y\n'],
        [question, 'n\n'],
      ],
    );
    expect(shown).toMatch(
      /Enter: y\nx\n\nThis script wants to list the directory "data"[^]*or d\? n\nrefused\nexit code 0\n/,
    );
  });

  it('takes no answer that was typed before the question', async () => {
    const shown = await onTerminal(
      ['run', 'twice.slu'],
      [
        [question, 'n\ny\na\n'],
        [question, 'n\n'],
      ],
    );
    expect(shown).toMatch(/\nrefused\n[^]*\nrefused\nexit code 0\n/);
  });

  it('takes no letter that was typed before the question, with Enter after it', async () => {
    const shown = await onTerminal(
      ['run', 'twice.slu'],
      [
        [question, 'n\ny'],
        [question, '\n'],
        ['and Enter: ', 'n\n'],
      ],
    );
    expect(shown).toMatch(/\ny?refused\n[^]*and Enter: n\nrefused\nexit code 0\n/);
  });

  it('denies at the end of input, and says how to allow it', async () => {
    const shown = await onTerminal(['run', 'twice.slu'], [[question, '\u0004']]);
    expect(shown.split('This script wants to')).toHaveLength(2);
    expect(shown).toMatch(
      /\ndenied: File\.read "data\/a\.csv" \(allow it with --allow-file-read=data\)\nrefused\ndenied: File\.list .*\nrefused\nexit code 0\n/,
    );
  });

  it('does not ask under --no-prompt', async () => {
    const shown = await onTerminal(['run', 'twice.slu', '--no-prompt'], []);
    expect(shown).not.toContain('This script wants to');
    expect(shown).toMatch(/denied: File\.read[^]*refused\n[^]*refused\nexit code 0\n/);
  });

  it('does not ask where the input is no terminal', async () => {
    folder.write('answers', 'y\ny\n');
    const command = `${quoted([process.execPath, entry, 'run', 'twice.slu'])} < answers`;
    const child = spawn('sh', ['-c', command], { cwd: folder.path, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    await new Promise((resolve) => child.on('close', resolve));
    expect(output).not.toContain('This script wants to');
    expect(output).toContain('denied: File.read');
    expect(output.split('refused')).toHaveLength(3);
  });
});
