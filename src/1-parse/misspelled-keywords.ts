// Slips in keywords.

import { SluiceParser } from './generated/SluiceParser.ts';

const keywords = SluiceParser.literalNames
  .flatMap((name) => (name !== null && /^'[a-z]+'$/.test(name) ? [name.slice(1, -1)] : []))
  .filter((word) => word.length >= 4);

/** The keyword that a word is one slip away from: a letter more, less, other, or two swapped. */
export function misspelledKeyword(word: string): string | null {
  if (word.length > 12) return null;
  return keywords.find((keyword) => isOneSlip(word, keyword)) ?? null;
}

function isOneSlip(word: string, keyword: string): boolean {
  if (word === keyword || Math.abs(word.length - keyword.length) > 1) return false;
  let start = 0;
  while (start < word.length && word[start] === keyword[start]) start++;
  const rest = word.slice(start);
  const meant = keyword.slice(start);
  const swapped = rest.length > 1 && rest[0] === meant[1] && rest[1] === meant[0] && rest.slice(2) === meant.slice(2);
  return swapped || rest.slice(1) === meant.slice(1) || rest.slice(1) === meant || rest === meant.slice(1);
}
