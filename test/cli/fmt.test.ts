// `sluice fmt`: what is written, what is listed, what is left alone, and what is said of files that cannot be
// formatted.

import { chmodSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Folder, sluice } from './sluice.ts';

const ugly = 'int  x=1;\nyield x+2 ;\n';
const fair = 'int x = 1;\nyield x + 2;\n';

let folder: Folder;
beforeEach(() => {
  folder = new Folder();
});
afterEach(() => folder.remove());
const read = (name: string): string => readFileSync(join(folder.path, name), 'utf8');

describe('sluice fmt', () => {
  it('formats the scripts below the folder, but for those of others, and lists what it changed', () => {
    for (const name of ['sub', 'node_modules', '.hidden']) {
      mkdirSync(join(folder.path, name));
      folder.write(`${name}/a.slu`, ugly);
    }
    folder.write('b.slu', ugly);
    folder.write('fair.slu', fair);
    folder.write('notes.md', 'a  b\n');
    expect(folder.run('fmt')).toEqual({ code: 0, stdout: 'b.slu\nsub/a.slu\n', stderr: '2 files formatted\n' });
    expect([read('b.slu'), read('sub/a.slu')]).toEqual([fair, fair]);
    expect([read('node_modules/a.slu'), read('.hidden/a.slu')]).toEqual([ugly, ugly]);
    expect(folder.run('fmt')).toEqual({ code: 0, stdout: '', stderr: 'nothing to change in 3 files\n' });
  });

  it('formats what is named, each once', () => {
    mkdirSync(join(folder.path, 'sub'));
    folder.write('sub/a.slu', ugly);
    folder.write('b.slu', ugly);
    folder.write('c.slu', ugly);
    expect(folder.run('fmt', 'b.slu', 'sub', 'b.slu').stdout).toBe('b.slu\nsub/a.slu\n');
    expect(read('c.slu')).toBe(ugly);
  });

  it('does not touch what is formatted', () => {
    folder.write('fair.slu', fair);
    chmodSync(join(folder.path, 'fair.slu'), 0o444);
    utimesSync(join(folder.path, 'fair.slu'), 1, 1);
    const before = statSync(join(folder.path, 'fair.slu'));
    expect(folder.run('fmt').code).toBe(0);
    const after = statSync(join(folder.path, 'fair.slu'));
    expect([after.mtimeMs, after.ino]).toEqual([before.mtimeMs, before.ino]);
  });

  it('keeps the byte order mark, rights and links', () => {
    folder.write('marked.slu', `\ufeff${ugly}`);
    chmodSync(join(folder.path, 'marked.slu'), 0o750);
    symlinkSync('marked.slu', join(folder.path, 'link.slu'));
    expect(folder.run('fmt', 'link.slu')).toMatchObject({ code: 0, stdout: 'link.slu\n' });
    expect(read('marked.slu')).toBe(`\ufeff${fair}`);
    expect(statSync(join(folder.path, 'marked.slu')).mode & 0o777).toBe(0o750);
    expect(lstatSync(join(folder.path, 'link.slu')).isSymbolicLink()).toBe(true);
  });

  it('formats a script that is a command of its own', () => {
    folder.write('tool', `#!/usr/bin/env sluice\n${ugly}`);
    expect(folder.run('fmt', 'tool').code).toBe(0);
    expect(read('tool')).toBe(`#!/usr/bin/env sluice\n${fair}`);
  });
});

describe('a script with mistakes', () => {
  it('stays as it is where it does not parse; the mistakes are told', () => {
    folder.write('wrong.slu', 'yield 1 +  ;\n');
    folder.write('ugly.slu', ugly);
    const { code, stdout, stderr } = folder.run('fmt');
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'ugly.slu\n' });
    expect(stderr).toMatch(/^SyntaxError E10\d\d: .*\n --> wrong\.slu:1:/);
    expect(stderr).toMatch(/\n1 error\nwhat did not parse stays as it was written\n1 file formatted\n$/);
    expect(read('wrong.slu')).toBe('yield 1 +  ;\n');
    expect(read('ugly.slu')).toBe(fair);
  });
});

describe('--check', () => {
  it('lists what is not formatted, writes nothing, and ends with 1', () => {
    folder.write('ugly.slu', ugly);
    folder.write('fair.slu', fair);
    expect(folder.run('fmt', '--check')).toEqual({
      code: 1,
      stdout: 'ugly.slu\n',
      stderr: '1 of 2 files is not formatted: sluice fmt\n',
    });
    expect(read('ugly.slu')).toBe(ugly);
    expect(folder.run('fmt', '--check', 'fair.slu')).toEqual({ code: 0, stdout: '', stderr: '1 file checked\n' });
  });

  it('ends with 1 for a script with mistakes', () => {
    folder.write('wrong.slu', 'yield 1 +;\n');
    expect(folder.run('fmt', '--check')).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('standard input', () => {
  const format = (input: string | Uint8Array, ...words: readonly string[]) =>
    sluice(['fmt', ...words], { folder: folder.path, input });

  it('comes out formatted', () => {
    expect(format(ugly, '--stdin')).toEqual({ code: 0, stdout: fair, stderr: '' });
    expect(format(ugly, '-')).toEqual({ code: 0, stdout: fair, stderr: '' });
    expect(format(`\ufeff${ugly}`, '--stdin').stdout).toBe(`\ufeff${fair}`);
    expect(format('', '--stdin')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('comes out as a whole, whatever is wrong with it', () => {
    const text = 'yield `a\n\u001b[31m';
    const { code, stdout, stderr } = format(text, '--stdin=lib/x.slu');
    expect({ code, stdout }).toEqual({ code: 1, stdout: text });
    expect(stderr).toContain('--> lib/x.slu:1:7');
  });

  it('is only looked at with --check', () => {
    expect(format(ugly, '--stdin=x.slu', '--check')).toEqual({ code: 1, stdout: 'x.slu\n', stderr: '' });
    expect(format(fair, '--stdin', '--check')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('is no file beside others', () => {
    const { code, stderr } = format(ugly, '--stdin', 'a.slu');
    expect(code).toBe(2);
    expect(stderr).toContain('sluice: sluice fmt takes standard input or files, and a.slu is a file\n');
  });
});

describe('what cannot be formatted', () => {
  it('does not keep the others from it', () => {
    folder.write('ugly.slu', ugly);
    folder.write('latin.slu', Uint8Array.of(0x22, 0xe9, 0x22));
    folder.write('built.slu', Uint8Array.of(0, 0x61, 0x73, 0x6d));
    folder.write('notes.md', 'a  b\n');
    const { code, stdout, stderr } = folder.run('fmt', '.', 'agly.slu', 'notes.md');
    expect({ code, stdout }).toEqual({ code: 2, stdout: 'ugly.slu\n' });
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(/^sluice: cannot read built\.slu: it is a binary file/),
      expect.stringMatching(/^sluice: cannot read latin\.slu: it is not valid UTF-8: byte 2/),
      'sluice: cannot read agly.slu: there is no such file; did you mean ugly.slu?',
      'sluice: cannot format notes.md: it does not look like a script, whose name ends in .slu or whose first line ' +
        'begins with #!',
      '1 file formatted',
      '',
    ]);
    expect(read('notes.md')).toBe('a  b\n');
  });

  it('is said of files and folders that nobody may read, and of files that nobody may write', () => {
    folder.write('secret.slu', ugly);
    chmodSync(join(folder.path, 'secret.slu'), 0);
    mkdirSync(join(folder.path, 'locked'), { mode: 0o000 });
    const { code, stderr } = sluice(['fmt'], { folder: folder.path, unprivileged: true });
    expect(code).toBe(2);
    expect(stderr).toBe(
      'sluice: cannot read locked: permission denied\nsluice: cannot read secret.slu: permission denied\n',
    );
    chmodSync(join(folder.path, 'secret.slu'), 0o644);
    chmodSync(folder.path, 0o555);
    const second = sluice(['fmt', 'secret.slu'], { folder: folder.path, unprivileged: true });
    chmodSync(folder.path, 0o755);
    expect(second.code).toBe(2);
    expect(second.stderr).toMatch(/^sluice: cannot write \S*secret\.slu: permission denied\n$/);
    expect(read('secret.slu')).toBe(ugly);
  });

  it('is said of folders without scripts', () => {
    expect(folder.run('fmt')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^sluice: there are no scripts below this folder/) as string,
    });
    mkdirSync(join(folder.path, 'empty'));
    folder.write('ugly.slu', ugly);
    expect(folder.run('fmt', 'empty', 'ugly.slu')).toEqual({
      code: 2,
      stdout: 'ugly.slu\n',
      stderr: 'sluice: there are no scripts in empty\n1 file formatted\n',
    });
  });
});

describe('.editorconfig', () => {
  const block = 'main() {\nyield [1000000, 2000000];\n}\n';
  const formatted = (name: string, text: string): string =>
    sluice(['fmt', `--stdin=${name}`], { folder: folder.path, input: text }).stdout;

  it('says how wide the indentation is, and what it is made of', () => {
    folder.write(
      '.editorconfig',
      'root = true\n[*]\nindent_size = 4\n[tabs/*.slu]\nindent_style = tab\n[*.md]\nindent_size = 8\n',
    );
    expect(formatted('a.slu', block)).toBe('main() {\n    yield [1000000, 2000000];\n}\n');
    expect(formatted('tabs/a.slu', block)).toBe('main() {\n\tyield [1000000, 2000000];\n}\n');
  });

  it('says how long a line may be', () => {
    folder.write(
      '.editorconfig',
      'root = true\n[*.{slu,js}]\nmax_line_length = 20\n[long.slu]\nmax_line_length = off\n',
    );
    expect(formatted('a.slu', block)).toBe('main() {\n  yield [\n    1000000, 2000000\n  ];\n}\n');
    const long = `yield "${'a'.repeat(200)}" + "b" + "c";\n`;
    expect(formatted('long.slu', long)).toBe(long);
  });

  it('says how lines end', () => {
    folder.write('.editorconfig', 'root = true\n[*]\nend_of_line = crlf\n');
    expect(formatted('a.slu', ugly)).toBe(fair.replaceAll('\n', '\r\n'));
    folder.write('.editorconfig', 'root = true\n[*]\nend_of_line = cr\n');
    expect(formatted('a.slu', ugly.replaceAll('\n', '\r\n'))).toBe(fair);
  });

  it('counts from the folder of the script up to a root; what is nearer wins', () => {
    mkdirSync(join(folder.path, 'sub/own'), { recursive: true });
    folder.write('.editorconfig', 'root = true\n[*]\nindent_size = 4\nend_of_line = crlf\n');
    folder.write('sub/.editorconfig', '[*]\nindent_size = 3\n');
    folder.write('sub/own/.editorconfig', 'root = true\n[*]\nindent_size = unset\n');
    for (const name of ['sub/a.slu', 'sub/own/a.slu']) folder.write(name, block);
    folder.run('fmt');
    expect(read('sub/a.slu')).toBe('main() {\r\n   yield [1000000, 2000000];\r\n}\r\n');
    expect(read('sub/own/a.slu')).toBe('main() {\n  yield [1000000, 2000000];\n}\n');
  });

  it('is left out where it makes no sense', () => {
    folder.write(
      '.editorconfig',
      'root = true\n[*]\nindent_size = many\nmax_line_length = -3\nindent_style = wide\ninsert_final_newline = false\n',
    );
    expect(formatted('a.slu', block)).toBe('main() {\n  yield [1000000, 2000000];\n}\n');
  });
});
