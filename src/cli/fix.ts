// Fixes a text: makes its sure fixes, checks it again, and repeats this until none is left. A fix that makes the text
// worse is not kept.

import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { applyFixes, findSureFixes } from '../diagnostics/fixes.ts';
import type { Fixed } from '../diagnostics/fixes.ts';

export interface Mended {
  readonly text: string;
  /** The fixes that were made, each with its place in the text at that time. */
  readonly made: readonly Fixed[];
  /** The remaining diagnostics of the text. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * One fix may reveal the next, so the text is checked again; the number of rounds is bounded, since two fixes could
 * undo each other.
 */
const mostRounds = 100;
/** If all fixes together make the text worse, so many are tried alone. */
const mostAttempts = 20;

/** `check` finds the diagnostics of a text; fixes in files other than `fileName` are not made. */
export function mendText(text: string, check: (text: string) => readonly Diagnostic[], fileName: string): Mended {
  let current: Mended = { text, made: [], diagnostics: check(text) };
  for (let round = 0; round < mostRounds; round++) {
    const next = mendOnce(current, check, fileName);
    if (next === null) break;
    current = next;
  }
  return current;
}

/**
 * Makes all fixes at once. If that makes the text worse, makes the first single fix that does not; null if there is
 * none.
 */
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
    if (!isWorse(diagnostics, before.diagnostics, fixed))
      return { text, made: [...before.made, ...fixed], diagnostics };
  }
  return null;
}

/** Faults of syntax hide others: where one of them is mended, the text is no worse for what comes to light. */
function isWorse(after: readonly Diagnostic[], before: readonly Diagnostic[], fixed: readonly Fixed[]): boolean {
  const count = (diagnostics: readonly Diagnostic[], isSyntax: boolean): number =>
    diagnostics.filter(({ type, severity }) => severity === 'error' && (type === 'SyntaxError') === isSyntax).length;
  const syntax = count(after, true) - count(before, true);
  if (syntax !== 0 || fixed.some(({ type }) => type === 'SyntaxError')) return syntax > 0;
  return count(after, false) > count(before, false);
}
