// What people type to run a script with arguments, what the input box says of main, and what a lens may start.

import { describe, expect, it } from 'vitest';
import {
  optionsOf,
  parametersOfMain,
  readTerminalCommand,
  splitWords,
} from '../../editors/vscode/src/desktop/words.ts';

describe('words', () => {
  it.each([
    ['', []],
    ['  a  b ', ['a', 'b']],
    ['title="May 2026" n=3', ['title=May 2026', 'n=3']],
    [`a='x "y" z'`, ['a=x "y" z']],
    ['a="x \\" y" b=c\\ d', ['a=x " y', 'b=c d']],
    ['a=""', ['a=']],
    ['path=C:\\data\\x', ['path=C:\\data\\x']],
    [`xs='[1, 2.5]'`, ['xs=[1, 2.5]']],
  ])('of %j', (line, words) => expect(splitWords(line)).toEqual(words));

  it('want their quotes closed', () => expect(() => splitWords('a="b')).toThrow('the quote " is not closed'));
});

describe('options', () => {
  it.each([
    ['n=3 --allow-file-read=data', ['-a', 'n=3', '--allow-file-read=data']],
    ['-a n=3', ['-a', 'n=3']],
    ['--seed=1 title="a b"', ['--seed=1', '-a', 'title=a b']],
  ])('of %j', (line, options) => expect(optionsOf(line)).toEqual(options));

  it('are no other words', () =>
    expect(() => optionsOf('Ada')).toThrow('Ada: an argument is written name=value, an option --name or --name=value'));
});

describe('parameters of main', () => {
  it.each([
    ['main(int n = 3) { }', 'int n = 3'],
    ['type A { int a; }\nmain(string s = "a) b",\n  int ...xs[]) {', 'string s = "a) b", int ...xs[]'],
    ['// main(int no)\nmain(json j = { a: [1, (2)] }) {', 'json j = { a: [1, (2)] }'],
    ['main() { }', null],
    ['yield 1;', null],
    ['main(int n', null],
    ['main(string s = `a ) ${1}`) {', 'string s = `a ) ${1}`'],
  ])('of %j', (text, parameters) => expect(parametersOfMain(text)).toBe(parameters));
});

describe('what a lens starts', () => {
  const known = ['run', 'test'] as const;
  it('is a known command for a file', () => {
    expect(readTerminalCommand({ words: ['run', 'a b.slu', '--seed=1'], folder: '/x' }, known)).toEqual({
      command: 'run',
      file: 'a b.slu',
      folder: '/x',
      options: ['--seed=1'],
    });
  });

  it.each([
    undefined,
    null,
    'run',
    {},
    { words: ['run', 'a.slu'] },
    { words: ['run', 'a.slu'], folder: 'here' },
    { words: 'run a.slu', folder: '/x' },
    { words: ['run'], folder: '/x' },
    { words: ['eval', 'a.slu'], folder: '/x' },
    { words: ['toString', 'a.slu'], folder: '/x' },
    { words: ['run', '--plugin=evil.mjs'], folder: '/x' },
    { words: ['run', 'a.slu', 3], folder: '/x' },
  ])('is not %j', (given) => expect(readTerminalCommand(given, known)).toBeNull());
});
