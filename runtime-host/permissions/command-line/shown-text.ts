// Text of a script inside a question: it can neither act on the terminal nor look like anything but text of a script.

import { escapeUnits } from '../../../src/language/hidden-characters.ts';
import { shellWord } from './quoted-text.ts';

/**
 * What a terminal acts on, what it shows as nothing or as blank, and blanks in a row: with them a text could fill lines
 * up to the edge and go on as if it were the next line of the question.
 */
const misleading = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}|(?<= ) /gu;

const longest = 400;
const tail = 100;

/** In one line, hidden characters as `\u200b`, the middle of a long text left out. */
export function show(text: string): string {
  return escapeMisleading(shorten(text));
}

/** As `show`, in quotes that the text cannot close. */
export function showQuoted(text: string): string {
  return `"${escapeMisleading(shorten(text).replace(/["\\]/g, '\\$&'))}"`;
}

/** A flag as it is typed into a shell. */
export function showFlag(flag: string): string {
  return shellWord(escapeMisleading(flag));
}

function shorten(text: string): string {
  if (text.length <= longest) return text;
  const left = text.length - longest;
  return `${text.slice(0, longest - tail)} … ${left} characters left out … ${text.slice(-tail)}`;
}

function escapeMisleading(text: string): string {
  return text.replace(misleading, escapeUnits);
}
