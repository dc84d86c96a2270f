// Characters that a terminal interprets, or that nobody sees: a text with them can look like another text. Messages
// show them as `\u001b`.

/**
 * C0, DEL and C1, the separators of lines and paragraphs, the marks that change the direction of writing, and all
 * characters without width.
 */
export const hiddenClass = '[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Bidi_Control}\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]';

/** Variation selectors are left out: they only choose between shapes of a visible character. */
const hidden = new RegExp(`(?![\\ufe00-\\ufe0f])${hiddenClass}`, 'gu');

/** The text on one line, with all hidden characters escaped. */
export function escapeHidden(text: string): string {
  return text.replace(hidden, escapeUnits);
}

/** Each UTF-16 code unit as JSON escapes it. */
export function escapeUnits(characters: string): string {
  let escaped = '';
  for (let at = 0; at < characters.length; at++)
    escaped += `\\u${characters.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return escaped;
}
