// The command line: selects the command, and turns every failure into a message. Our own stacks are shown only with
// SLUICE_DEBUG.

import { existsSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import { HostError, InternalError } from '../../runtime-host/errors/errors.ts';
import { escapeControls } from '../diagnostics/display.ts';
import { nearestName } from '../language/nearest-name.ts';
import { quote } from '../language/quoted-text.ts';
import { tellDoubt } from './cache-doubt.ts';
import { commandLine } from './command-line.ts';
import { commonOptions } from './command.ts';
import type { Command } from './command.ts';
import { lineOfSynonym } from './command-synonyms.ts';
import { commands } from './commands.ts';
import { ClosedOutput, exitCodes, UsageError } from './exit.ts';
import { commandHelp, generalHelp, shortUsage } from './help.ts';
import { stderr, stdout } from './output.ts';
import type { Doubt } from './own-files.ts';
import { clonePath, leaveCloneRoot, packageVersion } from './package.ts';
import { parseOptions } from './parse-options.ts';
import { standardInput } from './standard-input.ts';

/**
 * Runs the command of these words and answers with its exit code; never throws. `doubt` is why the engine keeps no code
 * of the command.
 */
export async function main(words: readonly string[], doubt: Doubt | null = null): Promise<number> {
  try {
    leaveCloneRoot();
    if (doubt !== null)
      tellDoubt(
        'nothing is kept for later runs',
        doubt,
        'put that right, or set XDG_CACHE_HOME to a directory of your own',
      );
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
  if (first === undefined)
    return clonePath('') === null ? print(generalHelp()) : (await import('./showcase.ts')).runShowcase();
  if (first === '--help' || first === '-h') return print(generalHelp());
  if (first === 'help') return print(rest[0] === undefined ? generalHelp() : commandHelp(findCommand(rest[0])));
  if (first === '--version' || first === '-v') return print(packageVersion());
  const isRun = isFile(first) || isOptionOfRun(first);
  const command = findCommand(isRun ? 'run' : first, rest);
  const input = parseOptions(command, isRun ? words : rest);
  if (input.switches.has('help')) return print(commandHelp(command));
  if (input.switches.has('version')) return print(packageVersion());
  return (await command.load())(input);
}

function print(text: string): number {
  stdout.line(text);
  return exitCodes.fine;
}

/**
 * An operand that is run without the word `run`: a script, a module, a path (systems start a file that begins with #!
 * by its path), or standard input.
 */
function isFile(word: string): boolean {
  return (
    word === standardInput ||
    /^\.\.?$/.test(word) ||
    (!word.startsWith('-') && (/\.(slu|wasm)$/.test(word) || word.includes('/') || word.includes(sep)))
  );
}

/** `#!/usr/bin/env -S sluice --max-time=5` puts options in front of the file. */
function isOptionOfRun(word: string): boolean {
  const options = commands.find(({ name }) => name === 'run')!.options;
  return options.some(
    ({ name, short }) => word === `--${name}` || word.startsWith(`--${name}=`) || word === `-${short}`,
  );
}

function findCommand(name: string, words: readonly string[] = []): Command {
  const command = commands.find((candidate) => candidate.name === name);
  if (command !== undefined) return command;
  const named = name.startsWith('-')
    ? commonOptions.map((option) => `--${option.name}`)
    : [...commands.map((candidate) => candidate.name), 'help'];
  const nearest = nearestName(name, named);
  const what = name.startsWith('-') ? `sluice has no option ${quote(name)}` : `there is no command ${quote(name)}`;
  const synonym = existsSync(`${name}.slu`) ? null : lineOfSynonym(name, words);
  if (synonym !== null) throw new UsageError(what, null, synonym);
  if (nearest !== null) throw new UsageError(`${what}: did you mean ${nearest}?`, null, commandLine(nearest, ...words));
  const file = name.startsWith('-') ? undefined : [`${name}.slu`, name].find((path) => existsSync(path));
  if (file !== undefined && statSync(file).isDirectory())
    throw new UsageError(`${what}, and ${quote(file)} here is a directory`, null);
  if (file !== undefined) throw new UsageError(what, null, commandLine('run', file, ...words));
  throw new UsageError(what, null);
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
    // Standard error is closed.
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

/** Makes one line of a message, whatever text of a module, a file or the command line it contains. */
function shown(message: string): string {
  return escapeControls(
    message.length <= longest ? message : `${message.slice(0, longest - 200)}…${message.slice(-200)}`,
  );
}

function moreAbout({ command: name, line }: UsageError): string {
  const command = commands.find((candidate) => candidate.name === name);
  const first = line !== undefined ? [`Type: ${shown(line)}`] : command !== undefined ? [shortUsage(command)] : [];
  const last =
    command !== undefined
      ? [`sluice ${command.name} --help says more`]
      : name === null
        ? ['sluice --help lists the commands']
        : [];
  return [...first, ...last].map((text) => `\n${text}`).join('');
}
