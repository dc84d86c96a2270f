// Imports from the disk: every command follows them, and what cannot be read is a diagnostic at the import.

import { chmodSync, linkSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder, sluice } from './sluice.ts';

const folder = new Folder();
afterAll(() => folder.remove());
const at = (name: string): string => join(folder.path, name);

mkdirSync(at('lib'));
mkdirSync(at('other'));
folder.write(
  'lib/shapes.slu',
  'import "../lib/numbers.slu" as numbers;\ntype Square { int side; }\n' +
    'int area(Square s) { return numbers.product(s.side, s.side); }\n',
);
folder.write('lib/numbers.slu', 'int product(int a, int b) {\n  if (a == 0) throw "empty";\n  return a * b;\n}\n');
folder.write('main.slu', 'import "lib/shapes.slu" as shapes;\nmain(shapes.Square s) {\n  return shapes.area(s);\n}\n');

describe('a program of several files', () => {
  it('is run', () => {
    expect(folder.run('run', 'main.slu', '-a', 's={"side": 3}')).toEqual({ code: 0, stdout: '9\n', stderr: '' });
  });

  it('is run from another folder', () => {
    expect(sluice(['run', '../main.slu', '-a', 's={"side": 2}'], { folder: at('other') }).stdout).toBe('4\n');
    expect(sluice(['run', at('main.slu'), '-a', 's={"side": 2}']).stdout).toBe('4\n');
  });

  it('is checked, built, measured and described', () => {
    expect(folder.run('check', './main.slu').stdout).toBe('./main.slu: nothing to complain about\n');
    expect(folder.run('build', 'main.slu').code).toBe(0);
    expect(folder.run('run', 'main.wasm', '-a', 's={"side": 4}').stdout).toBe('16\n');
    expect(folder.run('bench', 'main.slu', '--reps', '1', '-a', 's={"side": 4}').code).toBe(0);
    expect(folder.run('types', 'main.slu').code).toBe(0);
    expect(readFileSync(at('main.d.ts'), 'utf8')).toContain('interface Square');
  });

  it('shows the files in its stacks, as the paths lead there', () => {
    const { code, stderr } = sluice(['run', '../main.slu', '-a', 's={"side": 0}'], { folder: at('other') });
    expect(code).toBe(3);
    expect(stderr).toBe(
      'Error: empty\n    at product (../lib/numbers.slu:2:15)\n    at area (../lib/shapes.slu:3:29)\n' +
        '    at main (../main.slu:3:10)\n',
    );
  });

  it('has all its files in the source map', () => {
    expect(folder.run('build', 'main.slu', '-o', 'mapped.wasm', '--source-map').code).toBe(0);
    const { sources } = JSON.parse(readFileSync(at('mapped.wasm.map'), 'utf8')) as { sources: string[] };
    expect(sources.toSorted()).toEqual(['lib/numbers.slu', 'lib/shapes.slu', 'main.slu']);
  });
});

describe('an import that cannot be read', () => {
  mkdirSync(at('folder'));
  folder.write('utf16.slu', Buffer.from('\ufeffint x;', 'utf16le'));
  folder.write('latin1.slu', Uint8Array.of(...Buffer.from('// caf'), 0xe9));
  folder.write('binary.slu', Uint8Array.of(1, 0));
  folder.write('built.wasm', Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
  symlinkSync('circle.slu', at('circle.slu'));
  folder.write('secret.slu', 'int x;');
  chmodSync(at('secret.slu'), 0);

  it.each([
    ['lib/shape.slu', 'there is no such file', 'Did you mean "lib/shapes.slu"?'],
    ['./lib/numbers', 'there is no such file', 'Did you mean "./lib/numbers.slu"?'],
    ['nowhere/a.slu', 'there is no such directory', 'relative to the file'],
    ['folder', 'it is a directory', 'relative to the file'],
    ['main.slu/a.slu', 'a part of the path is not a directory', 'relative'],
    ['utf16.slu', 'it looks like UTF-16: save it as UTF-8', 'relative'],
    ['latin1.slu', 'it is not valid UTF-8: byte 7', 'relative'],
    ['binary.slu', 'it is a binary file', 'relative'],
    ['built.wasm', 'it is a module that is built already', 'relative'],
    ['circle.slu', 'its links lead in a circle', 'relative'],
    ['secret.slu', 'permission denied', 'relative'],
    ['/etc/hostname', 'this path is absolute', 'relative'],
    ['a\\u0000b', 'this is not a file name', 'relative'],
  ])('%s', (path, reason, help) => {
    folder.write('importer.slu', `import "${path}" as it;\nyield it.f() + "a";\n`);
    const { code, stdout, stderr } = sluice(['check', 'importer.slu'], { folder: folder.path, unprivileged: true });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^SemanticError E2070: cannot import /);
    expect(stderr).toContain(`: ${reason}`);
    expect(stderr).toContain('--> importer.slu:1:8');
    expect(stderr).toMatch(new RegExp(`^help: .*${help.replace(/[.?]/g, '\\$&')}`, 'm'));
    expect(stderr).toMatch(/^1 error$/m);
  });
});

describe('mistakes in imported files', () => {
  folder.write('faulty.slu', 'int f() { return "a"; }\n');
  folder.write('uses-faulty.slu', 'import "faulty.slu" as faulty;\nyield faulty.f();\n');

  it('are shown with the file that they are in', () => {
    const { code, stderr } = folder.run('run', 'uses-faulty.slu');
    expect(code).toBe(1);
    expect(stderr).toContain('--> faulty.slu:1:18');
    expect(stderr).toContain('1 | int f() { return "a"; }');
  });

  it('are named so in JSON too', () => {
    const { diagnostics } = JSON.parse(folder.run('check', 'uses-faulty.slu', '--format', 'json').stdout) as {
      diagnostics: { file: string; line: number }[];
    };
    expect(diagnostics).toMatchObject([{ file: 'faulty.slu', line: 1 }]);
  });
});

describe('one file by several paths', () => {
  it('closes a circle, by a link too', () => {
    folder.write('circular.slu', 'import "lib/back.slu" as back;\nint f() { return back.f(); }\n');
    folder.write('lib/back.slu', 'import "../link.slu" as main;\nint f() { return main.f(); }\n');
    symlinkSync('circular.slu', at('link.slu'));
    const { code, stderr } = folder.run('check', './circular.slu');
    expect(code).toBe(1);
    expect(stderr).toContain('./circular.slu -> lib/back.slu -> ./circular.slu');
    expect(stderr).toContain('--> lib/back.slu:1:1');
  });

  it('is one file, whose globals are set once', () => {
    folder.write('counter.slu', 'int count = start();\nint start() {\n  yield "set";\n  return 1;\n}\n');
    symlinkSync('counter.slu', at('same.slu'));
    folder.write(
      'twice.slu',
      'import "counter.slu" as a;\nimport "./lib/../same.slu" as b;\na.count++;\nyield b.count;\n',
    );
    expect(folder.run('run', 'twice.slu')).toEqual({ code: 0, stdout: 'set\n2\n', stderr: '' });
  });
});

describe('an imported file', () => {
  const source = 'int f() { return 1; }\n';
  folder.write('kept.slu', source);
  folder.write('keeper.slu', 'import "kept.slu" as kept;\nyield kept.f();\n');
  linkSync(at('kept.slu'), at('hard.slu'));
  linkSync(at('kept.slu'), at('kept.d.ts'));

  it.each([
    ['build', 'kept.slu'],
    ['build', './lib/../kept.slu'],
    ['build', 'hard.slu'],
    ['types', 'kept.d.ts'],
  ])('is not replaced by %s -o %s', (command, output) => {
    const { code, stdout, stderr } = folder.run(command, 'keeper.slu', '-o', output);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: `sluice: cannot write ${output}: the script imports it\n`,
    });
    expect(readFileSync(at('kept.slu'), 'utf8')).toBe(source);
    expect(readFileSync(at('kept.d.ts'), 'utf8')).toBe(source);
  });
});
