// Files that cannot be read, are no scripts, or cannot be written: one sentence each, exit 2.

import { chmodSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder, sluice } from './sluice.ts';

const folder = new Folder();
afterAll(() => folder.remove());

folder.write('weather.slu', 'yield 1;\n');
folder.write('binary.slu', Uint8Array.of(1, 2, 0x0a, 0, 5));
folder.write('latin1.slu', Uint8Array.of(...Buffer.from('int x = 1;\n// caf'), 0xe9, 0x0a));
folder.write('cut.slu', Uint8Array.of(...Buffer.from('// '), 0xe2, 0x82));
folder.write('utf16.slu', Buffer.from('\ufeffyield 1;', 'utf16le'));
folder.write('overlong.slu', Uint8Array.of(0xc0, 0xaf));
folder.write('surrogate.slu', Uint8Array.of(0xed, 0xa0, 0x80));
folder.write('text.wasm', 'not a module');
folder.write('damaged.wasm', Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 0xff));
for (const name of ['folder', 'one', 'many']) mkdirSync(join(folder.path, name));
for (const name of ['folder/a.slu', 'folder/b.slu', 'one/only.slu', 'one/only.test.slu', 'many/a.slu', 'many/main.slu'])
  folder.write(name, 'yield 1;');
folder.write('data.json', '{"a":1}');
symlinkSync('circle.slu', join(folder.path, 'circle.slu'));

describe('a file that cannot be run', () => {
  it.each([
    ['missing.slu', 'cannot read missing.slu: there is no such file\n'],
    ['waether.slu', 'cannot read waether.slu: there is no such file; did you mean weather.slu?\n'],
    ['weather', 'cannot read weather: there is no such file; did you mean weather.slu?\n'],
    ['nowhere/a.slu', 'cannot read nowhere/a.slu: there is no such directory\n'],
    ['weather.slu/a.slu', 'a part of the path is not a directory\n'],
    ['folder', 'cannot read folder: it is a directory\n'],
    ['one', 'cannot read one: it is a directory; did you mean one/only.slu?\n'],
    ['many', 'cannot read many: it is a directory; did you mean many/main.slu?\n'],
    ['circle.slu', 'its links lead in a circle\n'],
    ['/dev/null', 'it is not a regular file\n'],
    ['binary.slu', 'cannot read binary.slu: it is a binary file, not a script: byte 4, in line 2, is zero\n'],
    ['latin1.slu', 'cannot read latin1.slu: it is not valid UTF-8: byte 18, in line 2, is 0xe9; save it as UTF-8\n'],
    ['cut.slu', 'byte 4, in line 1, is 0xe2'],
    ['overlong.slu', 'byte 1, in line 1, is 0xc0'],
    ['surrogate.slu', 'byte 1, in line 1, is 0xed'],
    ['utf16.slu', 'it looks like UTF-16: save it as UTF-8\n'],
    ['text.wasm', 'text.wasm: this is not a WebAssembly module\n'],
    ['damaged.wasm', 'damaged.wasm: this WebAssembly module is damaged: the engine refuses it\n'],
    [`${'x'.repeat(5000)}.slu`, 'the name is too long\n'],
    ['a\u001b[31m.slu', 'cannot read a\\u001b[31m.slu: there is no such file'],
  ])('%s', (name, message) => {
    const { code, stdout, stderr } = folder.run('run', name);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.startsWith('sluice: ')).toBe(true);
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('says of a file with another ending that it was read as a script', () => {
    const said = 'data.json was read as a script: the names of scripts end in .slu\n';
    for (const command of ['run', 'check']) expect(folder.run(command, 'data.json').stderr.endsWith(said)).toBe(true);
    folder.write('wrong.slu', 'yield 1');
    expect(folder.run('run', 'wrong.slu').stderr).not.toContain('was read as');
  });

  it('without the right to read it', () => {
    folder.write('secret.slu', 'yield 1;');
    chmodSync(join(folder.path, 'secret.slu'), 0);
    expect(sluice(['run', 'secret.slu'], { folder: folder.path, unprivileged: true }).stderr).toContain(
      'cannot read secret.slu: permission denied',
    );
  });

  it('is told by check and build too', () => {
    expect(folder.run('check', 'missing.slu').code).toBe(2);
    expect(folder.run('build', 'binary.slu').code).toBe(2);
    expect(folder.run('check', 'damaged.wasm').stderr).toContain(
      'sluice check takes a script, and damaged.wasm is a module',
    );
  });
});

describe('a file that cannot be written', () => {
  it.each([
    ['folder', 'cannot write folder: it is a directory\n'],
    ['nowhere/out.wasm', 'cannot write nowhere/out.wasm: there is no such directory\n'],
    ['weather.slu/out.wasm', 'a part of the path is not a directory\n'],
  ])('%s', (name, message) => {
    const { code, stderr } = folder.run('build', 'weather.slu', '-o', name);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  it('leaves nothing behind, and what was there as it was', () => {
    folder.write('there.wasm', 'as it was');
    mkdirSync(join(folder.path, 'there.wasm.map'));
    expect(folder.run('build', 'weather.slu', '-o', 'there.wasm', '--source-map', '--wat').code).toBe(2);
    expect(readdirSync(folder.path).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect(readFileSync(join(folder.path, 'there.wasm'), 'utf8')).toBe('as it was');
  });
});

describe('the script itself', () => {
  const text = 'yield 1;\n';
  for (const name of ['over.slu', 'over.wat', 'over.wasm.map', 'script.wasm']) folder.write(name, text);
  symlinkSync('over.slu', join(folder.path, 'symbolic.wasm'));
  linkSync(join(folder.path, 'over.slu'), join(folder.path, 'hard.wasm'));
  it.each([
    ['over.slu', ['over.slu', '-o', 'over.slu'], 'over.slu'],
    ['over.slu', ['over.slu', '-o', './folder/../over.slu'], './folder/../over.slu'],
    ['over.slu', ['over.slu', '-o', 'symbolic.wasm'], 'symbolic.wasm'],
    ['over.slu', ['over.slu', '-o', 'hard.wasm'], 'hard.wasm'],
    ['over.slu', ['symbolic.wasm', '-o', 'over.slu'], 'over.slu'],
    ['over.wat', ['over.wat', '-o', 'over.wasm', '--wat'], 'over.wat'],
    ['over.wasm.map', ['over.wasm.map', '-o', 'over.wasm', '--source-map'], 'over.wasm.map'],
    ['script.wasm', ['script.wasm'], 'script.wasm'],
  ])('%s is not overwritten by build %j', (script, words, path) => {
    expect(folder.run('build', ...words)).toEqual({
      code: 2,
      stdout: '',
      stderr: `sluice: cannot write ${path}: it is the script itself\n`,
    });
    expect(readFileSync(join(folder.path, script), 'utf8')).toBe(text);
  });
});
