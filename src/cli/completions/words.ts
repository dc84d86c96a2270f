// What can be completed, from the tables of commands and options, for any shell.

import { errorTypes } from '../../language/errors.ts';
import { commonOptions } from '../command.ts';
import type { Command, Option } from '../command.ts';
import { explainedFaults } from '../entry-fault.ts';

/**
 * What can come at a place of the command line: one of these words, files (with these extensions, or any), directories,
 * or anything.
 */
export type Place =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'files'; readonly extensions: readonly string[] }
  | { readonly kind: 'directories' }
  | { readonly kind: 'unknown' };

export interface CompletedOption {
  readonly name: string;
  readonly short: string | undefined;
  readonly summary: string;
  /** The name of the value in help; null for a switch. */
  readonly value: string | null;
  readonly place: Place;
  readonly repeated: boolean;
  readonly isValueOptional: boolean;
}

export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly operand: string;
  readonly operandPlace: Place;
  readonly takesMany: boolean;
  readonly options: readonly CompletedOption[];
}

/** The command that runs a file if no command is given. */
export const commandOfFiles = 'run';

/** The commands of the table, and `help`, which is not in it. */
export function completedCommands(commands: readonly Command[]): readonly CompletedCommand[] {
  const names = commands.map(({ name }) => name);
  const help: CompletedCommand = {
    name: 'help',
    summary: 'Show help of a command.',
    operand: 'COMMAND',
    operandPlace: { kind: 'words', words: names },
    takesMany: false,
    options: [],
  };
  return [...commands.map(completedCommand), help];
}

/** The options that can also be given without a command. */
export function completedCommonOptions(): readonly CompletedOption[] {
  return commonOptions.map(completedOption);
}

function completedCommand(command: Command): CompletedCommand {
  return {
    name: command.name,
    summary: command.summary,
    operand: command.operand,
    operandPlace: operandPlace(command),
    takesMany: command.takesMany === true,
    options: [...command.options, ...commonOptions].map(completedOption),
  };
}

function operandPlace({ operand, operandChoices }: Command): Place {
  if (operandChoices !== undefined) return { kind: 'words', words: operandChoices };
  if (operand === 'CODE')
    return {
      kind: 'words',
      words: [...explainedFaults.map(({ code }) => code), ...errorTypes.map(({ name }) => name)],
    };
  const extensions = /^\[?FILE/.test(operand) ? [...operand.matchAll(/\.(\w+)/g)].map((match) => match[1]!) : [];
  return extensions.length === 0 ? { kind: 'unknown' } : { kind: 'files', extensions };
}

function completedOption({
  name,
  short,
  summary,
  value,
  choices,
  repeated = false,
  isValueOptional = false,
}: Option): CompletedOption {
  return {
    name,
    short,
    summary,
    value,
    place: choices === undefined ? placeOf(value) : { kind: 'words', words: choices },
    repeated,
    isValueOptional,
  };
}

const files: ReadonlySet<string> = new Set(['FILE', 'PATH', 'LOG.json', 'OUT.wasm', 'OUT.d.ts']);

/** The place that follows from the name of the value in help. */
function placeOf(value: string | null): Place {
  if (value === 'DIR') return { kind: 'directories' };
  return value !== null && files.has(value) ? { kind: 'files', extensions: [] } : { kind: 'unknown' };
}
