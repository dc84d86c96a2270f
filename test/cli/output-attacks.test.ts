// Outputs of the command that fail or could be read by others: full devices, closed pipes, logs of runs and what lies
// in their place.

import { spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Folder } from './sluice.ts';
import type { Ended } from './sluice.ts';

const entry = fileURLToPath(new URL('../../packages/sluice/bin/sluice.mjs', import.meta.url));

let folder: Folder;
beforeEach(() => {
  folder = new Folder();
  folder.write('a.slu', 'main() { yield "one"; for (int i = 0; i < 20000; i++) yield "a line of text"; return 7; }');
  folder.write('wrong.slu', 'main() { yield 1; throw "no"; }');
});
afterEach(() => folder.remove());

/** As a shell runs it: `{sluice} run a.slu > /dev/full`. */
function shell(line: string): Ended {
  const command = line.replaceAll('{sluice}', `'${process.execPath}' '${entry}'`);
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: folder.path,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', XDG_CACHE_HOME: '/dev/null' },
  });
  return { code: status, stdout, stderr };
}

const full = 'sluice: cannot write to standard output: there is no space left on the device\n';

describe.skipIf(process.platform !== 'linux')('a device that is full', () => {
  it.each(['run a.slu', 'run a.slu --format ndjson', '--version', 'help run', 'explain E2001', 'types a.slu'])(
    'is no fault of ours: %s',
    (words) => {
      expect(shell(`{sluice} ${words} > /dev/full`)).toEqual({ code: 2, stdout: '', stderr: full });
    },
  );

  it('changes nothing where it takes the messages', () => {
    expect(shell('{sluice} run wrong.slu 2> /dev/full')).toEqual({ code: 3, stdout: '1\n', stderr: '' });
    expect(shell('{sluice} run none.slu 2> /dev/full').code).toBe(2);
    expect(shell('{sluice} run a.slu > /dev/full 2> /dev/full').code).toBe(2);
  });

  it.each(['run a.slu --record /dev/full > /dev/null', 'build a.slu -o /dev/full'])(
    'is told of files too: %s',
    (words) => {
      const { code, stderr } = shell(`{sluice} ${words}`);
      expect([code, stderr]).toEqual([2, 'sluice: cannot write /dev/full: there is no space left on the device\n']);
      expect(readdirSync('/dev').filter((name) => name.startsWith('full'))).toEqual(['full']);
    },
  );
});

describe('a pipe that nobody reads', () => {
  it('ends the command without a word where it takes the output', () => {
    expect(shell('{ {sluice} run a.slu; echo $? >&2; } | head -n 1')).toEqual({
      code: 0,
      stdout: 'one\n',
      stderr: '0\n',
    });
  });

  it('changes nothing where it takes the messages', () => {
    expect(shell('{ { {sluice} run wrong.slu; echo code $?; } 2>&1 1>&3 | true; } 3>&1').stdout).toBe('1\ncode 3\n');
  });
});

describe('the log of a run', () => {
  const modeOf = (name: string): number => statSync(join(folder.path, name)).mode & 0o777;
  const record = (name: string): Ended => shell(`umask 0; {sluice} run a.slu --record ${name} > /dev/null`);

  it('is for its owner alone, whatever was in its place', () => {
    expect(record('new.json')).toMatchObject({ code: 0, stderr: '' });
    expect(modeOf('new.json')).toBe(0o600);
    folder.write('old.json', 'old');
    chmodSync(join(folder.path, 'old.json'), 0o666);
    expect(record('old.json').code).toBe(0);
    expect(modeOf('old.json')).toBe(0o600);
    expect(JSON.parse(readFileSync(join(folder.path, 'old.json'), 'utf8'))).toMatchObject({ script: 'a.slu' });
  });

  it.each([
    ['to a file', 'other.txt'],
    ['to nothing', 'none.txt'],
    ['to a device', '/dev/null'],
  ])('is not written through a link %s', (_name, target) => {
    folder.write('other.txt', 'other');
    symlinkSync(target, join(folder.path, 'log.json'));
    expect(record('log.json')).toMatchObject({
      code: 2,
      stderr:
        'sluice: cannot write log.json: it is a link, and what only you shall read is not written where one leads\n',
    });
    expect(readFileSync(join(folder.path, 'other.txt'), 'utf8')).toBe('other');
    expect(shell('{sluice} run a.slu --record log.json').stdout).toBe('');
    expect(lstatSync(join(folder.path, 'log.json')).isSymbolicLink()).toBe(true);
    expect(readdirSync(folder.path).sort()).toEqual(['a.slu', 'log.json', 'other.txt', 'wrong.slu']);
  });

  it('may go to standard output, whose link stays', () => {
    const before = lstatSync('/dev/stdout').isSymbolicLink();
    expect(shell('{sluice} run wrong.slu --record /dev/stdout | tail -n 2').stdout).toContain('}');
    expect(shell('{sluice} build a.slu -o /dev/stdout > built').code).toBe(0);
    expect(lstatSync('/dev/stdout').isSymbolicLink()).toBe(before);
  });

  it('is not written where there is a directory', () => {
    expect(record('.')).toMatchObject({ code: 2, stderr: expect.stringContaining('it is a directory') });
  });
});
