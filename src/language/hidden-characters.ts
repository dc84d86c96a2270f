// Characters that a terminal acts on, or that nobody sees: text with them can look like something that it is not.
// Messages show them as `\u001b`.

/**
 * C0, DEL and C1, the separators of lines and paragraphs, the marks that turn the direction of writing, and all that
 * has no width.
 */
export const hiddenClass = '[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Bidi_Control}\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]';

/** Those that only choose between forms of a character are seen. */
const hidden = new RegExp(`(?![\\ufe00-\\ufe0f])${hiddenClass}`, 'gu');

/** A text of one line with all of them written out. */
export function escapeHidden(text: string): string {
  return text.replace(hidden, escapeUnits);
}

/** Each unit of UTF-16 as JSON writes it. */
export function escapeUnits(characters: string): string {
  let escaped = '';
  for (let at = 0; at < characters.length; at++)
    escaped += `\\u${characters.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return escaped;
}
