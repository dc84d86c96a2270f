// Attacks on what File changes: through second names, of the allowed directory itself, in windows into the system that
// are mounted later, by runs that were given up, and where there is no room left. Node with handles and without.

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  AbortError,
  createMemoryPlatform,
  createNodePlatform,
  FileGrant,
  Granted,
} from '../../../runtime-host/api/node.ts';
import type { FileConstraints, PermissionAnswer, Platform, ScriptOptions } from '../../../runtime-host/api/node.ts';
import { createNodeFiles } from '../../../runtime-host/node/files.ts';
import { linuxPaths } from '../../../runtime-host/node/paths-linux.ts';
import { portablePaths } from '../../../runtime-host/node/paths-portable.ts';
import { collectLog, handsOut, load } from '../scripts.ts';
import { becomingNobody, makeFiles, makeFolder, openedSince, openPaths } from './real-files.ts';
import type { RealFolder } from './real-files.ts';

let folder: RealFolder;
/** The allowed directory, and a file outside of it. */
let D: string;
let secret: string;
let open: readonly string[];

beforeEach(() => {
  folder = makeFolder();
  D = join(folder.path, 'data');
  secret = join(folder.path, 'secret.txt');
  makeFiles(folder.path, { 'data/a.txt': 'alpha', 'data/sub/b.txt': 'beta', 'secret.txt': 'SECRET' });
  open = openPaths();
});

afterEach(() => {
  expect(readFileSync(secret, 'utf8')).toBe('SECRET');
  expect(openedSince(open)).toEqual([]);
  folder.remove();
});

const inD = (more: FileConstraints = {}): PermissionAnswer => FileGrant({ allowedDirectories: [D], ...more });

async function attempt(
  call: string,
  options: ScriptOptions,
  values: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const parameters = Object.keys(values)
    .map((name) => `string ${name}`)
    .join(', ');
  const [given = ''] = await handsOut(
    `main(${parameters}) { try { ${call}; return "done"; } catch (SecurityError e) { return "SE " + e; } ` +
      'catch (FileError e) { return "FE " + e; } }',
    options,
    values,
  );
  expect(given.replaceAll(D, '')).not.toContain(folder.path);
  return given;
}

describe.each([
  ['with handles', linuxPaths],
  ['without handles', portablePaths],
])('%s', (_name, paths) => {
  const world = (answer: PermissionAnswer): ScriptOptions => {
    const platform: Platform = { ...createNodePlatform({ baseDir: D }), files: createNodeFiles(D, paths) };
    return { platform, permissions: () => answer };
  };

  describe('a file that has a second name', () => {
    const refused = (fn: string): string =>
      `SE File.${fn} denied: it has another name, which may lie outside allowedDirectories`;

    beforeEach(() => linkSync(secret, join(D, 'link.txt')));

    it('is not written where directories are listed, since nobody can say where the other name lies', async () => {
      expect(await attempt('File.append("link.txt", "x")', world(inD()))).toBe(refused('append'));
      expect(await attempt('File.write("link.txt", "x")', world(inD()))).toBe(refused('write'));
      expect(await attempt('File.write("link.txt", "x".repeat(300000))', world(inD()))).toBe(refused('write'));
      symlinkSync('link.txt', join(D, 'to-link.txt'));
      expect(await attempt('File.write("to-link.txt", "x")', world(inD()))).toBe(refused('write'));
      expect(await attempt('File.append("to-link.txt", "x")', world(inD()))).toBe(refused('append'));
      expect(readdirSync(D).sort()).toEqual(['a.txt', 'link.txt', 'sub', 'to-link.txt']);
    });

    it('may be read, and its name inside may be deleted', async () => {
      expect(await handsOut('yield File.read("link.txt");', world(inD()))).toEqual(['SECRET']);
      expect(await attempt('File.delete("link.txt")', world(inD()))).toBe('done');
      expect(existsSync(join(D, 'link.txt'))).toBe(false);
    });

    it('is replaced under its name where nothing restricts directories', async () => {
      expect(await attempt('File.write("link.txt", "x")', world(Granted))).toBe('done');
      expect(readFileSync(join(D, 'link.txt'), 'utf8')).toBe('x');
    });
  });

  describe('the allowed directory', () => {
    beforeEach(() => mkdirSync(join(D, 'empty')));

    it('is never deleted itself, under no name of it', async () => {
      const options = world(FileGrant({ allowedDirectories: [join(D, 'empty')] }));
      for (const path of ['empty', 'empty/', 'empty/.', 'empty/../empty', join(D, 'empty')]) {
        expect(await attempt('File.delete(path)', options, { path })).toBe(
          'SE File.delete denied: it is one of allowedDirectories itself',
        );
      }
      expect(existsSync(join(D, 'empty'))).toBe(true);
    });

    it('is not deleted through a rewritten path either', async () => {
      const options = world(FileGrant({ allowedDirectories: [join(D, 'empty')], rewrittenPath: join(D, 'empty') }));
      expect(await attempt('File.delete("empty/x")', options)).toBe(
        'SE File.delete denied: it is one of allowedDirectories itself',
      );
      expect(existsSync(join(D, 'empty'))).toBe(true);
    });

    it('is deleted where another one holds it', async () => {
      expect(
        await attempt('File.delete("empty")', world(FileGrant({ allowedDirectories: [join(D, 'empty'), D] }))),
      ).toBe('done');
      expect(existsSync(join(D, 'empty'))).toBe(false);
    });
  });

  describe('a window into the system that is mounted later', () => {
    const outside = (fn: string): string => `SE File.${fn} denied: outside allowedDirectories`;

    it.skipIf(process.platform !== 'linux')('is no directory of files', async () => {
      const late = join(D, 'late');
      mkdirSync(late);
      const [granted, within, own] = [Granted, inD(), FileGrant({ allowedDirectories: [late] })].map(world);
      // Before: a directory like any other.
      for (const options of [granted!, within!, own!]) expect(await attempt('File.list("late")', options)).toBe('done');
      // Where mounting is not permitted, the next test says it all.
      if (spawnSync('mount', ['-t', 'proc', 'none', late]).status !== 0) return;
      try {
        for (const options of [granted!, within!]) {
          for (const fn of ['read', 'exists', 'metadata']) {
            for (const name of ['self/environ', 'version', '999999999', 'none/none'])
              expect(await attempt(`File.${fn}("late/${name}")`, options)).toBe(outside(fn));
          }
          expect(await attempt('File.list("late")', options)).toBe(outside('list'));
          for (const fn of ['write', 'append'])
            expect(await attempt(`File.${fn}("late/self/oom_score_adj", "0")`, options)).toBe(outside(fn));
          for (const fn of ['delete', 'createDir'])
            expect(await attempt(`File.${fn}("late/x")`, options)).toBe(outside(fn));
        }
        // Whoever lists it wants it.
        expect(await attempt('File.read("late/version")', own!)).toBe('done');
      } finally {
        expect(spawnSync('umount', [late]).status).toBe(0);
      }
    });

    it('is known by the kind of its file system, whatever its path', async () => {
      const windows = {
        ...paths,
        reach: (path: string) => ({ ...paths.reach(path), isWindow: true }),
        reachName: (path: string) => ({ ...paths.reachName(path), isWindow: true }),
      };
      const platform: Platform = { ...createNodePlatform({ baseDir: D }), files: createNodeFiles(D, windows) };
      for (const answer of [Granted, inD()]) {
        const options: ScriptOptions = { platform, permissions: () => answer };
        for (const fn of ['read', 'exists', 'metadata', 'delete'])
          expect(await attempt(`File.${fn}("a.txt")`, options)).toBe(outside(fn));
        for (const fn of ['write', 'append'])
          expect(await attempt(`File.${fn}("a.txt", "x")`, options)).toBe(outside(fn));
        expect(await attempt('File.write("new.txt", "x")', options)).toBe(outside('write'));
      }
      expect(readFileSync(join(D, 'a.txt'), 'utf8')).toBe('alpha');
      expect(readdirSync(D).sort()).toEqual(['a.txt', 'sub']);
    });
  });

  describe('a run that is given up', () => {
    /** Until what was begun for it is over. */
    const settle = async (): Promise<void> => {
      do await new Promise((resolve) => setTimeout(resolve, 50));
      while (openedSince(open).length > 0);
    };

    it.each([
      ['a.txt', 'alpha'],
      ['new.txt', null],
    ])('does not finish its write of %s', async (name, before) => {
      const { lines, log } = collectLog();
      const run = (
        await load(`main() { File.write("${name}", "x".repeat(30000000)); }`, { ...world(inD()), log })
      ).run();
      const ended = run.result.catch((error: unknown) => error);
      run.abort();
      expect(await ended).toBeInstanceOf(AbortError);
      await settle();
      expect(existsSync(join(D, name)) ? readFileSync(join(D, name), 'utf8') : null).toBe(before);
      expect(readdirSync(D).filter((entry) => entry.includes('tmp'))).toEqual([]);
      expect(lines).toEqual([]);
    });

    it('leaves no half of what it appends', async () => {
      const run = (await load('main() { File.append("a.txt", "x".repeat(30000000)); }', world(inD()))).run();
      const ended = run.result.catch((error: unknown) => error);
      run.abort();
      expect(await ended).toBeInstanceOf(AbortError);
      await settle();
      expect([5, 30_000_005]).toContain(statSync(join(D, 'a.txt')).size);
    });

    it('begins nothing after it was given up', async () => {
      let answer: ((given: PermissionAnswer) => void) | null = null;
      for (const call of [
        'write("a.txt", "x")',
        'append("a.txt", "x")',
        'delete("a.txt")',
        'createDir("made")',
        'write("new.txt", "x")',
      ]) {
        const run = (
          await load(`main() { File.${call}; }`, {
            ...world(Granted),
            permissions: () =>
              new Promise((resolve) => {
                answer = resolve;
              }),
          })
        ).run();
        const ended = run.result.catch((error: unknown) => error);
        run.abort();
        answer!(Granted);
        expect(await ended).toBeInstanceOf(AbortError);
      }
      await settle();
      expect(readFileSync(join(D, 'a.txt'), 'utf8')).toBe('alpha');
      expect(readdirSync(D).sort()).toEqual(['a.txt', 'sub']);
    });
  });

  it('the rights to run as the owner are gone once the content is another', async () => {
    writeFileSync(join(D, 'run'), 'x');
    chmodSync(join(D, 'run'), 0o6755);
    expect(await attempt('File.append("run", "y")', world(inD()))).toBe('done');
    expect(statSync(join(D, 'run')).mode & 0o7777).toBe(0o755);
  });
});

describe('a call whose time is up', () => {
  it('changes nothing any more, even where a clause goes on', async () => {
    const files = createMemoryPlatform({ files: { '/a': 'alpha' } }).files;
    let changed = false;
    const slow: Platform['files'] = Object.assign(Object.create(files) as typeof files, {
      write: async (path: string, content: Uint8Array, rules: Parameters<typeof files.write>[2]) => {
        await new Promise((resolve) => setTimeout(resolve, 200));
        rules.throwIfOver();
        changed = true;
        files.write(path, content, rules);
      },
      resolve: (path: string) => files.resolve(path),
      isInside: (path: string, directory: string) => files.isInside(path, directory),
      isAbsolute: (path: string) => files.isAbsolute(path),
    });
    const { lines, log } = collectLog();
    const options: ScriptOptions = {
      platform: { files: slow, http: null, system: null },
      permissions: () => Granted,
      limits: { timeMs: 60 },
      log,
    };
    expect(
      await handsOut('main() { try { File.write("/a", "x"); } catch (TimeoutError e) { yield "late"; } }', options),
    ).toEqual(['late', 'TimeoutError: this run may not take longer than 60 ms']);
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(changed).toBe(false);
    expect(lines).toEqual([]);
  });
});

describe('where there is no room left', () => {
  it.skipIf(process.platform !== 'linux')('the old file stays whole', () => {
    const small = join(D, 'small');
    mkdirSync(small);
    // Only who may mount can have a disk that is full.
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=777', 'none', small]).status !== 0) return;
    try {
      // `open` belongs to somebody else, so that it is written in place.
      for (const name of ['mine', 'open']) writeFileSync(join(small, name), name[0]!.repeat(300_000));
      chmodSync(join(small, 'open'), 0o666);
      for (const path of [folder.path, D]) chmodSync(path, 0o755);
      chownSync(join(small, 'mine'), 65_534, 65_534);
      const root = process.cwd();
      const script = `
        const { loadScript, createNodePlatform, Granted } = await import(${JSON.stringify(join(root, 'runtime-host/api/node.ts'))});
        const { compile } = await import(${JSON.stringify(join(root, 'src/compile.ts'))});
        const text = 'void attempt(string name, int size, boolean adds) { try { if (adds) File.append(name, "x".repeat(size)); else File.write(name, "x".repeat(size)); yield "done"; } catch (FileError e) { yield e; } }' +
          'main() { foreach (string name in ["mine", "open"]) { attempt(name, 900000, false); attempt(name, 900000, true); } for (int i = 0; i < 4; i++) attempt("open", 200000, true); attempt("open", 1000000, false); attempt("open", 100000, false); }';
        const { artifact } = await compile('t.slu', text);
        ${becomingNobody(folder.path)}
        const script = await loadScript(artifact.wasm, { platform: createNodePlatform({ baseDir: ${JSON.stringify(small)} }), permissions: () => Granted });
        await script.run().forEach((value) => console.log(value));`;
      const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
        encoding: 'utf8',
      });
      expect(stderr).toBe('');
      const full = (fn: string, name: string): string => `File.${fn} failed: there is no space left: ${name}`;
      // 300,000 bytes of each, 1 MiB in all: two appends of 200,000 fit, and then nothing longer does.
      expect(stdout.trim().split('\n')).toEqual([
        full('write', 'mine'),
        full('append', 'mine'),
        full('write', 'open'),
        full('append', 'open'),
        'done',
        'done',
        full('append', 'open'),
        full('append', 'open'),
        full('write', 'open'),
        'done',
      ]);
      expect(readFileSync(join(small, 'mine'), 'utf8')).toBe('m'.repeat(300_000));
      expect(readFileSync(join(small, 'open'), 'utf8')).toBe('x'.repeat(100_000));
      expect(statSync(join(small, 'open')).uid).toBe(process.getuid!());
      expect(readdirSync(small).sort()).toEqual(['mine', 'open']);
    } finally {
      expect(spawnSync('umount', [small]).status).toBe(0);
    }
  });
});
