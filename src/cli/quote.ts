// Words of the user's in messages of ours.

import { escapeControls } from '../diagnostics/display.ts';

/** Harmless for a terminal, and of limited length. */
export function quote(word: string): string {
  const text = escapeControls(word);
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}

/** A command line of these words, for a shell; harmless for a terminal. */
export function commandLine(...words: readonly string[]): string {
  return ['sluice', ...words].map((word) => shellWord(quote(word))).join(' ');
}

/** As a shell takes it for one word. */
export function shellWord(word: string): string {
  return /^[\p{L}\p{N}_@%+=:,./…-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
