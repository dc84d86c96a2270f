// Attacks on File, under the numbers of the list of attacks, with real files, links, devices, and processes that swap
// names meanwhile. Each asserts that nothing changed outside, that messages tell nothing, and that nothing stays open.

import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNodePlatform, FileGrant, Granted } from '../../../runtime-host/api/node.ts';
import type { FileConstraints, PermissionAnswer, Platform, ScriptOptions } from '../../../runtime-host/api/node.ts';
import { createNodeFiles } from '../../../runtime-host/node/files.ts';
import { portablePaths } from '../../../runtime-host/node/paths-portable.ts';
import { findWindows } from '../../../runtime-host/node/windows.ts';
import { handsOut } from '../scripts.ts';
import { becomingNobody, hashTree, makeFiles, makeFolder, openedSince, openPaths } from './real-files.ts';
import type { RealFolder } from './real-files.ts';

let folder: RealFolder;
/** The allowed directory, and the one that must stay as it is. */
let D: string;
let S: string;
let secretHash: string;
let open: readonly string[];

beforeEach(() => {
  folder = makeFolder();
  D = join(folder.path, 'data');
  S = join(folder.path, 'secret');
  makeFiles(folder.path, {
    'data/a.txt': 'alpha',
    'data/sub/b.txt': 'beta',
    'data-evil/x': 'evil',
    'secret/k.txt': 'SECRET',
  });
  secretHash = hashTree(S);
  open = openPaths();
});

afterEach(() => {
  expect(hashTree(S)).toBe(secretHash);
  expect(readFileSync(join(folder.path, 'data-evil/x'), 'utf8')).toBe('evil');
  expect(openedSince(open)).toEqual([]);
  folder.remove();
});

function world(answer: PermissionAnswer, platform: Platform = createNodePlatform({ baseDir: D })): ScriptOptions {
  return { platform, permissions: () => answer };
}

const inD = (more: FileConstraints = {}): PermissionAnswer => FileGrant({ allowedDirectories: [D], ...more });

/** What came out of the call, and that it tells nothing of the host but what the script said itself. */
async function attempt(call: string, options: ScriptOptions): Promise<string> {
  const [given = ''] = await handsOut(
    `main(string D, string S) { try { ${call}; return "done"; } catch (SecurityError e) { return "SE " + e; } ` +
      'catch (FileError e) { return "FE " + e; } }',
    options,
    { D, S },
  );
  const told = given.replaceAll(D, '').replaceAll(S, '');
  expect(told).not.toContain(folder.path);
  expect(told).not.toMatch(/ENO|EAC|EIS|ELOOP|errno|syscall|\bat \/|node:|SECRET/);
  return given;
}

const outside = (fn: string): string => `SE File.${fn} denied: outside allowedDirectories`;

describe('attacks on paths', () => {
  it('9: dots that lead out', async () => {
    expect(await attempt('File.read(D + "/../secret/k.txt")', world(inD()))).toBe(outside('read'));
    expect(await attempt('File.read("../secret/k.txt")', world(inD()))).toBe(outside('read'));
    expect(await attempt('File.read("sub/../../secret/k.txt")', world(inD()))).toBe(outside('read'));
  });

  it('11: a directory whose name begins alike', async () => {
    expect(await attempt('File.read(D + "-evil/x")', world(inD()))).toBe(outside('read'));
  });

  it('13: a link to a file outside', async () => {
    symlinkSync(join(S, 'k.txt'), join(D, 'l.txt'));
    for (const fn of ['read', 'metadata', 'exists'])
      expect(await attempt(`File.${fn}("l.txt")`, world(inD()))).toBe(outside(fn));
    for (const fn of ['write', 'append'])
      expect(await attempt(`File.${fn}("l.txt", "x")`, world(inD()))).toBe(outside(fn));
  });

  it('15, 19, 21, 23: a link to a directory outside', async () => {
    symlinkSync(S, join(D, 'dl'));
    expect(await attempt('File.list("dl/")', world(inD()))).toBe(outside('list'));
    expect(await attempt('File.list("dl")', world(inD()))).toBe(outside('list'));
    expect(await attempt('File.createDir("dl/x/y")', world(inD()))).toBe(outside('createDir'));
    expect(await attempt('File.delete("dl/k.txt")', world(inD()))).toBe(outside('delete'));
    expect(await attempt('File.exists("dl/nope")', world(inD()))).toBe(
      await attempt('File.exists("dl/k.txt")', world(inD())),
    );
    expect(await attempt('File.write("dl/new.txt", "x")', world(inD()))).toBe(outside('write'));
  });

  it('17: an allowed directory that is a link', async () => {
    symlinkSync(D, join(folder.path, 'Dl'));
    const options = world(FileGrant({ allowedDirectories: [join(folder.path, 'Dl')] }));
    expect(
      await handsOut(`yield File.read("${folder.path}/Dl/a.txt"); yield File.read("${D}/a.txt");`, options),
    ).toEqual(['alpha', 'alpha']);
  });

  it('25: links in a circle', async () => {
    symlinkSync('b', join(D, 'a'));
    symlinkSync('a', join(D, 'b'));
    for (const fn of ['read', 'list', 'metadata'])
      expect(await attempt(`File.${fn}("a")`, world(inD()))).toContain('it leads through too many links');
    symlinkSync(join(S, '../data/b'), join(D, 'c'));
    expect(await attempt('File.write("c", "x")', world(inD()))).toMatch(/^(FE|SE)/);
  });

  it('29: what is denied is not touched', async () => {
    expect(await attempt('File.write("a.txt", "")', world(FileGrant({ allowedDirectories: [join(D, 'sub')] })))).toBe(
      outside('write'),
    );
    expect(await attempt('File.write("a.txt", "too long")', world(inD({ maxBytes: 3 })))).toBe(
      'SE File.write denied: larger than maxBytes',
    );
    expect(readFileSync(join(D, 'a.txt'), 'utf8')).toBe('alpha');
  });

  it.each([
    '\\u{1b}[2K/etc/motd',
    '\\u{202e}txt',
    '\\u{0}',
    '\\n',
    '\\u{7f}',
    '\\u{9b}',
    '\\u{2028}',
    '\\u{200f}',
    '\\u{2066}',
    '\\u{61c}',
  ])('35: %s never reaches the handler', async (text) => {
    let asked = 0;
    const options = {
      ...world(Granted),
      permissions: () => {
        asked++;
        return Granted;
      },
    };
    expect(await attempt(`File.read(D + "/a.txt${text}")`, options)).toMatch(
      /^SE File.read denied: the path holds a character|^SE File.read denied: the path holds a control/,
    );
    expect(asked).toBe(0);
  });

  it('37: no URL, home directory or pattern', async () => {
    for (const path of ['file:///etc/passwd', '~/x', '~root/x', `${D}/*`, '$HOME/x', '%2e%2e/secret/k.txt']) {
      expect(await attempt(`File.read("${path}")`, world(inD()))).toMatch(
        /^FE File.read failed: there is no such file/,
      );
    }
  });

  it('39: names that only look like an extension', async () => {
    makeFiles(D, { '.txt': 'a', 'a.txt.': 'b', 'a.txt ': 'c', 'a.txt\u00a0': 'd', txt: 'e', 'x.txt.exe': 'f' });
    for (const name of ['.txt', 'a.txt.', 'a.txt ', 'txt', 'x.txt.exe', 'a.txt/.']) {
      const given = await attempt(`File.read("${name}")`, world(inD({ allowedExtensions: ['txt'] })));
      expect(given, name).toBe(name === 'a.txt/.' ? 'done' : 'SE File.read denied: outside allowedExtensions');
    }
  });

  it('41: an entry with a dot inside is no extension', async () => {
    makeFiles(D, { 'a.tar.gz': 'x' });
    expect(await attempt('File.read("a.tar.gz")', world(inD({ allowedExtensions: ['tar.gz'] })))).toMatch(/^SE/);
    expect(await attempt('File.read("a.tar.gz")', world(inD({ allowedExtensions: ['gz'] })))).toBe('done');
  });

  it('43: extensions hold for every function', async () => {
    makeFiles(D, { 'a.bin': 'x' });
    for (const call of [
      'delete("a.bin")',
      'exists("a.bin")',
      'metadata("a.bin")',
      'append("a.bin", "y")',
      'write("a.bin", "y")',
      'read("a.bin")',
    ]) {
      expect(await attempt(`File.${call}`, world(inD({ allowedExtensions: ['txt'] })))).toContain(
        'outside allowedExtensions',
      );
    }
    expect(readFileSync(join(D, 'a.bin'), 'utf8')).toBe('x');
  });

  it('45: empty lists allow nothing', async () => {
    for (const constraints of [{ allowedExtensions: [] }, { allowedDirectories: [] }] as FileConstraints[]) {
      expect(await attempt('File.read("a.txt")', world(FileGrant(constraints)))).toMatch(/^SE/);
    }
  });

  it('55, 57: a rewritten path is checked like any other', async () => {
    expect(await attempt('File.read("a.txt")', world(inD({ rewrittenPath: join(S, 'k.txt') })))).toBe(outside('read'));
    expect(await attempt('File.write("a.txt", "x")', world(inD({ rewrittenPath: 'rel/x' })))).toMatch(/^SE/);
    expect(await attempt('File.write("a.txt", "x")', world(inD({ rewrittenPath: `${D}/a\0b` })))).toMatch(/^SE/);
    expect(await attempt('File.read("mine")', world(inD({ rewrittenPath: join(D, 'none') })))).toBe(
      'FE File.read failed: there is no such file or directory: mine',
    );
  });

  it('63: the base directory is fixed', async () => {
    const options = world(inD());
    const before = process.cwd();
    // Workers of the test runner cannot change their directory: another process does.
    const script = `
      const { loadScript, createNodePlatform, FileGrant } = await import(${JSON.stringify(join(before, 'runtime-host/api/node.ts'))});
      const { compile } = await import(${JSON.stringify(join(before, 'src/compile.ts'))});
      const { artifact } = await compile('t.slu', 'yield File.read("a.txt");');
      process.chdir(${JSON.stringify(D)});
      const platform = createNodePlatform();
      process.chdir('/');
      const script = await loadScript(artifact.wasm, { platform, permissions: () => FileGrant({ allowedDirectories: [${JSON.stringify(D)}] }) });
      for await (const value of script.run()) console.log(value);`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout).toBe('alpha\n');
    expect(await attempt('File.read("a.txt")', options)).toBe('done');
  });
});

describe('what keeps the file system from telling', () => {
  const failing = (code: string): Platform => ({
    ...createNodePlatform({ baseDir: D }),
    files: createNodeFiles(D, {
      ...portablePaths,
      reach: () => {
        throw Object.assign(new Error(`${code}: ${D}`), { code });
      },
    }),
  });

  it.each([
    ['EMFILE', 'FE File.exists failed: something else is using it: a.txt'],
    ['EIO', 'FE File.exists failed: the file system reported a failure: a.txt'],
    ['ENOENT', 'done'],
    ['ENOTDIR', 'done'],
    ['ELOOP', 'done'],
    ['EACCES', 'done'],
    ['ENAMETOOLONG', 'done'],
  ])('exists and %s', async (code, given) => {
    expect(await attempt('if (File.exists("a.txt")) throw "there"', world(Granted, failing(code)))).toBe(given);
  });
});

describe('what is no file', () => {
  it('31: devices and descriptors, whatever the grant', async () => {
    for (const path of [
      '/dev/zero',
      '/dev/stdin',
      '/dev/fd/0',
      '/dev/null',
      '/dev/tty',
      '/proc/self/environ',
      '/proc/self/mem',
      '/proc/self/fd/0',
      '/sys/kernel/notes',
      '/dev',
      '/proc/../proc/version',
    ]) {
      expect(await attempt(`File.read("${path}")`, world(FileGrant({})))).toBe(outside('read'));
      expect(await attempt(`File.write("${path}", "x")`, world(Granted))).toBe(outside('write'));
    }
  });

  it('33: /proc through a link', async () => {
    symlinkSync('/proc/self', join(D, 'p'));
    expect(await attempt('File.read("p/environ")', world(FileGrant({})))).toBe(outside('read'));
    expect(await attempt('File.read("p/root/etc/hostname")', world(inD()))).toBe(outside('read'));
    expect(await attempt('File.list("p")', world(Granted))).toBe(outside('list'));
    expect(await attempt('File.read("p/cwd/package.json")', world(inD()))).toBe(outside('read'));
  });

  it('33: /proc by another mount', async () => {
    const mounts = [
      '24 1 0:22 / /proc rw,nosuid - proc proc rw',
      '25 24 8:1 /etc/hosts /etc/hosts rw shared:1 - ext4 /dev/sda1 rw',
      `26 1 0:23 / ${D.replaceAll('/', '\\057')}/sub rw shared:2 master:3 - proc none rw`,
      '27 1 0:24 / /mnt/a\\040b\\134c rw - sysfs sysfs rw',
      '28 1 0:25 / /proc-like rw - tmpfs proc rw',
      '',
    ].join('\n');
    expect(findWindows(mounts)).toEqual(['/proc', join(D, 'sub'), '/mnt/a b\\c']);
    const node = createNodePlatform({ baseDir: D });
    expect(node.files!.specialDirectories).toEqual(
      expect.arrayContaining(findWindows(readFileSync('/proc/self/mountinfo', 'utf8'))),
    );
    const platform = { ...node, files: { ...node.files!, specialDirectories: findWindows(mounts) } };
    expect(await attempt('File.read("sub/b.txt")', world(Granted, platform))).toBe(outside('read'));
    expect(await attempt('File.read("sub/b.txt")', world(inD(), platform))).toBe(outside('read'));
    expect(
      await attempt('File.read("sub/b.txt")', world(FileGrant({ allowedDirectories: [join(D, 'sub')] }), platform)),
    ).toBe('done');
    const made = join(folder.path, 'windows');
    mkdirSync(made);
    // Where mounting is not permitted, the rows above say all.
    if (spawnSync('mount', ['-t', 'proc', 'none', made]).status !== 0) return;
    try {
      expect(await attempt(`File.read("${made}/self/environ")`.replaceAll(folder.path, '..'), world(Granted))).toBe(
        outside('read'),
      );
    } finally {
      expect(spawnSync('umount', [made]).status).toBe(0);
    }
  });

  it('a special directory opens with an entry of its own', async () => {
    const options = world(FileGrant({ allowedDirectories: ['/proc/sys'] }));
    expect(await attempt('File.read("/proc/sys/kernel/ostype")', options)).toBe('done');
    expect(await attempt('File.read("/proc/version")', options)).toBe(outside('read'));
    expect(await attempt('File.read("/proc/version")', world(FileGrant({ allowedDirectories: ['/'] })))).toBe(
      outside('read'),
    );
  });

  it('pipes are refused without waiting for the other end', async () => {
    expect(spawnSync('mkfifo', [join(D, 'pipe')]).status).toBe(0);
    expect(await attempt('File.read("pipe")', world(inD()))).toBe('FE File.read failed: it is no regular file: pipe');
    expect(await attempt('File.write("pipe", "x")', world(inD()))).toBe(
      'FE File.write failed: it is no regular file: pipe',
    );
    expect(await attempt('File.append("pipe", "x")', world(inD()))).toBe(
      'FE File.append failed: it is no regular file: pipe',
    );
    expect(await handsOut('yield File.metadata("pipe").getString("type", "");', world(inD()))).toEqual(['other']);
    expect(lstatSync(join(D, 'pipe')).isFIFO()).toBe(true);
  });

  it('sockets and devices inside are no files', async () => {
    const made = spawnSync('mknod', [join(D, 'zero'), 'c', '1', '5']);
    if (made.status === 0)
      expect(await attempt('File.read("zero")', world(inD()))).toMatch(/^FE File.read failed: it is no regular file/);
    const { createServer } = await import('node:net');
    const server = createServer().listen(join(D, 'socket'));
    await once(server, 'listening');
    expect(await attempt('File.read("socket")', world(inD()))).toBe(
      'FE File.read failed: it is no regular file: socket',
    );
    server.close();
    await once(server, 'close');
  });
});

describe('sizes', () => {
  it('47: readOnly creates nothing', async () => {
    expect(await attempt('File.append("new.txt", "x")', world(inD({ readOnly: true })))).toBe(
      'SE File.append denied: readOnly',
    );
    expect(existsSync(join(D, 'new.txt'))).toBe(false);
  });

  it('49: bytes are counted, not characters', async () => {
    expect(await attempt('File.write("e.txt", "ééééé")', world(inD({ maxBytes: 9 })))).toBe(
      'SE File.write denied: larger than maxBytes',
    );
    expect(existsSync(join(D, 'e.txt'))).toBe(false);
    expect(await attempt('File.write("e.txt", "ééééé")', world(inD({ maxBytes: 10 })))).toBe('done');
  });

  it('59: a directory with more entries than may be listed', async () => {
    mkdirSync(join(D, 'many'));
    // Names of one file are quick to make, up to some 65,000.
    for (let at = 0; at <= 100_000; at++)
      linkSync(join(D, at % 2 === 0 ? 'a.txt' : 'sub/b.txt'), join(D, 'many', `n${at}`));
    expect(await attempt('File.list("many")', world(inD()))).toBe(
      'FE File.list failed: the directory has more than 100000 entries: many',
    );
  }, 60_000);

  it('61: bytes that are not UTF-8', async () => {
    makeFiles(D, {
      bad: Uint8Array.of(0xff, 0xfe, 0x61),
      overlong: Uint8Array.of(0xc0, 0xaf),
      surrogate: Uint8Array.of(0xed, 0xa0, 0x80),
    });
    for (const name of ['bad', 'overlong', 'surrogate'])
      expect(await attempt(`File.read("${name}")`, world(inD()))).toBe(
        `FE File.read failed: it is not valid UTF-8: ${name}`,
      );
  });

  it('a file of the system that does not tell its size is read to its end', async () => {
    const names = Array.from({ length: 10 }, (_, at) => `V${at}`);
    const child = spawn(process.execPath, ['-e', 'console.log(); setInterval(() => {}, 1000)'], {
      env: Object.fromEntries(names.map((name) => [name, 'x'.repeat(100_000)])),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const path = `/proc/${child.pid}/environ`;
    const options = (more: FileConstraints = {}): ScriptOptions =>
      world(FileGrant({ allowedDirectories: ['/proc'], ...more }));
    expect(await handsOut(`yield File.read("${path}").length();`, options())).toEqual([
      String(readFileSync(path).length),
    ]);
    for (const maxBytes of [100_000, 600_000])
      expect(await attempt(`File.read("${path}")`, options({ maxBytes }))).toBe(
        'SE File.read denied: larger than maxBytes',
      );
    const ended = once(child, 'close');
    child.kill('SIGKILL');
    await ended;
  });

  it('a file larger than a string is refused before it is read', async () => {
    writeFileSync(join(D, 'huge'), '');
    truncateSync(join(D, 'huge'), 600_000_000);
    expect(await attempt('File.read("huge")', world(inD()))).toBe(
      'FE File.read failed: it is larger than a string can be: huge',
    );
    expect(await attempt('File.read("huge")', world(inD({ maxBytes: 1_000 })))).toBe(
      'SE File.read denied: larger than maxBytes',
    );
  });
});

describe('writing leaves no half file', () => {
  it('keeps the mode of what it replaces, and leaves nothing beside it', async () => {
    chmodSync(join(D, 'a.txt'), 0o640);
    expect(await attempt('File.write("a.txt", "new")', world(inD()))).toBe('done');
    expect(statSync(join(D, 'a.txt')).mode & 0o777).toBe(0o640);
    expect(readdirSync(D).sort()).toEqual(['a.txt', 'sub']);
  });

  it('leaves a file with its owner, and no right to run as that one with other content', async () => {
    // Only the superuser can give files away; for others all files here are their own.
    const owner = process.getuid!() === 0 ? 65_534 : process.getuid!();
    chownSync(join(D, 'a.txt'), owner, process.getgid!());
    chmodSync(join(D, 'a.txt'), 0o4755);
    expect(await attempt('File.write("a.txt", "new")', world(inD()))).toBe('done');
    const { uid, gid, mode } = statSync(join(D, 'a.txt'));
    expect([uid, gid, mode & 0o7777]).toEqual([owner, process.getgid!(), 0o755]);
  });

  it('writes into a file that may be written but not replaced', async () => {
    chmodSync(folder.path, 0o755);
    for (const [name, mode] of [
      ['shared', 0o777],
      ['sticky', 0o1777],
      ['closed', 0o755],
    ] as const) {
      makeFiles(D, { [`${name}/f`]: 'a longer text' });
      chmodSync(join(D, name), mode);
      chmodSync(join(D, name, 'f'), 0o666);
    }
    const before = process.cwd();
    const script = `
      const { loadScript, createNodePlatform, Granted } = await import(${JSON.stringify(join(before, 'runtime-host/api/node.ts'))});
      const { compile } = await import(${JSON.stringify(join(before, 'src/compile.ts'))});
      const { artifact } = await compile('t.slu', 'foreach (string name in ["shared", "sticky", "closed"]) { File.write(name + "/f", "new"); yield File.read(name + "/f"); }');
      ${becomingNobody(folder.path)}
      const script = await loadScript(artifact.wasm, { platform: createNodePlatform({ baseDir: ${JSON.stringify(D)} }), permissions: () => Granted });
      await script.run().forEach((value) => console.log(value));`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect([stdout, stderr]).toEqual(['new\nnew\nnew\n', '']);
    for (const name of ['shared', 'sticky', 'closed']) {
      expect(statSync(join(D, name, 'f')).uid).toBe(process.getuid!());
      expect(readdirSync(join(D, name))).toEqual(['f']);
    }
  });

  it('replaces a name, not what another name of the file holds, where a file may have two', async () => {
    linkSync(join(D, 'a.txt'), join(folder.path, 'other-name'));
    expect(await attempt('File.write("a.txt", "new")', world(Granted))).toBe('done');
    expect(readFileSync(join(folder.path, 'other-name'), 'utf8')).toBe('alpha');
  });

  it('where the disk is full, the old file stays', async () => {
    // /dev/full stands for a full disk: every write to it fails so.
    const given = await attempt('File.append("/dev/full", "x")', world(FileGrant({ allowedDirectories: ['/dev'] })));
    expect(given).toBe('FE File.append failed: it is no regular file: /dev/full');
  });

  it('times say when', async () => {
    utimesSync(join(D, 'a.txt'), 1_600_000_000, 1_600_000_000);
    expect(await handsOut('yield File.metadata("a.txt").getInt("modified", 0);', world(inD()))).toEqual([
      '1600000000000',
    ]);
  });
});

describe('races', () => {
  let racer: ChildProcess | null = null;

  async function race(plan: string, ...paths: string[]): Promise<void> {
    racer = spawn(process.execPath, [join(import.meta.dirname, 'racer.ts'), plan, ...paths], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(racer.stdout!, 'data');
  }

  async function stop(): Promise<void> {
    const running = racer!;
    racer = null;
    const ended = once(running, 'close');
    running.kill('SIGKILL');
    await ended;
  }

  afterEach(async () => {
    if (racer !== null) await stop();
  });

  const many = (body: string): string =>
    `main(int n) { int done = 0; int se = 0; int fe = 0; for (int i = 0; i < n; i++) { try { ${body} done++; } ` +
    'catch (SecurityError e) { se++; } catch (FileError e) { fe++; } } yield done; yield se; yield fe; }';

  it('27: a directory that becomes a link, under writes', async () => {
    await race('directory', join(D, 'sub'), join(D, 'spare'), S);
    const counts = await handsOut(many('File.write("sub/w.txt", "written by the script");'), world(inD()), {
      n: 20_000,
    });
    await stop();
    expect(counts).toHaveLength(3);
    expect(Number(counts[0])).toBeGreaterThan(0);
    expect(existsSync(join(S, 'w.txt'))).toBe(false);
    expect(readdirSync(S)).toEqual(['k.txt']);
  }, 120_000);

  it('a directory that becomes a link, under deletes and createDir', async () => {
    await race('directory', join(D, 'sub'), join(D, 'spare'), S);
    await handsOut(
      many('File.createDir("sub/made/deep"); File.delete("sub/made/deep"); File.delete("sub/k.txt");'),
      world(inD()),
      { n: 5_000 },
    );
    await stop();
    expect(readdirSync(S)).toEqual(['k.txt']);
  }, 120_000);

  it('a file that becomes a link, under reads', async () => {
    await race('file', join(D, 'r.txt'), join(D, 'r.spare'), join(S, 'k.txt'));
    const counts = await handsOut(
      many('string text = File.read("r.txt"); if (text != "public" && text != "") throw text;'),
      world(inD()),
      { n: 20_000 },
    );
    await stop();
    expect(counts).toHaveLength(3);
    expect(Number(counts[0])).toBeGreaterThan(0);
    expect(Number(counts[1])).toBeGreaterThan(0);
  }, 120_000);

  it('a file that becomes a link, under writes and appends', async () => {
    await race('file', join(D, 'r.txt'), join(D, 'r.spare'), join(S, 'k.txt'));
    await handsOut(many('File.append("r.txt", "x"); File.write("r.txt", "public");'), world(inD()), { n: 5_000 });
    await stop();
  }, 120_000);

  it('51: a file that grows while it is read', async () => {
    makeFiles(D, { 'grow.txt': 'x' });
    await race('grow', join(D, 'grow.txt'));
    const [largest] = await handsOut(
      'main() { int largest = 0; try { for (int i = 0; i < 3000; i++) { int n = File.read("grow.txt").length(); ' +
        'if (n > largest) largest = n; } } catch (SecurityError e) {} yield largest; }',
      world(inD({ maxBytes: 1_000_000 })),
    );
    await stop();
    expect(Number(largest)).toBeLessThanOrEqual(1_000_000);
  }, 120_000);

  it('where there are no handles, a swapped file is never read', async () => {
    const platform = { ...createNodePlatform({ baseDir: D }), files: createNodeFiles(D, portablePaths) };
    await race('file', join(D, 'r.txt'), join(D, 'r.spare'), join(S, 'k.txt'));
    const counts = await handsOut(
      many('string text = File.read("r.txt"); if (text != "public" && text != "") throw text;'),
      world(inD(), platform),
      { n: 5_000 },
    );
    await stop();
    expect(counts).toHaveLength(3);
  }, 120_000);
});
