// Logs of runs on the command line, and built modules, which run in workers.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Folder, sluice } from './sluice.ts';

let folder: Folder;
beforeEach(() => {
  folder = new Folder();
});
afterEach(() => folder.remove());

const script =
  'main(string name, int n = 1) {\n  yield Math.random();\n  yield Date.now();\n' +
  '  for (int i = 0; i < n; i++) yield File.read(name);\n  try { File.read("other.txt"); } catch (FileError e) { ' +
  'yield e; }\n  return Env.get("HOME");\n}\n';

describe.each(['a.slu', 'a.wasm'])('a log of %s', (file) => {
  beforeEach(() => {
    folder.write('a.slu', script);
    folder.write('a.txt', 'alpha');
    if (file === 'a.wasm') expect(folder.run('build', 'a.slu').code).toBe(0);
  });

  it('gives the same run again, without permissions and without the files', () => {
    const first = sluice(
      ['run', file, '-a', 'name=a.txt', '--allow-file-read=.', '--allow-env=HOME', '--record', 'log.json'],
      { folder: folder.path, environment: { HOME: '/home/someone' } },
    );
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout.split('\n').slice(2)).toEqual([
      'alpha',
      expect.stringContaining('File.read'),
      '/home/someone',
      '',
    ]);
    folder.write('a.txt', 'changed');
    expect(folder.run('run', file, '--replay', 'log.json')).toEqual(first);
    expect(folder.run('run', file, '--replay', 'log.json', '-a', 'name=a.txt')).toEqual(first);
    const other = folder.run('run', file, '--replay', 'log.json', '-a', 'name=b.txt');
    expect(other).toMatchObject({ code: 2, stdout: '' });
    expect(other.stderr).toBe(
      'sluice: the log does not fit this run: it was made with name = "a.txt", and this run has name = "b.txt"\n',
    );
    expect(readdirSync(folder.path).filter((name) => name.includes('tmp'))).toEqual([]);
  });

  it('of a run that failed gives the same failure', () => {
    const first = folder.run('run', file, '-a', 'name=a.txt', '--no-prompt', '--record', 'log.json');
    expect(first).toMatchObject({ code: 3, stderr: expect.stringContaining('SecurityError: File.read denied') });
    const again = folder.run('run', file, '--replay', 'log.json');
    expect([again.code, again.stdout]).toEqual([first.code, first.stdout]);
    expect(again.stderr.split('\n')).toEqual(first.stderr.split('\n').filter((line) => !line.startsWith('denied: ')));
  });
});

describe('what is no log', () => {
  it.each<[string, readonly string[], string]>([
    [
      'of another script',
      ['run', 'b.slu', '--replay', 'log.json'],
      'this log belongs to another module: it was made by a.slu, sha256 ',
    ],
    ['that is not there', ['run', 'a.slu', '--replay', 'no.json'], 'cannot read no.json: there is no such file'],
    ['that is no JSON', ['run', 'a.slu', '--replay', 'a.slu'], 'a.slu is not the log of a run: it is not JSON'],
    ['that is other JSON', ['run', 'a.slu', '--replay', 'other.json'], 'this is not the log of a run'],
    [
      'with a seed',
      ['run', 'a.slu', '--replay', 'log.json', '--seed', '1'],
      '--replay and --seed do not go together: a log that is replayed has it all',
    ],
    [
      'to be recorded again',
      ['run', 'a.slu', '--replay', 'log.json', '--record', 'l.json'],
      '--replay and --record do not go together',
    ],
    [
      'to be written over the script',
      ['run', 'a.slu', '--record', 'a.slu'],
      'cannot write a.slu: it is the script itself',
    ],
  ])('is refused: %s', (_name, words, message) => {
    folder.write('a.slu', 'main() { return Math.random() < 1.0; }');
    folder.write('b.slu', 'main() { return 1; }');
    folder.write('other.json', '{}');
    expect(folder.run('run', 'a.slu', '--record', 'log.json').code).toBe(0);
    const { code, stdout, stderr } = folder.run(...words);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`sluice: ${message}`);
  });

  it('is not written where nothing has run', () => {
    folder.write('a.slu', 'main(int n) { return n; }');
    expect(folder.run('run', 'a.slu', '--record', 'log.json').code).toBe(2);
    expect(existsSync(join(folder.path, 'log.json'))).toBe(false);
    expect(folder.run('run', 'a.slu', '-a', 'n=1', '--record', 'none/log.json').stderr).toContain(
      'there is no such directory',
    );
    expect(folder.run('run', 'a.slu', '-a', 'n=7', '--record', 'log.json').code).toBe(0);
    expect(JSON.parse(readFileSync(join(folder.path, 'log.json'), 'utf8'))).toMatchObject({
      arguments: { n: { int: '7' } },
      entries: [],
      cut: null,
    });
  });
});

describe('a built module', () => {
  it('runs in a worker, deeper than a script does here, and is ended when its time is over', () => {
    folder.write(
      'a.slu',
      'int f(int n) { return n == 0 ? 0 : f(n - 1) + 1; }\nmain(int n) { yield f(n); while (true) { } }',
    );
    expect(folder.run('build', 'a.slu', '--no-guards').code).toBe(0);
    const ended = folder.run('run', 'a.wasm', '-a', 'n=50000', '--max-memory=0', '--max-time=0.3');
    expect(ended).toEqual({
      code: 3,
      stdout: '50000\n',
      stderr: 'TimeoutError: this run may not take longer than 300 ms\n',
    });
    expect(folder.run('build', 'a.slu').code).toBe(0);
    expect(folder.run('run', 'a.wasm', '-a', 'n=50000', '--max-time=0.3')).toMatchObject({
      code: 3,
      stdout: '50000\n',
    });
  });
});
