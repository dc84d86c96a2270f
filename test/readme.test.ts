// What the README shows is what happens.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const blocks = [...readme.matchAll(/```(\w*)\n([^]*?)```/g)].map((match) => ({ language: match[1]!, text: match[2]! }));
const folder = mkdtempSync(join(tmpdir(), 'sluice-readme-'));
const sluice = join(root, 'packages/sluice/bin/sluice.mjs');

afterAll(() => rmSync(folder, { recursive: true }));

function run(name: string, text: string, ...rest: string[]): { readonly stdout: string; readonly stderr: string } {
  writeFileSync(join(folder, name), text);
  return spawnSync(process.execPath, [sluice, 'run', name, ...rest], { cwd: folder, encoding: 'utf8' });
}

describe('the README', () => {
  it('shows a script with its output', () => {
    const script = blocks.find(({ text }) => text.startsWith('// mean.slu'))!.text;
    const shown = blocks.find(({ text }) => text.includes('run mean.slu'))!.text;
    expect(run('mean.slu', script, '-a', 'xs=[1, 2.5, 4]').stdout).toBe(shown.slice(shown.indexOf('\n') + 1));
  });

  it('shows a message as it is', () => {
    const shown = blocks.find(({ text }) => text.startsWith('SemanticError'))!.text;
    const { stderr } = run('total.slu', 'int n = 1;\n\nyield "total " + n;\n');
    expect(stderr).toContain(shown.trimEnd());
  });

  it('shows a stack as it is', () => {
    const shown = blocks.find(({ text }) => text.startsWith('IndexOutOfBoundsError'))!.text;
    const script =
      'string grade(int[] marks, int at) {\n  return marks[at] >= 50 ? "pass" : "fail";\n}\n\nmain() {\n' +
      '  yield grade([40, 60], 1);\n  return grade([40, 60], 3);\n}\n';
    expect(run('marks.slu', script).stderr).toBe(shown);
  });

  it('shows how to embed', () => {
    const script = blocks.find(({ language }) => language === 'js')!.text;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(output.split('\n')).toEqual(['2', '5', '8', '7.5', 'TypeError unknown argument ys: main takes xs', '']);
  });

  it('shows how to compile several files', () => {
    const script = blocks.find(({ language, text }) => language === 'js' && text.includes('memoryReader'))!.text;
    expect(execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' })).toBe(
      '50\n',
    );
  });

  it('shows how to call functions', () => {
    const script = blocks.find(({ language, text }) => language === 'js' && text.includes('script.call('))!.text;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(output.trimEnd()).toBe('1.7183\n{ value: Float64Array(2) [ 3, 6 ], yields: [ 1n ] }');
  });

  it('shows how to grant', () => {
    const at = blocks.findIndex(({ language, text }) => language === 'js' && text.includes('permissions:'));
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', blocks[at]!.text], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(output).toBe(blocks[at + 1]!.text);
  });

  it('shows on the page about the host how to grant', () => {
    const page = readFileSync(join(root, 'docs/host.md'), 'utf8');
    const script = /```js\n([^]*?)```/.exec(page)![1]!;
    rmSync('/tmp/sluice-report.txt', { force: true });
    try {
      const run = (): string =>
        execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' });
      expect([run(), readFileSync('/tmp/sluice-report.txt', 'utf8')]).toEqual(['4n\n', 'done']);
    } finally {
      rmSync('/tmp/sluice-report.txt', { force: true });
    }
  });

  it('shows how to embed a script that may have errors', () => {
    const script = blocks
      .find(({ language }) => language === 'js')!
      .text.replace('return xs.sum();', 'return ys.sum();');
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: root,
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^E2\d+ .*ys.*\n$/);
  });
});
