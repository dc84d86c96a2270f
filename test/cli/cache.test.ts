// A script that was compiled before is not compiled again, and is never mistaken for another.

import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Folder, sluice } from './sluice.ts';
import type { Ended } from './sluice.ts';

let folder: Folder;
beforeEach(() => {
  folder = new Folder();
});
afterEach(() => folder.remove());

const cache = (): string => join(folder.path, 'cache');
/** Beside them are a key, and a folder of code that Node keeps. */
const kept = (): string[] => readdirSync(join(cache(), 'sluice')).filter((name) => name.endsWith('.sluice'));

/** The command, with a note on whether the part with Binaryen was loaded. */
function run(words: readonly string[], home = cache()): Ended & { readonly compiled: boolean } {
  const note = `import { registerHooks } from 'node:module'; import { writeSync } from 'node:fs';
    registerHooks({ resolve(name, context, next) { const found = next(name, context); if (found.url.endsWith('/part-emit.js')) writeSync(2, 'BINARYEN\\n'); return found; } });`;
  const ended = sluice(words, {
    folder: folder.path,
    nodeOptions: ['--import', `data:text/javascript,${encodeURIComponent(note)}`],
    environment: { XDG_CACHE_HOME: home },
  });
  return { ...ended, stderr: ended.stderr.replace(/BINARYEN\n/g, ''), compiled: ended.stderr.includes('BINARYEN') };
}

/** As if it had been written a while ago. */
function writeOld(name: string, text: string): void {
  folder.write(name, text);
  utimesSync(join(folder.path, name), 1_700_000_000, 1_700_000_000);
}

describe('a second run', () => {
  it('loads no compiler, and does the same', () => {
    folder.write('a.slu', 'main(int n = 3) { yield n; if (n == 4) throw "four"; return File.exists("a.slu"); }');
    const first = run(['run', 'a.slu', '--allow-file=.']);
    const second = run(['run', 'a.slu', '--allow-file=.']);
    expect([first.compiled, second.compiled]).toEqual([true, false]);
    expect(second).toMatchObject({ code: 0, stdout: '3\ntrue\n', stderr: '' });
    const failing = run(['run', 'a.slu', '-a', 'n=4']);
    expect(failing).toMatchObject({
      code: 3,
      compiled: false,
      stderr: expect.stringMatching(/^Error: four\n    at main \(a.slu:1:\d+\)\n$/) as string,
    });
    expect(run(['bench', 'a.slu', '--reps', '1', '--allow-file=.']).compiled).toBe(false);
  });

  it('of a text that has changed compiles', () => {
    folder.write('a.slu', 'yield 1;');
    run(['run', 'a.slu']);
    folder.write('a.slu', 'yield 2;');
    expect(run(['run', 'a.slu'])).toMatchObject({ stdout: '2\n', compiled: true });
    folder.write('a.slu', 'yield 1;');
    expect(run(['run', 'a.slu'])).toMatchObject({ stdout: '1\n', compiled: false });
  });

  it('of the same text under another name compiles: stacks tell names', () => {
    folder.write('a.slu', 'throw "x";');
    folder.write('b.slu', 'throw "x";');
    run(['run', 'a.slu']);
    expect(run(['run', 'b.slu'])).toMatchObject({
      compiled: true,
      stderr: expect.stringContaining('b.slu:1') as string,
    });
  });

  it('with --no-cache compiles, and keeps nothing for it', () => {
    folder.write('a.slu', 'yield 1;');
    run(['run', 'a.slu']);
    expect(run(['run', 'a.slu', '--no-cache']).compiled).toBe(true);
  });

  it('compiles where an imported file has changed, or is gone', () => {
    writeOld('lib.slu', 'int f() { return 1; }');
    folder.write('a.slu', 'import "lib.slu" as lib; yield lib.f();');
    expect(run(['run', 'a.slu'])).toMatchObject({ stdout: '1\n', compiled: true });
    expect(run(['run', 'a.slu'])).toMatchObject({ stdout: '1\n', compiled: false });
    writeOld('lib.slu', 'int f() { return 2; }');
    expect(run(['run', 'a.slu'])).toMatchObject({ stdout: '2\n', compiled: true });
  });

  it('compiles again what has warnings, and says them', () => {
    folder.write('a.slu', 'int unused = 1; yield 1;');
    expect(run(['run', 'a.slu']).stderr).toContain('W5');
    expect(run(['run', 'a.slu'])).toMatchObject({ compiled: true, stderr: expect.stringContaining('W5') as string });
  });

  it('compiles what has errors', () => {
    folder.write('a.slu', 'yield x;');
    expect([run(['run', 'a.slu']).code, run(['run', 'a.slu']).code]).toEqual([1, 1]);
  });
});

describe('what is kept', () => {
  it('is readable for its owner alone', () => {
    folder.write('a.slu', 'yield 1;');
    run(['run', 'a.slu']);
    expect(statSync(join(cache(), 'sluice')).mode & 0o777).toBe(0o700);
    expect(kept().map((name) => statSync(join(cache(), 'sluice', name)).mode & 0o777)).toEqual([0o600]);
  });

  it.each<[string, (path: string) => void]>([
    ['cut off', (path) => writeFileSync(path, readFileSync(path).subarray(0, 100))],
    ['emptied', (path) => writeFileSync(path, '')],
    ['no module', (path) => writeFileSync(path, '[]\nnothing')],
  ])('is compiled again if it is %s, and that is said', (_name, damage) => {
    folder.write('a.slu', 'yield 1;');
    run(['run', 'a.slu']);
    const path = join(cache(), 'sluice', kept()[0]!);
    damage(path);
    const stderr =
      `sluice: a compiled script is not taken from the cache: ${path} is not as it was written; ` + 'it is removed\n';
    expect(run(['run', 'a.slu'])).toMatchObject({ code: 0, stdout: '1\n', stderr, compiled: true });
    expect(run(['run', 'a.slu'])).toMatchObject({ stdout: '1\n', stderr: '', compiled: false });
  });

  it('is at most so much', () => {
    mkdirSync(join(cache(), 'sluice'), { recursive: true });
    for (let at = 0; at < 510; at++) {
      const path = join(cache(), 'sluice', `${at}.sluice`);
      writeFileSync(path, '');
      utimesSync(path, 1_000_000 + at, 1_000_000 + at);
    }
    folder.write('a.slu', 'yield 1;');
    run(['run', 'a.slu']);
    expect(kept().length).toBe(500);
    expect(kept()).not.toContain('10.sluice');
    expect(kept()).toContain('11.sluice');
  });

  it('is nothing where nothing can be kept', () => {
    folder.write('a.slu', 'yield 1;');
    writeFileSync(join(folder.path, 'file'), '');
    expect(run(['run', 'a.slu'], join(folder.path, 'file'))).toMatchObject({ code: 0, stdout: '1\n', stderr: '' });
    mkdirSync(cache());
    chmodSync(cache(), 0o500);
    expect(run(['run', 'a.slu'])).toMatchObject({ code: 0, stdout: '1\n', stderr: '' });
  });
});
