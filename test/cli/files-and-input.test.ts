// Scripts that are run by their name alone, that come by standard input, and that begin with `#!`.

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder, sluice } from './sluice.ts';
import type { Ended } from './sluice.ts';

const folder = new Folder();
afterAll(() => folder.remove());
folder.write('twice.slu', 'main(int n = 21) { return 2 * n; }\n');
folder.write(
  'lib.slu',
  '#!/usr/bin/env sluice\nint half(int n) {\n  if (n % 2 != 0) throw "odd";\n  return n / 2;\n}\n',
);
const importing = 'import "lib.slu" as lib;\nreturn lib.half(42);\n';

const piped = (input: string | Uint8Array, ...words: string[]): Ended => sluice(words, { folder: folder.path, input });

describe('sluice FILE', () => {
  it('runs a script as sluice run does, with options on either side', () => {
    expect(folder.run('twice.slu')).toEqual({ code: 0, stdout: '42\n', stderr: '' });
    expect(folder.run('twice.slu', '-a', 'n=4', '--format=ndjson').stdout).toBe('{"result":{"text":"8","value":8}}\n');
    expect(folder.run('--format=ndjson', '-a', 'n=4', './twice.slu').stdout).toBe(
      '{"result":{"text":"8","value":8}}\n',
    );
    expect(folder.run('twice.slu', '--help').stdout).toContain('Usage: sluice run ');
  });

  it('runs a built module', () => {
    expect(folder.run('build', 'twice.slu').code).toBe(0);
    expect(folder.run('twice.wasm').stdout).toBe('42\n');
  });
});

describe('standard input', () => {
  it('is run, checked and built', () => {
    expect(piped('yield 7;', '-')).toEqual({ code: 0, stdout: '7\n', stderr: '' });
    expect(piped('main(int n) { return n; }', 'run', '-', '-a', 'n=5').stdout).toBe('5\n');
    expect(piped('yield 7;', 'check', '-').stdout).toBe('<stdin>: nothing to complain about\n');
    expect(piped('yield 7;', 'build', '-', '-o', 'seven.wasm').stdout).toMatch(/^seven\.wasm: \d+ bytes\n$/);
    expect(folder.run('seven.wasm').stdout).toBe('7\n');
    expect(piped('main(int n) { return n; }', 'types', '-', '-o', 'in.d.ts').stdout).toBe(
      'in.d.ts: the types of <stdin>, as StdinScript\n',
    );
    expect(piped('yield 7;', 'bench', '-', '--reps', '2').stdout).toMatch(/^first run .* of 2 runs\n$/);
  });

  it('may hold a built module', () => {
    expect(folder.run('build', 'twice.slu').code).toBe(0);
    expect(piped(readFileSync(join(folder.path, 'twice.wasm')), '-', '-a', 'n=1').stdout).toBe('2\n');
  });

  it('imports files beside the working directory', () => {
    expect(piped(importing, '-').stdout).toBe('21\n');
  });

  it('has a name in messages and stacks', () => {
    expect(piped('yield x;', '-').stderr).toContain(' --> <stdin>:1:7\n');
    expect(piped('int f() {\n  throw "no";\n}\nf();\n', '-').stderr).toContain('    at f (<stdin>:2:3)\n');
  });

  it.each<[string[], string]>([
    [
      ['build', '-'],
      'a module of standard input has no name of its own: give it one with -o OUT.wasm\n' +
        'Type: sluice build - -o out.wasm\n',
    ],
    [['types', '-'], 'give them one with -o OUT.d.ts\n'],
    [['check', '-', '--fix'], '--fix changes a file, and standard input is none\nType: sluice check -\n'],
  ])('is refused by %j', (words, message) => {
    const { code, stderr } = piped('yield 1;', ...words);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe('a first line that begins with #!', () => {
  it('is skipped, and places stay right', () => {
    folder.write('shebang.slu', `#!/usr/bin/env -S sluice run "\`𝄞\n${importing}`);
    expect(folder.run('shebang.slu').stdout).toBe('21\n');
    folder.write('wrong.slu', '#!/usr/bin/env sluice\r\n  yield x;\r\n');
    expect(folder.run('wrong.slu').stderr).toContain(' --> wrong.slu:2:9\n');
    folder.write('throws.slu', '#!sluice\nthrow "no";\n');
    expect(folder.run('throws.slu').stderr).toBe('Error: no\n    at <top level> (throws.slu:2:1)\n');
    folder.write('marked.slu', '\ufeff#!/usr/bin/env sluice\nyield 1;\n');
    expect(folder.run('marked.slu').stdout).toBe('1\n');
    folder.write('alone.slu', '#!');
    expect(folder.run('check', 'alone.slu').code).toBe(0);
  });

  it('is one only there', () => {
    folder.write('second.slu', '\n#!/usr/bin/env sluice\nyield 1;\n');
    expect(folder.run('second.slu').code).toBe(1);
    folder.write('blank.slu', ' #!/usr/bin/env sluice\nyield 1;\n');
    expect(folder.run('blank.slu').code).toBe(1);
  });

  it('stays as it is where --fix mends the rest', () => {
    folder.write('mended.slu', '#!/usr/bin/env sluice\nint n = 1\nyield n;\n');
    expect(folder.run('check', 'mended.slu', '--fix').code).toBe(0);
    expect(readFileSync(join(folder.path, 'mended.slu'), 'utf8')).toBe('#!/usr/bin/env sluice\nint n = 1;\nyield n;\n');
  });

  it.skipIf(process.platform === 'win32')('starts the script as a command, whatever its name', () => {
    const bin = join(folder.path, 'bin');
    mkdirSync(bin);
    symlinkSync(fileURLToPath(new URL('../../packages/sluice/bin/sluice.mjs', import.meta.url)), join(bin, 'sluice'));
    symlinkSync(process.execPath, join(bin, 'node'));
    folder.write('double-it', '#!/usr/bin/env sluice\nmain(int n) { return 2 * n; }\n');
    chmodSync(join(folder.path, 'double-it'), 0o755);
    const { stdout } = spawnSync('./double-it', ['-a', 'n=4'], {
      cwd: folder.path,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH']}`, XDG_CACHE_HOME: '/dev/null' },
    });
    expect(stdout).toBe('8\n');
  });
});
