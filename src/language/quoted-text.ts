// Quotes the user's words in our messages.

import { escapeHidden } from './hidden-characters.ts';

/** A word that is safe to print on a terminal, with a limited length. */
export function quote(word: string): string {
  const text = escapeHidden(word);
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}

/** One word of a shell. */
export function shellWord(word: string): string {
  return /^[\p{L}\p{N}_@%+=:,./…-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
