// `--record` and `--replay`: write the log of a run, and repeat a run from its log.

import { formatLog } from '../../runtime-host/api/node.ts';
import type { RunLog, ScriptOptions, ScriptRun } from '../../runtime-host/api/node.ts';
import { quote } from '../language/quoted-text.ts';
import { valueOf } from './command.ts';
import type { CommandInput, Option, OptionGroup } from './command.ts';
import { UsageError } from './exit.ts';
import { checkPrivatePlace, decodeText, keepScript, readBytes, writeFiles } from './files.ts';

const group: OptionGroup = { title: 'Logs', summary: 'a run again, without a host.' };

export const logOptions: readonly Option[] = [
  {
    name: 'record',
    value: 'LOG.json',
    summary: 'Write all that the run gets from outside into a log: answers of the host, random numbers, times.',
    group,
  },
  {
    name: 'replay',
    value: 'LOG.json',
    summary: "Run again as a log has it: nothing is asked, read or sent. Without -a the arguments are the log's.",
    group,
  },
];

/** Throws UsageError if the log cannot be read, or could not be written. */
export function readLogOptions(input: CommandInput, command: string): ScriptOptions {
  const [record, replay] = [valueOf(input, 'record'), valueOf(input, 'replay')];
  if (record !== undefined) {
    keepScript(input.operand, [record]);
    // Checked now, since after the script has run it is too late.
    checkPrivatePlace(record);
  }
  if (replay === undefined) return record === undefined ? {} : { record: true };
  const other = ['record', 'seed', 'clock'].find((name) => input.values.has(name));
  if (other !== undefined)
    throw new UsageError(`--replay and --${other} do not go together: a log that is replayed has it all`, command);
  return { replay: readLog(replay) };
}

function readLog(path: string): RunLog {
  try {
    return JSON.parse(decodeText(path, readBytes(path))) as RunLog;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${quote(path)} is not the log of a run: it is not JSON`);
  }
}

/** Whether the arguments of the run are those of its log. */
export function hasLoggedArguments(input: CommandInput): boolean {
  return input.values.has('replay') && !input.values.has('arg');
}

/**
 * Writes the log of a run that has ended, if one was requested. It is a private file, since it holds the contents of
 * files and answers. Throws UsageError.
 */
export async function writeLog(input: CommandInput, run: ScriptRun): Promise<void> {
  const path = valueOf(input, 'record');
  if (path !== undefined) writeFiles([{ path, content: formatLog(await run.log), isPrivate: true }]);
}
