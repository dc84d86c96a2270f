// Completions for zsh: specifications for its own _arguments.

import { commandOfFiles } from './words.ts';
import type { CompletedCommand, CompletedOption, Place } from './words.ts';
import { inQuotes } from './quotes.ts';

export function zshCompletions(commands: readonly CompletedCommand[], common: readonly CompletedOption[]): string {
  return `#compdef sluice
# Completions of sluice for zsh. In ~/.zshrc, after compinit: eval "$(sluice completions zsh)"
_sluice() {
  local -a commands
  local command=$words[2]
  commands=(
${commands.map(({ name, summary }) => `    ${inQuotes(`${name}:${summary.replaceAll(':', '\\:')}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe command commands
    ${filesOf(commands.find(({ name }) => name === commandOfFiles)!.operandPlace)}
    return
  fi
  case $command in
    ${commands.map(({ name }) => name).join('|')}) shift words; (( CURRENT-- )) ;;
    *) command=${commandOfFiles} ;;
  esac
  case $command in
${commands
  .map(({ name, operand, operandPlace, takesMany, options }) => {
    const words = [
      ...options.flatMap(specifications),
      ...(operand === '' ? [] : [inQuotes(`${takesMany ? '*' : '1'}:${plain(operand)}:${action(operandPlace)}`)]),
    ];
    return `    ${name}) _arguments -s ${words.join(' ')} ;;`;
  })
  .join('\n')}
  esac
}
if [[ $funcstack[1] == _sluice ]]; then _sluice "$@"; else compdef _sluice sluice; fi`;

  function specifications(option: CompletedOption): string[] {
    const { name, short, value, summary, repeated, isValueOptional, place } = option;
    const many = repeated ? '*' : '';
    const said = value === null ? '' : `${isValueOptional ? '::' : ':'}${plain(value)}:${action(place)}`;
    const long = `--${name}${value === null ? '' : isValueOptional ? '=-' : '='}`;
    const isCommon = common.some((other) => other.name === name);
    const shorts = short === undefined || isCommon ? [] : [`${many}-${short}[${plain(summary)}]${said}`];
    return [`${many}${long}[${plain(summary)}]${said}`, ...shorts].map(inQuotes);
  }
}

/** Escapes the characters that would end a part of a specification. */
function plain(text: string): string {
  return text.replace(/[\\[\]:]/g, '\\$&');
}

function filesOf(place: Place): string {
  return place.kind === 'files' && place.extensions.length > 0
    ? `_files -g '*.(${place.extensions.join('|')})(-.)'`
    : '_files';
}

function action(place: Place): string {
  switch (place.kind) {
    case 'words':
      return `(${place.words.join(' ')})`;
    case 'files':
      return filesOf(place).replaceAll("'", '"');
    case 'directories':
      return '_files -/';
    case 'unknown':
      return ' ';
  }
}
