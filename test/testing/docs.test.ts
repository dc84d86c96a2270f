// What docs/testing.md shows is what happens: its scripts are files, and its commands print what stands below them.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Folder } from '../cli/sluice.ts';

const page = readFileSync(new URL('../../docs/testing.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map((match) => ({ kind: match[1]!, text: match[2]! }));
const scripts = blocks.filter(({ kind }) => kind === 'sluice').map(({ text }) => text);
const commands = blocks.filter(({ text }) => text.startsWith('$ '));

const withoutTimes = (text: string): string => text.replace(/ {2,}\d+(\.\d+)? m?s\b/g, '');

let folder: Folder;
beforeAll(() => {
  folder = new Folder();
  for (const text of scripts) folder.write(/^\/\/ (\S+)\n/.exec(text)![1]!, text);
});
afterAll(() => folder.remove());

describe('docs/testing.md', () => {
  it('has scripts and commands', () => {
    expect(scripts.length).toBeGreaterThan(3);
    expect(blocks.length).toBe(scripts.length + commands.length);
  });

  for (const { text } of commands) {
    const [line, ...output] = text.split('\n');
    it(`shows what ${line} prints`, () => {
      const { stdout } = folder.run(...line!.split(' ').slice(2));
      expect(withoutTimes(stdout)).toBe(withoutTimes(output.join('\n')));
    });
  }

  it('shows scripts that do what they say, but where it says that they do not', () => {
    const { stdout } = folder.run('test', '--format=json', '--jobs=1');
    const { tests } = JSON.parse(stdout) as { tests: { file: string; name: string; passed: boolean }[] };
    expect(tests.filter(({ passed }) => !passed).map(({ file, name }) => `${file} > ${name}`)).toEqual([
      'catalogue.test.slu > books',
      'stack.test.slu > leavesTheRest',
    ]);
    expect(tests.map(({ file }) => file)).toContain('greeting.slu');
  });
});
