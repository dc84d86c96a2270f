// Caches that somebody else could have put something into: nothing of them is run, and the caller is told why. As root,
// files are given to another user; elsewhere what others could have changed stands for it.

import { spawnSync } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Folder, sluice } from './sluice.ts';
import type { Ended } from './sluice.ts';

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
const root = fileURLToPath(new URL('../../', import.meta.url));

const scripts = { 'a.slu': 'yield 1;', 'evil.slu': 'yield "evil";' };

let folder: Folder;
beforeEach(() => {
  folder = new Folder();
  for (const [file, text] of Object.entries(scripts)) folder.write(file, text);
});
afterEach(() => folder.remove());

const at = (...names: readonly string[]): string => join(folder.path, ...names);
const run = (file = 'a.slu', home = at('cache'), environment: Readonly<Record<string, string>> = {}): Ended =>
  sluice(['run', file], { folder: folder.path, environment: { XDG_CACHE_HOME: home, ...environment } });
const entriesIn = (home = at('cache')): string[] =>
  readdirSync(join(home, 'sluice'))
    .filter((name) => name.endsWith('.sluice'))
    .map((name) => join(home, 'sluice', name));

/** As if another user had made it, or could change it. */
function giveAway(path: string): void {
  if (isRoot) chownSync(path, nobody, nobody);
  else chmodSync(path, statSync(path).mode | 0o022);
}

/** The code of an entry by a key. */
function codeOf(key: Buffer, path: string, content: Buffer): Buffer {
  return createHmac('sha256', key)
    .update(/([0-9a-f]{64})\.sluice$/.exec(path)![1]!)
    .update(content)
    .digest();
}

/** Where both scripts have been compiled: each case has a copy. */
const compiled = mkdtempSync(join(tmpdir(), 'sluice-compiled-'));
afterAll(() => rmSync(compiled, { recursive: true, force: true }));
let [evil, good] = ['', ''];
beforeAll(() => {
  for (const [file, text] of Object.entries(scripts)) writeFileSync(join(compiled, file), text);
  const names = Object.keys(scripts).map((file) => {
    const before = existsSync(join(compiled, 'sluice')) ? entriesIn(compiled) : [];
    sluice(['run', file], { folder: compiled, environment: { XDG_CACHE_HOME: compiled } });
    return basename(entriesIn(compiled).find((path) => !before.includes(path))!);
  });
  [good, evil] = names as [string, string];
});

/** The cache with both scripts in it; gives the path of the harmless one. */
function plantBoth(): string {
  mkdirSync(at('cache'), { mode: 0o700 });
  cpSync(join(compiled, 'sluice'), at('cache/sluice'), { recursive: true });
  chmodSync(at('cache/sluice'), 0o700);
  return at('cache/sluice', good);
}

/** The module of evil.slu, as an entry for a.slu that the folder's own key would make. */
function plantEvil(): string {
  const path = plantBoth();
  const content = readFileSync(at('cache/sluice', evil)).subarray(32);
  writeFileSync(path, Buffer.concat([codeOf(readFileSync(at('cache/sluice/key')), path, content), content]));
  return path;
}

describe('a compiled script in the cache', () => {
  it('is taken if the caller made it (the attacks below would work without what they try)', () => {
    plantEvil();
    expect(run()).toEqual({ code: 0, stdout: 'evil\n', stderr: '' });
  });

  it('is not taken from a folder that another user made, with a key of theirs', () => {
    plantEvil();
    giveAway(at('cache/sluice'));
    const { code, stdout, stderr } = run();
    expect({ code, stdout }).toEqual({ code: 0, stdout: '1\n' });
    expect(stderr).toMatch(
      /^sluice: nothing is kept for later runs: .*\/cache\/sluice (belongs to another user|can be changed by other users); put that right, or set XDG_CACHE_HOME to a directory of your own\n$/,
    );
  });

  it.each([0o777, 0o770, 0o702])('is not taken from a folder of mode %o', (mode) => {
    plantEvil();
    chmodSync(at('cache/sluice'), mode);
    expect(run()).toEqual({
      code: 0,
      stdout: '1\n',
      stderr: expect.stringContaining('/cache/sluice can be changed by other users; ') as string,
    });
    expect(statSync(at('cache/sluice')).mode & 0o777).toBe(mode);
  });

  it.each<[string, () => void]>([
    ["is another user's", () => giveAway(at('cache'))],
    ['everybody can rename in', () => chmodSync(at('cache'), 0o777)],
    [
      'a group that others are in can rename in',
      () => {
        // Who is not root has a group of others only where the system gave one; else everybody stands for it.
        const group = isRoot ? nobody : process.getgroups!().find((one) => one !== process.getegid!());
        if (group !== undefined) chownSync(at('cache'), process.geteuid!(), group);
        chmodSync(at('cache'), group === undefined ? 0o772 : 0o770);
      },
    ],
  ])('is not taken from below a directory that %s', (_name, change) => {
    plantEvil();
    change();
    expect(run()).toEqual({
      code: 0,
      stdout: '1\n',
      stderr: expect.stringMatching(
        /^sluice: nothing is kept for later runs: .*\/cache (belongs to another user|can be changed by other users); /,
      ) as string,
    });
  });

  it.skipIf(!isRoot)('is taken from below one that a group of the caller alone can change', () => {
    plantEvil();
    chmodSync(at('cache'), 0o775);
    expect(run()).toEqual({ code: 0, stdout: 'evil\n', stderr: '' });
  });

  it("is taken from below one in which names are safe, and from behind a link of the caller's own", () => {
    plantEvil();
    chmodSync(at('cache'), 0o1777);
    expect(run().stdout).toBe('evil\n');
    symlinkSync(at('cache'), at('mine'));
    expect(run('a.slu', at('mine')).stdout).toBe('evil\n');
  });

  it('is not taken through a link in place of the folder, or one of another user', () => {
    plantEvil();
    mkdirSync(at('other'));
    symlinkSync(at('cache/sluice'), at('other/sluice'));
    expect(run('a.slu', at('other'))).toEqual({
      code: 0,
      stdout: '1\n',
      stderr: expect.stringContaining('/other/sluice is a link; ') as string,
    });
    if (!isRoot) return;
    // The command is root's, the link is not.
    symlinkSync(at('cache'), at('theirs'));
    lchownSync(at('theirs'), nobody, nobody);
    expect(run('a.slu', at('theirs'))).toEqual({
      code: 0,
      stdout: '1\n',
      stderr: expect.stringContaining('/theirs belongs to another user; ') as string,
    });
  });

  it.each<[string, string, (path: string) => void]>([
    ['of another user', 'belongs to another user|can be changed by other users', giveAway],
    ['that others can write', 'can be changed by other users', (path) => chmodSync(path, 0o666)],
    ['with another name', 'has another name too', (path) => linkSync(path, at('name'))],
    [
      'that is a link',
      'is a link',
      (path) => {
        renameSync(path, at('elsewhere'));
        symlinkSync(at('elsewhere'), path);
      },
    ],
    [
      'that is a directory',
      'is no file',
      (path) => {
        rmSync(path);
        mkdirSync(path);
      },
    ],
    ['without end', 'is too large', (path) => truncateSync(path, 40 * 2 ** 20)],
    [
      'with one bit of the module changed',
      'is not as it was written',
      (path) => {
        const bytes = readFileSync(path);
        bytes[bytes.length - 1]! ^= 1;
        writeFileSync(path, bytes);
      },
    ],
    [
      'with a code by another key',
      'is not as it was written',
      (path) => {
        const content = readFileSync(path).subarray(32);
        writeFileSync(path, Buffer.concat([codeOf(Buffer.alloc(32), path, content), content]));
      },
    ],
    [
      'with the bare hash of its content',
      'is not as it was written',
      (path) => {
        const content = readFileSync(path).subarray(32);
        writeFileSync(path, Buffer.concat([createHash('sha256').update(content).digest(), content]));
      },
    ],
  ])('is not taken out of an entry %s, which is told and removed', (_name, why, change) => {
    const path = plantEvil();
    change(path);
    const { code, stdout, stderr } = run();
    expect({ code, stdout }).toEqual({ code: 0, stdout: '1\n' });
    expect(stderr).toMatch(
      new RegExp(`^sluice: a compiled script is not taken from the cache: .*\\.sluice (${why}); it is removed\n$`),
    );
    expect(run()).toEqual({ code: 0, stdout: '1\n', stderr: '' });
    expect(lstatSync(path).isFile()).toBe(true);
  });

  it('is that of its own script: an entry under the name of another one is not taken', () => {
    const path = plantBoth();
    renameSync(at('cache/sluice', evil), path);
    expect(run()).toEqual({
      code: 0,
      stdout: '1\n',
      stderr: expect.stringContaining('is not as it was written; it is removed') as string,
    });
  });

  it('is not taken with a key of another user', () => {
    plantEvil();
    giveAway(at('cache/sluice/key'));
    expect(run()).toEqual({
      code: 0,
      stdout: '1\n',
      stderr: expect.stringContaining('is not as it was written') as string,
    });
  });
});

describe("the engine's code of our JavaScript", () => {
  const copy = mkdtempSync(join(tmpdir(), 'sluice-package-'));
  afterAll(() => rmSync(copy, { recursive: true, force: true }));
  const home = join(copy, 'cache');
  const explain = join(copy, 'dist/part-explain.js');
  const [right, wrong] = ['A missing, unknown', 'PWNED PWNED! PWNED'];
  const told = (): Ended => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(copy, 'bin/sluice.mjs'), 'explain', 'TypeError'],
      { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '', XDG_CACHE_HOME: home } },
    );
    return { code: status, stdout, stderr };
  };
  const files = (): string[] =>
    readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));

  /** Code of a file that says something else, for the file as it is: Node asks for its length and checksum alone. */
  function poison(): void {
    rmSync(home, { recursive: true, force: true });
    for (const name of ['bin', 'dist', 'package.json'])
      cpSync(join(root, 'packages/sluice', name), join(copy, name), { recursive: true });
    const source = readFileSync(explain, 'utf8');
    const changed = source.replace(right!, wrong!);
    writeFileSync(explain, changed);
    expect(told().stdout).toContain(wrong);
    writeFileSync(explain, source);
    for (const path of files()) {
      const bytes = readFileSync(path);
      if (bytes.readUInt32LE(12) !== crc32(changed)) continue;
      bytes.writeUInt32LE(crc32(source), 12);
      writeFileSync(path, bytes);
    }
  }

  it('is what runs (or the attacks below would try nothing)', () => {
    poison();
    expect(told().stdout).toContain(wrong);
  });

  it.each<[string, () => void]>([
    ['a folder of another user', () => giveAway(join(home, 'sluice/code'))],
    ['a folder that others could change', () => chmodSync(join(home, 'sluice/code'), 0o777)],
    ['a cache of another user', () => giveAway(home)],
    ['a file of another user', () => files().forEach(giveAway)],
    [
      'a folder behind a link',
      () => {
        renameSync(join(home, 'sluice/code'), join(home, 'theirs'));
        symlinkSync(join(home, 'theirs'), join(home, 'sluice/code'));
      },
    ],
    ['files with other names', () => files().forEach((path, at) => linkSync(path, join(home, `name${at}`)))],
  ])('is not run out of %s', (_name, change) => {
    poison();
    change();
    const { code, stdout, stderr } = told();
    expect(code).toBe(0);
    expect(stdout).toContain(right);
    expect(stderr).toMatch(/^sluice: nothing is kept for later runs: /);
  });

  it('is dropped where it has become too much', () => {
    poison();
    const big = join(home, 'sluice/code/big');
    writeFileSync(big, '', { mode: 0o600 });
    truncateSync(big, 65 * 2 ** 20);
    told();
    expect(existsSync(big)).toBe(false);
  });
});

describe('the place of the cache', () => {
  it('is not relative to the directory in which the command is called', () => {
    const given = { HOME: at('home') };
    mkdirSync(at('home'));
    expect(run('a.slu', 'cache', given)).toEqual({ code: 0, stdout: '1\n', stderr: '' });
    expect(existsSync(at('cache'))).toBe(false);
    expect(readdirSync(at('home/.cache/sluice'))).toContain('key');
    for (const HOME of ['', '.', 'home']) {
      expect(run('a.slu', '', { HOME }), HOME).toMatchObject({ code: 0, stdout: '1\n' });
      expect(readdirSync(folder.path).sort(), HOME).toEqual(['a.slu', 'evil.slu', 'home']);
    }
  });

  it('is not in TMPDIR, whoever has put something there', () => {
    mkdirSync(at('tmp'), { mode: 0o777 });
    giveAway(at('tmp'));
    for (const home of [at('cache'), '/dev/null', ''])
      expect(run('a.slu', home, { TMPDIR: at('tmp'), HOME: at('home') })).toEqual({
        code: 0,
        stdout: '1\n',
        stderr: '',
      });
    expect(readdirSync(at('tmp'))).toEqual([]);
  });

  it('is told without what a terminal would act on', () => {
    const home = at('\u001b[2Jc\u202ea\nche');
    run('a.slu', home);
    chmodSync(join(home, 'sluice'), 0o777);
    expect(run('a.slu', home).stderr).toContain('/\\u001b[2Jc\\u202ea\\u000ache/sluice can be changed');
  });

  it('is made for its owner alone, with all that was missing above it', () => {
    run('a.slu', at('x/y'));
    for (const path of ['x', 'x/y', 'x/y/sluice', 'x/y/sluice/code'])
      expect(statSync(at(path)).mode & 0o777, path).toBe(0o700);
    for (const name of ['key', ...entriesIn(at('x/y')).map((path) => path.slice(at('x/y/sluice').length + 1))])
      expect(statSync(at('x/y/sluice', name)).mode & 0o777, name).toBe(0o600);
  });

  it('is closed again where others could only read it', () => {
    plantBoth();
    chmodSync(at('cache/sluice'), 0o755);
    expect(run().stderr).toBe('');
    expect(statSync(at('cache/sluice')).mode & 0o777).toBe(0o700);
  });

  it('keeps nothing that a killed command left, and no more bytes than a bound', () => {
    mkdirSync(at('cache/sluice'), { recursive: true, mode: 0o700 });
    const left = at('cache/sluice/x.sluice.1.tmp');
    writeFileSync(left, '');
    utimesSync(left, 1_000_000, 1_000_000);
    for (let number = 0; number < 9; number++) {
      const path = at('cache/sluice', `${number}.sluice`);
      writeFileSync(path, '', { mode: 0o600 });
      truncateSync(path, 30 * 2 ** 20);
      utimesSync(path, 1_000_000 + number, 1_000_000 + number);
    }
    run('evil.slu');
    expect(existsSync(left)).toBe(false);
    const names = readdirSync(at('cache/sluice'));
    expect(names).not.toContain('0.sluice');
    expect(names).toContain('8.sluice');
  });
});
