// What a script may reach on the command line, by the flags and, on a terminal, by the answers of the person there.

import { resolve } from 'node:path';
import { createNodePlatform } from '../../../runtime-host/api/node.ts';
import type { ScriptOptions } from '../../../runtime-host/api/node.ts';
import { show } from '../../../runtime-host/permissions/command-line/shown-text.ts';
import { valueOf } from '../command.ts';
import type { CommandInput } from '../command.ts';
import { keepScript } from '../files.ts';
import { UsageError } from '../exit.ts';
import { stderr, stdout, terminalStyle } from '../output.ts';
import { openAudit } from './audit.ts';
import type { Audit } from './audit.ts';
import { decideBy } from './decide.ts';
import { ask } from './prompt.ts';
import { readFlags } from './read-flags.ts';
import { standardTerminal } from './terminal.ts';

export interface CommandPermissions {
  readonly options: ScriptOptions;
  /** Called when the script has ended. */
  readonly close: () => void;
}

/** Runs a question, with what must happen before and after it. */
type WhileAsking = <Answer>(ask: () => Promise<Answer>) => Promise<Answer>;

/** Throws UsageError for invalid flags. */
export function readPermissions(
  input: CommandInput,
  command: string,
  whileAsking: WhileAsking = (ask) => ask(),
): CommandPermissions {
  const baseDir = workingDirectory();
  const flags = readFlags(input, command, baseDir);
  const terminal = flags.mayPrompt ? standardTerminal() : null;
  const log = (line: string): void => {
    stdout.flush();
    stderr.line(line);
  };
  const audit = readAudit(input, log);
  const { handler, hear, whyOf, close } = decideBy(flags, {
    log,
    ask:
      terminal === null
        ? null
        : (prompt) => {
            stdout.flush();
            return whileAsking(() => ask(terminal, terminalStyle(), prompt));
          },
  });
  return {
    options: {
      permissions: handler,
      onDecision: (decision) => {
        hear(decision);
        audit?.note(decision, whyOf(decision.request));
      },
      environment: { ...process.env },
      privateNetwork: 'deny',
      log: (line) => log(show(line)),
      platform: createNodePlatform({ baseDir }),
    },
    close: () => {
      close();
      audit?.close();
    },
  };
}

function readAudit(input: CommandInput, log: (line: string) => void): Audit | null {
  const path = valueOf(input, 'audit');
  if (path === undefined) return null;
  keepScript(input.operand, [path]);
  const record = valueOf(input, 'record');
  if (record !== undefined && resolve(record) === resolve(path))
    throw new UsageError('--record and --audit name the same file');
  return openAudit(path, input.operand, log);
}

/** The working directory, or its former path if it has been removed: a script that uses no files can still run. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return resolve('/', process.env['PWD'] ?? '');
  }
}
