// How text of a script looks on a terminal: control characters are shown instead of acted on, tabs
// become blanks, and some characters are two columns wide or none.

/** C0, DEL, C1, and the marks that turn the direction of writing: a terminal would act on them. */
const acting = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const actingButLayout = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Writes control characters as `\u001b`, all of them. */
export function escapeControls(text: string): string {
  return text.replace(acting, escapeUnit);
}

/** Writes control characters as `\u001b`, except tab and line feed. */
export function escapeForTerminal(text: string): string {
  return text.replace(actingButLayout, escapeUnit);
}

function escapeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const tabWidth = 4;

/** A piece of one line, ready to be shown, and the column at which each of its UTF-16 offsets stands. */
export interface ShownText {
  readonly text: string;
  /** One more than there are units: the last is the width. */
  readonly columns: readonly number[];
}

/** Lays out a piece of one line. Halves of a surrogate pair stand at the same column. */
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

const wide = /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const widthless = /[\u200b-\u200d\u2060\ufeff]|\p{Mark}/u;

function characterWidth(character: string): number {
  if (character <= '~') return 1;
  if (widthless.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}
