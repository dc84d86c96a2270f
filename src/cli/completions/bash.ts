// Completions for bash 3.2 and later, without the functions of the bash-completion package.

import { commandOfFiles } from './words.ts';
import type { CompletedCommand, CompletedOption, Place } from './words.ts';
import { inQuotes } from './quotes.ts';

export function bashCompletions(commands: readonly CompletedCommand[], common: readonly CompletedOption[]): string {
  const names = commands.map(({ name }) => name);
  return `# Completions of sluice for bash. In ~/.bashrc: eval "$(sluice completions bash)"
_sluice_words() {
  local word
  for word in $1; do [[ $word == "$cur"* ]] && COMPREPLY+=("$word"); done
}
_sluice_files() {
  local file
  compopt -o filenames 2>/dev/null
  while IFS= read -r file; do
    if [[ -d $file || -z $1 || $file =~ \\.($1)$ ]]; then COMPREPLY+=("$file"); fi
  done < <(compgen -f -- "$cur")
}
_sluice_directories() {
  local file
  compopt -o filenames 2>/dev/null
  while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -d -- "$cur")
}
_sluice() {
  local cur=\${COMP_WORDS[COMP_CWORD]} option=\${COMP_WORDS[COMP_CWORD-1]} command=${commandOfFiles} hasValue=
  COMPREPLY=()
  # An equals sign is a word of its own.
  if [[ $cur == = ]]; then cur= hasValue=1
  elif [[ $option == = ]]; then option=\${COMP_WORDS[COMP_CWORD-2]} hasValue=1; fi
  case \${COMP_WORDS[1]} in
    ${names.join('|')}) ((COMP_CWORD > 1)) && command=\${COMP_WORDS[1]} ;;
  esac
  case "$command $option" in
${commands
  .flatMap((command) =>
    command.options.filter(({ value }) => value !== null).map((option) => optionCase(command, option)),
  )
  .join('\n')}
  esac
  case $cur in
    -*)
      if ((COMP_CWORD == 1)); then _sluice_words ${inQuotes(common.flatMap(spellings).join(' '))}; fi
      case $command in
${commands
  .map(({ name, options }) => `        ${name}) _sluice_words ${inQuotes(options.flatMap(spellings).join(' '))} ;;`)
  .join('\n')}
      esac ;;
    *)
      if ((COMP_CWORD == 1)); then _sluice_words ${inQuotes(names.join(' '))}; fi
      case $command in
${commands.map(({ name, operandPlace }) => `        ${name}) ${action(operandPlace)} ;;`).join('\n')}
      esac ;;
  esac
}
complete -F _sluice sluice`;
}

function spellings({ name, short }: CompletedOption): string[] {
  return [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
}

function optionCase({ name }: CompletedCommand, option: CompletedOption): string {
  const patterns = spellings(option)
    .map((spelling) => inQuotes(`${name} ${spelling}`))
    .join('|');
  // An optional value is always given behind an equals sign.
  return (
    `    ${patterns}) ${option.isValueOptional ? '[[ -n $hasValue ]] && { ' : ''}${action(option.place)}; ` +
    `return${option.isValueOptional ? '; }' : ''} ;;`
  );
}

function action(place: Place): string {
  switch (place.kind) {
    case 'words':
      return `_sluice_words ${inQuotes(place.words.join(' '))}`;
    case 'files':
      return `_sluice_files ${inQuotes(place.extensions.join('|'))}`;
    case 'directories':
      return '_sluice_directories';
    case 'unknown':
      return ':';
  }
}
