// What the commands are called elsewhere, and the command line that does the same here.

import { commandLine } from './command-line.ts';

const oneLine = "echo 'yield 1 + 1;' | sluice -";

/** Takes the words behind the command. */
const synonyms: Readonly<Record<string, (words: readonly string[]) => string>> = {
  init: (words) => commandLine('new', ...words),
  create: (words) => commandLine('new', ...words),
  format: (words) => commandLine('fmt', ...words),
  watch: (words) => commandLine('run', '--watch', ...words),
  dev: (words) => commandLine('run', '--watch', ...words),
  exec: (words) => commandLine('run', ...words),
  start: (words) => commandLine('run', ...words),
  compile: (words) => commandLine('build', ...words),
  lint: (words) => commandLine('check', ...words),
  'language-server': (words) => commandLine('lsp', ...words),
  version: () => commandLine('--version'),
  docs: () => commandLine('--help'),
  doc: () => commandLine('--help'),
  repl: () => oneLine,
  eval: () => oneLine,
  '-e': () => oneLine,
  '--eval': () => oneLine,
};

/** The command line that a command of another tool stands for; null for any other word. */
export function lineOfSynonym(name: string, words: readonly string[]): string | null {
  return Object.hasOwn(synonyms, name) ? synonyms[name]!(words) : null;
}
