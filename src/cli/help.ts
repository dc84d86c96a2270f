// Help texts, from the table of commands.

import { commonOptions } from './command.ts';
import type { Command, Option, OptionGroup } from './command.ts';
import { commands } from './commands.ts';
import { clonePath } from './package.ts';

export function generalHelp(): string {
  const rows = commands.map((command): Row => [called(command), command.summary]);
  return [
    'Sluice: a statically typed scripting language, compiled to WebAssembly.',
    '',
    'Usage: sluice COMMAND',
    '       sluice FILE.slu   runs a script, as sluice run FILE.slu does; - is standard input',
    '',
    ...table(rows),
    '',
    ...table(commonOptions.map(optionRow)),
    '',
    'sluice COMMAND --help says more about a command.' +
      (clonePath('') === null ? '' : ' Without a command an example runs.'),
    'Exit codes: 0 fine, 1 the script has errors, 2 wrong use, 3 an error ended the script, 130 Ctrl-C did.',
  ].join('\n');
}

export function commandHelp(command: Command): string {
  return [
    command.summary,
    '',
    usageLine(command),
    '',
    ...table(
      [
        ...command.options.filter(({ group }) => group === undefined),
        ...commonOptions.filter(({ name }) => name === 'help'),
      ].map(optionRow),
    ),
    '',
    ...groupsOf(command).flatMap((group) => [
      `${group.title}: ${group.summary}`,
      '',
      ...table(command.options.filter((option) => option.group === group).map(optionRow)),
      '',
    ]),
    'Examples:',
    ...command.examples.map((example) => `  ${example}`),
  ].join('\n');
}

/** The usage without the options, after a wrong use of the command. */
export function shortUsage(command: Command): string {
  return `Usage: sluice ${called(command)}${command.options.length === 0 ? '' : ' [OPTIONS]'}`;
}

/** The name of a command with that of its operand. */
function called({ name, operand }: Command): string {
  return operand === '' ? name : `${name} ${operand}`;
}

function usageLine(command: Command): string {
  const options = command.options.filter(({ group }) => group === undefined).map(spelling);
  const groups = groupsOf(command).map(({ title }) => title.toUpperCase());
  const begin = `Usage: sluice ${command.name}`;
  const lines = [begin];
  for (const part of [
    ...(command.operand === '' ? [] : [command.operand]),
    ...[...options, ...groups].map((part) => `[${part}]`),
  ]) {
    if (lines.at(-1)!.length + part.length >= widest) lines.push(' '.repeat(begin.length));
    lines.push(`${lines.pop()!} ${part}`);
  }
  return lines.join('\n');
}

/** The width of the lines of usage. */
const widest = 120;

function groupsOf({ options }: Command): readonly OptionGroup[] {
  return [...new Set(options.flatMap(({ group }) => (group === undefined ? [] : [group])))];
}

function spelling(option: Option): string {
  const name = option.short === undefined ? `--${option.name}` : `-${option.short}`;
  const value = valueText(option, option.choices?.join('|') ?? option.value);
  return `${name}${value}${option.repeated === true ? ' …' : ''}`;
}

/** A value that may be left out stands behind an equals sign. */
function valueText({ isValueOptional }: Option, value: string | null): string {
  if (value === null) return '';
  return isValueOptional === true ? `[=${value}]` : ` ${value}`;
}

type Row = readonly [string, string];

function optionRow(option: Option): Row {
  const short = option.short === undefined ? '' : `-${option.short}, `;
  return [`${short}--${option.name}${valueText(option, option.value)}`, option.summary];
}

function table(rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
