// Mends a text: makes its sure fixes, looks again, and goes on until none is left. A fix after which more is wrong
// than before is not made.

import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { applyFixes, findSureFixes } from '../diagnostics/fixes.ts';
import type { Fixed } from '../diagnostics/fixes.ts';

export interface Mended {
  readonly text: string;
  /** What was mended, each with its place in the text as it was then. */
  readonly made: readonly Fixed[];
  /** What is left to say about the text. */
  readonly diagnostics: readonly Diagnostic[];
}

/** One fix may show the next, so a text is looked at again; never so often that two fixes could chase each other. */
const mostRounds = 100;
/** Where all fixes together are worse, so many are tried alone. */
const mostAttempts = 20;

/** `check` finds what is wrong with a text; fixes in other files than `fileName` are left alone. */
export function mendText(text: string, check: (text: string) => readonly Diagnostic[], fileName: string): Mended {
  let current: Mended = { text, made: [], diagnostics: check(text) };
  for (let round = 0; round < mostRounds; round++) {
    const next = mendOnce(current, check, fileName);
    if (next === null) break;
    current = next;
  }
  return current;
}

/** All fixes at once, or where that is worse the first that is not; null where there is none. */
function mendOnce(before: Mended, check: (text: string) => readonly Diagnostic[], fileName: string): Mended | null {
  const found = findSureFixes(before.diagnostics, fileName);
  if (found.length === 0) return null;
  const attempts = found.length === 1 ? [found] : [found, ...found.slice(0, mostAttempts).map((only) => [only])];
  for (const fixed of attempts) {
    const text = applyFixes(
      before.text,
      fixed.map(({ fix }) => fix),
    );
    const diagnostics = check(text);
    if (!isWorse(diagnostics, before.diagnostics)) return { text, made: [...before.made, ...fixed], diagnostics };
  }
  return null;
}

/** Mistakes in the syntax hide all others: as long as they become fewer, others may come to light. */
function isWorse(after: readonly Diagnostic[], before: readonly Diagnostic[]): boolean {
  const count = (diagnostics: readonly Diagnostic[], isSyntax: boolean): number =>
    diagnostics.filter(({ type, severity }) => severity === 'error' && (type === 'SyntaxError') === isSyntax).length;
  const syntax = count(after, true) - count(before, true);
  return syntax !== 0 ? syntax > 0 : count(after, false) > count(before, false);
}
