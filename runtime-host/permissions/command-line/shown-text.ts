// Text of a script inside a question: it can neither control the terminal nor look like another part of the question.

import { escapeUnits } from '../../../src/language/hidden-characters.ts';
import { shellWord } from '../../../src/language/quoted-text.ts';

/**
 * Characters that a terminal interprets, shows as nothing or shows as blanks, and runs of blanks: with them a text
 * could fill a line up to the edge and continue like the next line of the question.
 */
const misleading = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}|(?<= ) /gu;

const longest = 400;
const tail = 100;

/** The text on one line, hidden characters as `\u200b`, without the middle of a long text. */
export function show(text: string): string {
  return escapeMisleading(shorten(text));
}

/** Like `show`, in quotes that the text cannot close. */
export function showQuoted(text: string): string {
  return `"${escapeMisleading(shorten(text).replace(/["\\]/g, '\\$&'))}"`;
}

/** A flag in the form for a shell. */
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
