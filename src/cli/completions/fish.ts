// Completions for fish: a line for each option of each command.

import { commandOfFiles } from './words.ts';
import type { CompletedCommand, CompletedOption, Place } from './words.ts';

export function fishCompletions(commands: readonly CompletedCommand[], common: readonly CompletedOption[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const files = commands.find(({ name }) => name === commandOfFiles)!.operandPlace;
  return `# Completions of sluice for fish. In ~/.config/fish/config.fish: sluice completions fish | source
function __sluice_begins
  test (count (commandline -opc)) -eq 1
end
function __sluice_command
  set -l words (commandline -opc)
  set -l command ${commandOfFiles}
  if test (count $words) -gt 1; and contains -- $words[2] ${names}
    set command $words[2]
  end
  test $command = $argv[1]
end
function __sluice_files
  set -l begun (commandline -ct)
  for file in $begun*
    if test -d $file
      echo $file/
    else if string match -qr '\\.('(string join '|' $argv)')$' -- $file
      echo $file
    end
  end
end
complete -c sluice -f
${commands
  .map(({ name, summary }) => `complete -c sluice -n __sluice_begins -a ${quoted(name)} -d ${quoted(summary)}`)
  .join('\n')}
complete -c sluice -n __sluice_begins ${operand(files)}
${common.map((option) => optionLine('__sluice_begins', option)).join('\n')}
${commands
  .flatMap(({ name, options, operandPlace }) => {
    const condition = quoted(`not __sluice_begins; and __sluice_command ${name}`);
    return [
      ...options.map((option) => optionLine(condition, option)),
      ...(operandPlace.kind === 'unknown' ? [] : [`complete -c sluice -n ${condition} ${operand(operandPlace)}`]),
    ];
  })
  .join('\n')}`;
}

function optionLine(
  condition: string,
  { name, short, summary, value, place, isValueOptional }: CompletedOption,
): string {
  const spelt = `${short === undefined ? '' : `-s ${short} `}-l ${name}`;
  return (
    `complete -c sluice -n ${condition} ${spelt}${value === null || isValueOptional ? '' : ` ${valueOf(place)}`} ` +
    `-d ${quoted(summary)}`
  );
}

function valueOf(place: Place): string {
  switch (place.kind) {
    case 'files':
      return '-r -F';
    case 'unknown':
      return '-x';
    case 'words':
    case 'directories':
      return `-x ${operand(place)}`;
  }
}

function operand(place: Place): string {
  switch (place.kind) {
    case 'words':
      return `-a ${quoted(place.words.join(' '))}`;
    case 'files':
      return place.extensions.length === 0 ? '-F' : `-a ${quoted(`(__sluice_files ${place.extensions.join(' ')})`)}`;
    case 'directories':
      return `-a ${quoted('(__fish_complete_directories)')}`;
    case 'unknown':
      return '-f';
  }
}

/** Quotes a word for fish. */
function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
