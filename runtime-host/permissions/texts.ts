// The texts that a script passes to a host call: their greatest length, and the characters that they must not contain,
// so that no text can forge the prompt that shows it.

import { Failure } from '../errors/failures.ts';
import { unitAt } from '../primordials/untampered.ts';

export const maxPathLength = 4_096;
export const maxUrlLength = 8_192;
export const maxNameLength = 256;

/**
 * Throws SecurityError for a text that is too long, or that contains a control character or one that changes the
 * direction of writing. `what` names it: `path`.
 */
export function checkText(text: string, what: string, called: string, maxLength: number): void {
  // Anybody may have made the module, and it may pass any value.
  if (typeof text !== 'string') throw new Failure('SecurityError', `${called} denied: the ${what} is no text`);
  if (text.length > maxLength)
    throw new Failure('SecurityError', `${called} denied: the ${what} is longer than ${maxLength} characters`);
  for (let at = 0; at < text.length; at++) {
    const unit = unitAt(text, at);
    if (isControl(unit)) throw new Failure('SecurityError', `${called} denied: the ${what} holds a control character`);
    if (turnsText(unit))
      throw new Failure(
        'SecurityError',
        `${called} denied: the ${what} holds a character that changes the direction of writing`,
      );
  }
}

/** C0, DEL and C1, and the separators of lines and paragraphs. */
function isControl(unit: number): boolean {
  return unit < 0x20 || (unit >= 0x7f && unit < 0xa0) || unit === 0x2028 || unit === 0x2029;
}

/** The marks, embeddings, overrides and isolates of Unicode's bidirectional algorithm. */
function turnsText(unit: number): boolean {
  return (
    unit === 0x061c ||
    unit === 0x200e ||
    unit === 0x200f ||
    (unit >= 0x202a && unit <= 0x202e) ||
    (unit >= 0x2066 && unit <= 0x2069)
  );
}
