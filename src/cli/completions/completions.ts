// `sluice completions`: prints a script that makes a shell complete commands, options and files.

import type { Command, CommandWork } from '../command.ts';
import { exitCodes } from '../exit.ts';
import { stdout } from '../output.ts';
import { bashCompletions } from './bash.ts';
import { fishCompletions } from './fish.ts';
import { completedCommands, completedCommonOptions } from './words.ts';
import { zshCompletions } from './zsh.ts';

const shells: Readonly<Record<string, typeof bashCompletions>> = {
  bash: bashCompletions,
  zsh: zshCompletions,
  fish: fishCompletions,
};

export function completionsOf(commands: readonly Command[]): CommandWork {
  return async ({ operand }) => {
    stdout.line(shells[operand]!(completedCommands(commands), completedCommonOptions()));
    return exitCodes.fine;
  };
}
