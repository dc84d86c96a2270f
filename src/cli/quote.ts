// Quotes the user's words in our messages.

import { quote, shellWord } from '../../runtime-host/permissions/command-line/quoted-text.ts';

export { quote, shellWord };

/** A command line of these words, quoted for a shell and safe to print on a terminal. */
export function commandLine(...words: readonly string[]): string {
  return ['sluice', ...words].map((word) => shellWord(quote(word))).join(' ');
}
