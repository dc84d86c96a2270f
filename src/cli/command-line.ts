// Command lines of Sluice in our messages: what to type.

import { quote, shellWord } from '../language/quoted-text.ts';

/** A command line of these words, quoted for a shell and safe to print on a terminal. */
export function commandLine(...words: readonly string[]): string {
  return ['sluice', ...words].map((word) => shellWord(quote(word))).join(' ');
}
