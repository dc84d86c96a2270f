// Turns the words of the command line into a command's input. Node's parser splits the words; their meaning and all
// messages are here.

import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { nearestName } from '../language/nearest-name.ts';
import { quote, shellWord } from '../language/quoted-text.ts';
import { commandLine } from './command-line.ts';
import { commonOptions } from './command.ts';
import type { Command, CommandInput, Option } from './command.ts';
import { UsageError } from './exit.ts';

/** Throws UsageError. The switch `help` needs no operand. */
export function parseOptions(command: Command, words: readonly string[]): CommandInput {
  const options = [...command.options, ...commonOptions];
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(options.map((option) => [option.name, parserOption(option)])),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const operands: string[] = [];
  const switches = new Set<string>();
  const values = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value);
    if (token.kind !== 'option') continue;
    const option = options.find(({ name }) => name === token.name);
    if (option === undefined) throw unknownOption(token.rawName, token.index, words, options, command.name);
    if (option.isValueOptional === true && token.value === undefined) {
      switches.add(option.name);
    } else if (option.value === null) {
      if (token.value !== undefined)
        throw new UsageError(
          `${token.rawName} takes no value`,
          command.name,
          replaced(command.name, words, token.index, [token.rawName]),
        );
      switches.add(option.name);
    } else {
      values.set(option.name, [
        ...(values.get(option.name) ?? []),
        checkValue(option, token, values, words, command.name),
      ]);
    }
  }
  return { operand: checkOperand(command, operands, switches, words), operands, switches, values };
}

function parserOption(option: Option): { type: 'string' | 'boolean'; short?: string; multiple: boolean } {
  return {
    type: option.value === null || option.isValueOptional === true ? 'boolean' : 'string',
    ...(option.short === undefined ? {} : { short: option.short }),
    multiple: true,
  };
}

interface OptionToken {
  readonly index: number;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

/** `-o=file` means the same as `--output=file`; Node's parser would take `=file` for the value. */
function valueOf(token: OptionToken): string | undefined {
  return token.inlineValue === true && !token.rawName.startsWith('--') ? token.value?.replace(/^=/, '') : token.value;
}

/** The command line with the word at `index` replaced. */
function replaced(
  command: string,
  words: readonly string[],
  index: number,
  others: readonly string[],
  count = 1,
): string {
  return commandLine(command, ...words.toSpliced(index, count, ...others));
}

function checkValue(
  option: Option,
  token: OptionToken,
  given: ReadonlyMap<string, readonly string[]>,
  words: readonly string[],
  command: string,
): string {
  const { rawName } = token;
  const value = valueOf(token);
  const swallowed = token.inlineValue !== true && value !== undefined && value.startsWith('-') && value.length > 1;
  if (value === undefined || swallowed)
    throw new UsageError(
      `${rawName} needs a value: ${rawName} ${option.value}`,
      command,
      replaced(command, words, token.index, [rawName, option.value!]),
    );
  if (option.repeated !== true && given.has(option.name)) throw new UsageError(`${rawName} is given twice`, command);
  if (option.choices !== undefined && !option.choices.includes(value)) {
    const nearest = nearestName(value, option.choices);
    const right = nearest ?? option.choices[0]!;
    const line =
      token.inlineValue === true
        ? replaced(command, words, token.index, [`${rawName}=${right}`])
        : replaced(command, words, token.index, [rawName, right], 2);
    throw new UsageError(
      `${rawName} is ${listed(option.choices)}, not ` +
        `${quote(value)}${nearest === null ? '' : `: did you mean ${nearest}?`}`,
      command,
      line,
    );
  }
  return value;
}

function checkOperand(
  command: Command,
  operands: readonly string[],
  switches: ReadonlySet<string>,
  words: readonly string[],
): string {
  const [operand, further] = operands;
  if (switches.has('help') || switches.has('version')) return operand ?? '';
  if (command.operand === '') {
    if (operand === undefined) return '';
    throw new UsageError(
      `sluice ${command.name} takes no operand, and ${quote(operand)} is one`,
      command.name,
      replaced(command.name, words, words.lastIndexOf(operand), []),
    );
  }
  if (command.takesMany === true) {
    if (operands.includes(''))
      throw new UsageError(`sluice ${command.name} is given a name that is empty`, command.name);
    return operand ?? '';
  }
  if (operand === undefined || operand === '')
    throw new UsageError(`sluice ${command.name} needs ${command.operand}`, command.name, command.examples[0]);
  checkChoice(command, operand);
  if (further !== undefined) {
    const before =
      words[
        words.findIndex(
          (word, at) =>
            operands.includes(word) &&
            command.options.some((option) => option.isValueOptional === true && words[at - 1] === `--${option.name}`),
        ) - 1
      ];
    if (before !== undefined)
      throw new UsageError(
        `a value of ${before} stands behind an equals sign: ` +
          shellWord(quote(`${before}=${words[words.indexOf(before) + 1]!}`)),
        command.name,
        replaced(command.name, words, words.indexOf(before), [`${before}=${words[words.indexOf(before) + 1]!}`], 2),
      );
    const { hint, line } = instead(command, further, words);
    throw new UsageError(
      `sluice ${command.name} takes one ${command.operand}, and ${quote(further)} is one too many${hint}`,
      command.name,
      line,
    );
  }
  return operand;
}

/** What an operand that is too many was probably meant as: a part of the sentence, and what to type. */
function instead(
  command: Command,
  further: string,
  words: readonly string[],
): { readonly hint: string; readonly line: string } {
  const at = words.lastIndexOf(further);
  const before = words[at - 1] ?? '';
  const takesArguments = command.options.some(({ name }) => name === 'arg');
  const asArgument = (given: string, from: number): { readonly hint: string; readonly line: string } => ({
    hint: `: an argument of main is given as -a ${shellWord(quote(given))}`,
    line: replaced(command.name, words, from, ['-a', given], at - from + 1),
  });
  if (takesArguments && further.includes('=')) return asArgument(further, at);
  if (command.options.some(({ name }) => name === 'input'))
    return {
      hint: `: files to read are given as --input ${shellWord(quote(further))}`,
      line: replaced(command.name, words, at, ['--input', further]),
    };
  if (!takesArguments || isScript(further)) return { hint: '', line: replaced(command.name, words, at, []) };
  if (/^(?:-a|--arg)$/.test(words[at - 2] ?? '') && !before.includes('='))
    return asArgument(`${before}=${further}`, at - 2);
  return asArgument(`NAME=${existsSync(further) ? '@' : ''}${further}`, before === '--' ? at - 1 : at);
}

function isScript(word: string): boolean {
  return /\.(slu|wasm)$/.test(word);
}

function checkChoice({ name, operand: called, operandChoices }: Command, operand: string): void {
  if (operandChoices === undefined || operandChoices.includes(operand)) return;
  const nearest = nearestName(operand, operandChoices);
  throw new UsageError(
    `${called} is ${listed(operandChoices)}, not ${quote(operand)}`,
    name,
    commandLine(name, nearest ?? operandChoices[0]!),
  );
}

/** `a, b or c`. */
function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)!}`;
}

/**
 * The word may be an argument of main written as an option, such as `--xs=[1]` or `--who Ada` behind the script, if no
 * option is similar.
 */
function unknownOption(
  rawName: string,
  index: number,
  words: readonly string[],
  options: readonly Option[],
  command: string,
): UsageError {
  const word = words[index] ?? '';
  const value = words[index + 1] ?? '-';
  const isSeparate = !word.includes('=') && !/^-|\.(?:slu|wasm)$/.test(value) && words.slice(0, index).some(isScript);
  const argument = options.some(({ name }) => name === 'arg')
    ? /^--?(?=[^-=])(.+?=.*)$/s.exec(isSeparate ? `${word}=${value}` : word)?.[1]
    : undefined;
  const meant = options.find(({ meantBy = [] }) => meantBy.includes(rawName.slice(2)));
  const nearest =
    meant === undefined
      ? nearestName(
          rawName,
          // A word with a value can only mean an option that takes one.
          options
            .filter(({ value, isValueOptional }) => argument === undefined || value !== null || isValueOptional)
            .map((option) => `--${option.name}`),
        )
      : `--${meant.name}`;
  const hint = argument === undefined ? '' : `: an argument of main is given as -a ${shellWord(quote(argument))}`;
  const inline = word.includes('=') ? word.slice(word.indexOf('=')) : '';
  const right = nearest !== null ? [`${nearest}${inline}`] : argument !== undefined ? ['-a', argument] : null;
  return new UsageError(
    `sluice ${command} has no option ${quote(rawName)}${nearest === null ? hint : `: did you mean ${nearest}?`}`,
    command,
    right === null ? undefined : replaced(command, words, index, right, nearest === null && isSeparate ? 2 : 1),
  );
}
