// What a script may reach on the command line: the flags, and on a terminal the person who is sitting there.

import { resolve } from 'node:path';
import { createNodePlatform } from '../../../runtime-host/node.ts';
import type { ScriptOptions } from '../../../runtime-host/node.ts';
import type { CommandInput } from '../command.ts';
import { stderr, stdout, terminalStyle } from '../output.ts';
import { decideBy } from './decide.ts';
import { ask } from './prompt.ts';
import { readFlags } from './read-flags.ts';
import { show } from './show.ts';
import { standardTerminal } from './terminal.ts';

export interface CommandPermissions {
  readonly options: ScriptOptions;
  /** The script has ended. */
  readonly close: () => void;
}

/** Throws UsageError for flags that cannot be. */
export function readPermissions(input: CommandInput, command: string): CommandPermissions {
  const baseDir = workingDirectory();
  const flags = readFlags(input, command, baseDir);
  const terminal = flags.mayPrompt ? standardTerminal() : null;
  const log = (line: string): void => {
    stdout.flush();
    stderr.line(line);
  };
  const { handler, close } = decideBy(flags, {
    baseDir,
    log,
    ask: terminal === null ? null : (wish) => {
      stdout.flush();
      return ask(terminal, terminalStyle(), wish);
    },
  });
  return {
    options: {
      permissions: handler,
      environment: { ...process.env },
      privateNetwork: 'deny',
      log: (line) => log(show(line)),
      platform: createNodePlatform({ baseDir }),
    },
    close,
  };
}

/** Where it was, if it has been removed: a script that uses no files runs all the same. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return resolve('/', process.env['PWD'] ?? '');
  }
}
