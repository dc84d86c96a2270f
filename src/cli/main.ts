// The command line: which command, and what becomes of everything that can go wrong. No stack of ours is
// ever shown, except to who asks for it with SLUICE_DEBUG.

import { HostError, InternalError } from '../../runtime-host/errors/errors.ts';
import { escapeControls } from '../diagnostics/display.ts';
import { nearestName } from '../language/nearest-name.ts';
import { commonOptions } from './command.ts';
import type { Command } from './command.ts';
import { keepCode } from './code-cache.ts';
import { commands } from './commands.ts';
import { ClosedOutput, exitCodes, UsageError } from './exit.ts';
import { commandHelp, generalHelp, usageLine } from './help.ts';
import { stderr, stdout } from './output.ts';
import { leavePackageRoot, packageVersion } from './package.ts';
import { parseOptions } from './parse-options.ts';
import { quote } from './quote.ts';

/** Runs the command of these words and answers with the exit code; never throws. */
export async function main(words: readonly string[]): Promise<number> {
  try {
    leavePackageRoot();
    keepCode();
    const code = await dispatch(words);
    stdout.flush();
    stderr.flush();
    return code;
  } catch (error) {
    return report(error);
  }
}

async function dispatch(words: readonly string[]): Promise<number> {
  const [first, ...rest] = words;
  if (first === undefined) return (await import('./showcase.ts')).runShowcase();
  if (first === '--help' || first === '-h') return print(generalHelp());
  if (first === 'help') return print(rest[0] === undefined ? generalHelp() : commandHelp(findCommand(rest[0])));
  if (first === '--version' || first === '-v') return print(packageVersion());
  const command = findCommand(first);
  const input = parseOptions(command, rest);
  if (input.switches.has('help')) return print(commandHelp(command));
  if (input.switches.has('version')) return print(packageVersion());
  return (await command.load())(input);
}

function print(text: string): number {
  stdout.line(text);
  return exitCodes.fine;
}

function findCommand(name: string): Command {
  const command = commands.find((candidate) => candidate.name === name);
  if (command !== undefined) return command;
  if (name.endsWith('.slu') || name.endsWith('.wasm')) throw new UsageError(`to run a file, write sluice run ${quote(name)}`, null);
  const nearestOption = nearestName(name, commonOptions.map((option) => `--${option.name}`));
  if (name.startsWith('-') && nearestOption !== null) throw new UsageError(`sluice has no option ${quote(name)}: did you mean ${nearestOption}?`, null);
  if (name.startsWith('-')) throw new UsageError(`options come after a command: sluice run FILE.slu ${quote(name)}`, null);
  const nearest = nearestName(name, commands.map((candidate) => candidate.name));
  throw new UsageError(`there is no command ${quote(name)}${nearest === null ? '' : `: did you mean ${nearest}?`}`, null);
}

/** Prints what went wrong and answers with the exit code. */
function report(error: unknown): number {
  try {
    if (error instanceof ClosedOutput) return exitCodes.fine;
    stdout.flush();
    stderr.line(sentence(error));
    if (process.env['SLUICE_DEBUG'] !== undefined && error instanceof Error) stderr.line(String(error.stack));
    stderr.flush();
  } catch {
    // Nobody is left to tell.
  }
  return error instanceof UsageError || error instanceof HostError ? exitCodes.wrongUse : exitCodes.internalFault;
}

function sentence(error: unknown): string {
  if (error instanceof UsageError) return `sluice: ${shown(error.message)}${moreAbout(error)}`;
  if (error instanceof HostError) return `sluice: ${shown(error.message)}`;
  if (error instanceof InternalError) return shown(error.message);
  const what = error instanceof Error ? error.message.split('\n')[0]! : String(error);
  return new InternalError(quote(what), [], error).message;
}

const longest = 4_000;

/** One line, whatever a module, a file or the command line has brought into it. */
function shown(message: string): string {
  return escapeControls(message.length <= longest ? message : `${message.slice(0, longest - 200)}…${message.slice(-200)}`);
}

function moreAbout(error: UsageError): string {
  if (error.command === undefined) return '';
  if (error.command === null) return '\nsluice --help lists the commands';
  const command = findCommand(error.command);
  return `\n${usageLine(command)}\nsluice ${command.name} --help says more`;
}
