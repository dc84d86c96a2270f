// Words of the user's in messages of ours.

import { escapeHidden } from '../../../src/language/hidden-characters.ts';

/** Harmless for a terminal, and of limited length. */
export function quote(word: string): string {
  const text = escapeHidden(word);
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}

/** As a shell takes it for one word. */
export function shellWord(word: string): string {
  return /^[\p{L}\p{N}_@%+=:,./…-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
