// Words of the user's in messages of ours.

import { quote, shellWord } from '../../runtime-host/permissions/command-line/quoted-text.ts';

export { quote, shellWord };

/** A command line of these words, for a shell; harmless for a terminal. */
export function commandLine(...words: readonly string[]): string {
  return ['sluice', ...words].map((word) => shellWord(quote(word))).join(' ');
}
