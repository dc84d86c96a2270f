// `sluice run --watch`: again after each change, after mistakes too, until Ctrl-C.

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Folder } from './sluice.ts';

const entry = fileURLToPath(new URL('../../packages/sluice/bin/sluice.mjs', import.meta.url));

class Watching {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  #output = '';
  #onOutput = (): void => {};

  constructor(folder: Folder, words: readonly string[], isOnTerminal = false) {
    const command = [process.execPath, entry, ...words];
    const [program, ...rest] = isOnTerminal
      ? ['script', '-qefc', command.map((word) => `'${word}'`).join(' '), '/dev/null']
      : command;
    this.child = spawn(program!, rest, {
      cwd: folder.path,
      env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', XDG_CACHE_HOME: '/dev/null' },
    });
    for (const stream of [this.child.stdout!, this.child.stderr!]) {
      stream.on('data', (chunk: Buffer) => {
        this.#output += String(chunk).replaceAll('\r', '');
        this.#onOutput();
      });
    }
    this.ended = new Promise((resolve) => this.child.on('close', resolve));
  }

  /** What has been written up to this text, which is then gone. */
  until(text: string): Promise<string> {
    return new Promise((resolve) => {
      const look = (): void => {
        const end = this.#output.indexOf(text);
        if (end < 0) return;
        const before = this.#output.slice(0, end);
        this.#output = this.#output.slice(end + text.length);
        this.#onOutput = () => {};
        resolve(before);
      };
      this.#onOutput = look;
      look();
    });
  }

  async interrupt(): Promise<number | null> {
    this.child.kill('SIGINT');
    return this.ended;
  }
}

let folder: Folder;
let watching: Watching | null = null;
beforeEach(() => {
  folder = new Folder();
  mkdirSync(join(folder.path, 'lib'));
});
afterEach(() => {
  watching?.child.kill('SIGKILL');
  folder.remove();
});

const write = (name: string, text: string): void => writeFileSync(join(folder.path, name), text);

function watch(...words: string[]): Watching {
  watching = new Watching(folder, words);
  return watching;
}

describe.skipIf(process.platform === 'win32')('--watch', () => {
  it('runs again when the script changes, whatever is wrong with it meanwhile', async () => {
    write('a.slu', 'yield 1;\n');
    const run = watch('run', 'a.slu', '--watch');
    expect(await run.until('sluice: waiting for a change of a.slu; Ctrl-C ends it\n')).toBe('1\n');
    write('a.slu', 'yield x;\n');
    expect(await run.until('waiting')).toMatch(/^sluice: a\.slu has changed\nSemanticError /);
    write('a.slu', 'throw "no";\n');
    expect(await run.until('waiting')).toContain('Error: no\n');
    rmSync(join(folder.path, 'a.slu'));
    expect(await run.until('waiting')).toContain('cannot read a.slu: there is no such file\n');
    // As editors save: beside it, and then in its place.
    write('a.slu~', 'yield "again";\n');
    renameSync(join(folder.path, 'a.slu~'), join(folder.path, 'a.slu'));
    expect(await run.until('waiting')).toContain('again\n');
    expect(await run.interrupt()).toBe(130);
    expect(await run.until('sluice: Ctrl-C has ended the watch\n')).toContain('for a change of a.slu');
  });

  it('looks at what the script imports, and at what is not there yet', async () => {
    write('a.slu', 'import "lib/b.slu" as b;\nyield b.f();\n');
    const run = watch('a.slu', '--watch');
    await run.until('waiting for a change of a.slu and a file that it needs');
    write('lib/b.slu', 'import "c.slu" as c;\nint f() { return c.n + 1; }\n');
    await run.until('waiting for a change of a.slu and 2 files that it needs');
    write('lib/c.slu', 'const int n = 1;\n');
    expect(await run.until('waiting')).toContain('sluice: lib/c.slu has changed\n2\n');
    write('lib/c.slu', 'const int n = 41;\n');
    expect(await run.until('waiting')).toContain('sluice: lib/c.slu has changed\n42\n');
    await run.interrupt();
  });

  it('tests again when a test, or what it imports, changes or comes', async () => {
    write('lib/b.slu', 'const int n = 1;\n');
    write('a.test.slu', 'import "lib/b.slu" as b;\nexport int one() { return b.n; } // → 1\n');
    const run = watch('test', '--watch');
    expect(await run.until('waiting for a change of one of 4 files and folders')).toContain('1 passed in 1 file');
    write('lib/b.slu', 'const int n = 2;\n');
    expect(await run.until('waiting')).toMatch(/lib\/b\.slu has changed\n[^]*0 passed, 1 failed in 1 file/);
    write('c.slu', 'yield 1; // → 1\n');
    expect(await run.until('waiting')).toContain('1 passed, 1 failed in 2 files');
    await run.interrupt();
  });

  it('does not test again because of the reports that it writes', async () => {
    write('a.slu', 'yield 1; // → 1\n');
    const run = watch('test', '--watch', '--coverage');
    expect(await run.until('waiting')).toContain('a.slu     100 %');
    write('a.slu', 'yield 2; // → 1\n');
    expect(await run.until('waiting')).toMatch(/^[^\n]*\nsluice: a\.slu has changed\n[^]*0 passed, 1 failed/);
    write('a.slu', 'yield 1; // → 1\n');
    expect(await run.until('waiting')).toMatch(/^[^\n]*\nsluice: a\.slu has changed\n[^]*1 passed in 1 file/);
    await run.interrupt();
  });

  it('looks at the files of arguments, and gives the options to each run', async () => {
    write('a.slu', 'main(string text, int n) { yield `${text} ${n}`; }\n');
    write('in.txt', 'one');
    const run = watch('run', '-a', 'text=@in.txt', '--format=ndjson', 'a.slu', '-a', 'n=7', '--watch');
    expect(await run.until('waiting')).toContain('{"yield":{"text":"one 7","value":"one 7"}}\n');
    write('in.txt', 'two');
    expect(await run.until('waiting')).toContain(
      'sluice: in.txt has changed\n{"yield":{"text":"two 7","value":"two 7"}}\n',
    );
    await run.interrupt();
  });

  it('ends a run that is still going on', async () => {
    write('a.slu', 'main() { yield "begun"; int n = 0; while (true) n++; }\n');
    const run = watch('a.slu', '--watch', '--max-time=0');
    await run.until('begun\n');
    write('a.slu', 'yield "other";\n');
    expect(await run.until('waiting')).toContain('sluice: a.slu has changed\nother\n');
    write('a.slu', 'main() { yield "begun"; int n = 0; while (true) n++; }\n');
    await run.until('begun\n');
    expect(await run.interrupt()).toBe(130);
    await run.until('sluice: Ctrl-C has ended the run\n');
  });

  it.runIf(process.platform === 'linux')('ends on a terminal with its run, which says so once', async () => {
    write('a.slu', 'main() { yield "begun"; int n = 0; while (true) n++; }\n');
    watching = new Watching(folder, ['a.slu', '--watch'], true);
    await watching.until('begun\n');
    watching.child.stdin!.write('\u0003');
    expect(await watching.ended).toBe(130);
    expect(await watching.until('sluice: Ctrl-C has ended the run\n')).toBe('^C\n');
  });

  it('is a wrong use for standard input', () => {
    const { code, stderr } = folder.run('run', '-', '--watch');
    expect(code).toBe(2);
    expect(stderr).toContain('--watch looks at a file, and standard input is none\n');
  });
});
