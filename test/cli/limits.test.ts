// Limits on the command line.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { growsBy } from '../process/modules.ts';
import { ScriptError } from '../../runtime-host/api/node.ts';
import { usualLimitHelp } from '../../src/cli/limits.ts';
import { Folder, sluice } from './sluice.ts';

let folder: Folder;
beforeEach(() => {
  folder = new Folder();
});
afterEach(() => folder.remove());

const endless = 'main() {\n  yield 1;\n  while (true) { }\n}\n';

describe('limits', () => {
  it.each([
    ['--max-time=0.2', 'TimeoutError: this run may not take longer than 200 ms'],
    ['--max-fuel=100000', 'QuotaExceededError: this run may not use more than 100,000 calls and turns of loops'],
  ])('%s ends a loop without end', (flag, message) => {
    folder.write('a.slu', endless);
    expect(sluice(['run', 'a.slu', flag], { folder: folder.path })).toEqual({
      code: 3,
      stdout: '1\n',
      stderr: `${message}\n    at main (a.slu:3:3)\n`,
    });
  });

  it.each([
    [
      '--max-memory=16MiB',
      'main() { int[][] all = []; while (true) all.push(new int[1000]); }',
      'MemoryLimitError: this run may not use more memory than 16 MiB',
    ],
    [
      '--max-depth=10KiB',
      'int f(int n) { return n == 0 ? 0 : f(n - 1) + 1; }\nmain() { return f(1000); }',
      'StackOverflowError: calls are nested too deep',
    ],
    [
      '--max-output=100',
      'main() { while (true) yield "ten letters"; }',
      'QuotaExceededError: this run may not yield more than 100 bytes',
    ],
  ])('%s is held to', (flag, text, message) => {
    folder.write('a.slu', text);
    const { code, stderr } = sluice(['run', 'a.slu', flag], { folder: folder.path });
    expect([code, stderr.split('\n')[0]]).toEqual([3, message]);
  });

  it.each([
    ['a.slu', '--max-input=250', 'QuotaExceededError: this run may not read more than 250 bytes', '1\n2\n'],
    ['a.slu', '--max-written=25', 'QuotaExceededError: this run may not write and send more than 25 bytes', '1\n2\n'],
    ['a.wasm', '--max-input=250', 'QuotaExceededError: this run may not read more than 250 bytes', '1\n2\n'],
    ['request.slu', '--max-requests=2', 'QuotaExceededError: this run may not make more than 2 requests', '1\n2\n'],
  ])('%s %s is held to by calls of the host', (file, flag, message, output) => {
    folder.write(
      'a.slu',
      'main() { for (int i = 1; i < 9; i++) { File.read("in.txt"); File.write("out.txt", "ten bytes!"); yield i; } }',
    );
    folder.write(
      'request.slu',
      'main() { for (int i = 1; i < 9; i++) { try { Http.get("http://127.0.0.1:9/"); } catch (NetworkError e) { ' +
        '} yield i; } }',
    );
    folder.write('in.txt', 'x'.repeat(100));
    if (file === 'a.wasm') expect(folder.run('build', 'a.slu').code).toBe(0);
    const { code, stdout, stderr } = folder.run('run', file, flag, '--allow-file=.', '--allow-http=127.0.0.1');
    expect([code, stdout, stderr.split('\n')[0]]).toEqual([3, output, message]);
  });

  it('that nobody set are followed by the option that does', () => {
    const helpFor = (type: string, message: string, ...given: [string, string][]): readonly string[] =>
      usualLimitHelp(new ScriptError(type, message, []), {
        operand: 'a.slu',
        operands: ['a.slu'],
        switches: new Set(),
        values: new Map(given.map(([flag, value]) => [flag, [value]])),
      });
    const slow = ['TimeoutError', 'this run may not take longer than 60 s'] as const;
    expect(helpFor(...slow)).toEqual(['--max-time=SECONDS allows another amount, and --max-time=0 any']);
    expect(helpFor(...slow, ['max-time', '60'])).toEqual([]);
    expect(helpFor('MemoryLimitError', 'this run may not use more memory than 1 GiB')).toEqual([
      '--max-memory=SIZE allows another amount, and --max-memory=0 any',
    ]);
    const tooLong = 'an array of 200000000 elements is larger than the engine takes';
    expect(helpFor('MemoryLimitError', tooLong)).toEqual([]);
    expect(helpFor('QuotaExceededError', 'this run may not use more than 5 calls and turns of loops')).toEqual([]);
  });

  it('of 0 are none', () => {
    folder.write('a.slu', 'int f(int n) { return n == 0 ? 0 : f(n - 1) + 1; }\nmain() { return f(300000); }');
    expect(sluice(['run', 'a.slu'], { folder: folder.path }).code).toBe(3);
    expect(
      sluice(['run', 'a.slu', '--max-depth=0', '--max-time=0', '--max-memory=0'], { folder: folder.path }),
    ).toMatchObject({ code: 0, stdout: '300000\n' });
  });

  it.each([
    ['--max-time=soon', '--max-time takes a number of seconds, not soon'],
    ['--max-time=-1', '--max-time takes a number of seconds, not -1'],
    ['--max-memory=much', '--max-memory takes a number of bytes, or a size such as 64MiB, not much'],
    ['--max-fuel=1.5', '--max-fuel takes a whole number, not 1.5'],
  ])('such as %s are none', (flag, message) => {
    folder.write('a.slu', endless);
    const { code, stderr } = sluice(['run', 'a.slu', flag], { folder: folder.path });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it.runIf(process.platform === 'linux')('bind a module that says that it counts, and does not', () => {
    folder.write('grows.wasm', growsBy(8_388_608));
    const { code, stdout, stderr } = sluice(['run', 'grows.wasm', '--max-memory=64MiB'], { folder: folder.path });
    expect({ code, stdout }).toEqual({ code: 3, stdout: '1\n' });
    expect(stderr).toContain('MemoryLimitError: this run may not use more memory than 64 MiB: its process');
  });

  it('bind a module without guards by its process: what only it could count is refused', () => {
    folder.write('a.slu', 'main(boolean ends) { while (!ends) { } return 7; }');
    expect(sluice(['build', 'a.slu', '--no-guards'], { folder: folder.path }).code).toBe(0);
    expect(sluice(['run', 'a.wasm', '-a', 'ends=true'], { folder: folder.path })).toMatchObject({
      code: 0,
      stdout: '7\n',
    });
    const ended = sluice(['run', 'a.wasm', '-a', 'ends=false', '--max-time=0.5'], { folder: folder.path });
    expect(ended.code).not.toBe(0);
    expect(ended.stderr).toContain('TimeoutError: this run may not take longer than 500 ms');
    const refused = sluice(['run', 'a.wasm', '-a', 'ends=true', '--max-fuel=100'], { folder: folder.path });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('a.wasm: this module was compiled without the guards');
  });
});
