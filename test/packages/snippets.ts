// What a page of the documentation shows, as steps that can be taken in a folder: files, commands, programs, and what
// they print.

import { blocksOf, isOutput, programLanguages } from '../pages/blocks.ts';

export interface Step {
  readonly kind: 'file' | 'command' | 'program';
  /** Of a file. */
  readonly name: string;
  readonly text: string;
  /** What is printed, where the page says so. */
  readonly prints: string | null;
}

/** Scripts with a name are files; of commands, those that begin with `npx sluice`. */
export function stepsOf(page: string): readonly Step[] {
  const blocks = blocksOf(page);
  return blocks.flatMap(({ language, words, name, text }, at): readonly Step[] => {
    if (words.length > 0) return [];
    const next = blocks[at + 1];
    const prints = isOutput(next) ? next!.text : null;
    if (programLanguages.includes(language)) return [{ kind: 'program', name: '', text, prints }];
    if (language === 'sluice') return name === null ? [] : [{ kind: 'file', name, text, prints: null }];
    if (language === 'sh')
      return text.split('\n').flatMap((line) => commandOf(line).map((command) => ({ ...command, prints })));
    return language === 'console'
      ? text.split(/^\$ /m).flatMap((part) => {
          const [line = '', ...printed] = part.split('\n');
          return commandOf(line).map((command) => ({ ...command, prints: printed.join('\n') }));
        })
      : [];
  });
}

function commandOf(line: string): readonly Step[] {
  const start = 'npx sluice ';
  return line.startsWith(start) ? [{ kind: 'command', name: '', text: line.slice(start.length), prints: null }] : [];
}
