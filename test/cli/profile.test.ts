// `sluice profile` as a user runs it.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { script } from '../profile/sample-script.ts';
import { Folder } from './sluice.ts';

let folder: Folder;
beforeAll(() => {
  folder = new Folder();
  folder.write('a.slu', script);
});
afterAll(() => folder.remove());

const read = (name: string): string => readFileSync(join(folder.path, name), 'utf8');

describe('sluice profile', () => {
  it('runs the script, and says on standard error what used fuel', () => {
    const { code, stdout, stderr } = folder.run('profile', 'a.slu');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '150109734\n610\n' });
    expect(stderr).toBe(`
  fuel    share  function
12,501   36.1 %  work a.slu:5, 1 call
10,000   28.9 %    loop in line 7
 2,500    7.2 %    library in line 8
10,157   29.3 %  main a.slu:11, 1 call
10,000   28.9 %    loop in line 13
   156    0.5 %    library in line 12
10,000   28.9 %  leaf a.slu:1, 10,000 calls
 1,973    5.7 %  twice a.slu:2, 1,973 calls
34,631           in all
`);
  });

  it('takes arguments and options as run does', () => {
    const { code, stdout, stderr } = folder.run('profile', 'a.slu', '-a', 'n=2', '--format=ndjson');
    expect(code).toBe(0);
    expect(stdout.split('\n')[0]).toContain('"yield"');
    expect(stderr).toContain('loop in line 13');
    expect(folder.run('profile', 'a.slu', '-a', 'm=2')).toMatchObject({ code: 2, stdout: '' });
    expect(folder.run('profile', 'a.slu', '--max-time=x').code).toBe(2);
  });

  it('writes a file for speedscope', () => {
    const { stderr } = folder.run('profile', 'a.slu', '-o', 'a.speedscope.json');
    expect(stderr).toContain('a.speedscope.json: open it at https://www.speedscope.app\n');
    const { exporter, profiles, shared } = JSON.parse(read('a.speedscope.json')) as {
      readonly exporter: string;
      readonly shared: { readonly frames: readonly { readonly name: string; readonly line?: number }[] };
      readonly profiles: readonly { readonly endValue: number; readonly samples: readonly (readonly number[])[] }[];
    };
    expect(exporter).toMatch(/^sluice@\d/);
    expect(profiles.map(({ endValue }) => endValue)).toEqual([profiles[0]!.endValue, profiles[0]!.endValue]);
    const stacks = new Set(
      profiles[0]!.samples.map((stack) => stack.map((frame) => shared.frames[frame]!.name).join(' > ')),
    );
    expect([...stacks].filter((stack) => !stack.includes('twice')).toSorted()).toEqual([
      '',
      'main',
      'main > work',
      'main > work > leaf',
    ]);
    expect([...stacks].some((stack) => stack.startsWith('main > twice > twice'))).toBe(true);
    expect(shared.frames).toContainEqual({ name: 'leaf', file: 'a.slu', line: 1 });
    const first = read('a.speedscope.json');
    folder.run('profile', 'a.slu', '-o', 'a.speedscope.json');
    expect(read('a.speedscope.json')).toBe(first);
  });

  it('tells of a run that ends with an error, or that a limit ends', () => {
    folder.write('fails.slu', 'for (int i = 0; i < 10; i++) if (i == 5) throw "no";\n');
    const failed = folder.run('profile', 'fails.slu');
    expect(failed.code).toBe(3);
    expect(failed.stderr).toContain('Error: no');
    expect(failed.stderr).toMatch(/ 5 +83\.3 % +loop in line 1\n/);
    folder.write('endless.slu', 'while (true) {}\n');
    const ended = folder.run('profile', 'endless.slu', '--max-fuel=1000');
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('QuotaExceededError');
    expect(ended.stderr).toContain('loop in line 1\n');
  });

  it('says what is wrong with a script, and takes no module', () => {
    folder.write('wrong.slu', 'yield "a" * 2;\n');
    expect(folder.run('profile', 'wrong.slu')).toMatchObject({ code: 1, stdout: '' });
    expect(folder.run('build', 'a.slu').code).toBe(0);
    expect(folder.run('profile', 'a.wasm')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('sluice profile takes a script') as string,
    });
  });

  it('never writes over the script', () => {
    expect(folder.run('profile', 'a.slu', '-o', 'a.slu')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('it is the script itself') as string,
    });
    expect(read('a.slu')).toBe(script);
  });

  it('asks as run does: nothing is allowed without a flag', () => {
    folder.write('reads.slu', 'yield File.read("a.slu").length() > 0;\n');
    expect(folder.run('profile', 'reads.slu').stderr).toContain('SecurityError');
    expect(folder.run('profile', 'reads.slu', '--allow-file-read=.').stdout).toBe('true\n');
  });
});

describe('sluice profile --cpu', () => {
  it('measures time by the functions of the script', () => {
    const { code, stdout, stderr } = folder.run('profile', 'a.slu', '-a', 'n=400000', '--cpu', '-o', 'a.cpuprofile');
    expect(code).toBe(0);
    expect(stdout.split('\n')[1]).toBe('610');
    expect(stderr).toMatch(/^\n +ms +share +function\n/);
    const { nodes, samples } = JSON.parse(read('a.cpuprofile')) as {
      readonly nodes: readonly { readonly callFrame: { readonly functionName: string; readonly url: string } }[];
      readonly samples: readonly number[];
    };
    expect(samples.length).toBeGreaterThan(10);
    expect(nodes[0]!.callFrame.functionName).toBe('(root)');
    expect(nodes.map(({ callFrame }) => callFrame)).toContainEqual(
      expect.objectContaining({ functionName: 'main', url: 'a.slu', lineNumber: 10 }),
    );
    // Neither the engine's names of modules nor files of the command.
    expect(nodes.filter(({ callFrame }) => callFrame.url !== '' && callFrame.url !== 'a.slu')).toEqual([]);
  });

  it('writes nothing unless it is told where', () => {
    folder.write('small.slu', 'yield 1;\n');
    expect(folder.run('profile', 'small.slu', '--cpu').code).toBe(0);
    expect(existsSync(join(folder.path, 'small.cpuprofile'))).toBe(false);
  });
});
