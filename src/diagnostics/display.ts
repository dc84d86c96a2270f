// How text of a script looks on a terminal: characters that a terminal interprets or does not show are escaped, tabs
// become blanks, and some characters are two columns wide or none.

import { escapeHidden, escapeUnits, hiddenClass } from '../language/hidden-characters.ts';

/** Escapes all control characters and other characters that nobody sees, as `\u001b`. */
export function escapeControls(text: string): string {
  return escapeHidden(text);
}

/** Scripts whose letters are joined, or kept apart, by marks without width; emoji use such marks too. */
const joiningScripts = [
  'Arabic',
  'Bengali',
  'Devanagari',
  'Gujarati',
  'Gurmukhi',
  'Kannada',
  'Khmer',
  'Malayalam',
  'Mongolian',
  'Myanmar',
  'Oriya',
  'Sinhala',
  'Syriac',
  'Tamil',
  'Telugu',
  'Tibetan',
];
const joining =
  '[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f' +
  `${joiningScripts.map((script) => `\\p{Script=${script}}`).join('')}]`;
const harmful = new RegExp(`(?![\\t\\n\\ufe00-\\ufe0f]|(?<=${joining})[\\u200c\\u200d])${hiddenClass}`, 'gu');

/** As escapeControls, but keeps tabs, line feeds, and the marks that join characters in scripts that need them. */
export function escapeForTerminal(text: string): string {
  return text.replace(harmful, escapeUnits);
}

const ownOrHarmful = new RegExp(`\\u001b\\[(?:0|1|22|3[12369]|90)m|(?![\\t\\n])${hiddenClass}`, 'gu');

/** A whole message: only our own colours pass, so that text which somebody forgot to escape does no harm. */
export function keepColours(text: string): string {
  return text.replace(ownOrHarmful, (found) => (found.startsWith('\u001b[') ? found : escapeUnits(found)));
}

const tabWidth = 4;

/** A piece of one line in the form that is shown, and the column of each of its UTF-16 offsets. */
export interface ShownText {
  readonly text: string;
  /** One more than there are code units: the last is the width. */
  readonly columns: readonly number[];
}

/** Lays out a piece of one line. Both halves of a surrogate pair have the same column. */
export function showText(piece: string): ShownText {
  const columns: number[] = [];
  let text = '';
  let column = 0;
  for (const character of piece) {
    const shown = character === '\t' ? ' '.repeat(tabWidth - (column % tabWidth)) : escapeControls(character);
    for (let unit = 0; unit < character.length; unit++) columns.push(column);
    text += shown;
    column += shown === character ? characterWidth(character) : shown.length;
  }
  columns.push(column);
  return { text, columns };
}

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const widthless = /[\u200b-\u200d\u2060\ufeff]|\p{Mark}/u;

function characterWidth(character: string): number {
  if (character <= '~') return 1;
  if (widthless.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}
