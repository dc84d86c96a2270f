// The scripts of pages as `sluice fmt` writes them.

import { format } from '../../src/formatter/format.ts';
import { blocksOf } from './blocks.ts';
import type { Block } from './blocks.ts';

/** Scripts that show what is not formatted, by page and name. */
const unformatted: Readonly<Record<string, readonly string[]>> = {
  'docs/cookbook/tools.md': ['tidy.slu'],
  'docs/formatting.md': ['prices.slu'],
};

/** The scripts of a page that are not formatted. */
export function unformattedIn(path: string, page: string): readonly Block[] {
  return blocksOf(page).filter(
    ({ language, kind, name, text }) =>
      language === 'sluice' &&
      kind === 'fence' &&
      unformatted[path]?.includes(name ?? '') !== true &&
      format(text).text !== text,
  );
}

/** The page with its scripts formatted. */
export function formatScripts(path: string, page: string): string {
  let formatted = page;
  for (const { start, text } of unformattedIn(path, page).toReversed())
    formatted = formatted.slice(0, start) + format(text).text + formatted.slice(start + text.length);
  return formatted;
}
