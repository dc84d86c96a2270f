// Edits that fix faults: how the phases offer them, and how they are applied to a text.

import { nearestName } from '../language/nearest-name.ts';
import type { Span } from '../source.ts';
import type { Diagnostic, Fix } from './diagnostic.ts';

/** An edit that can be made without asking. */
export function sureFix(description: string, span: Span, replacement: string): Fix {
  return { description, sure: true, span, replacement };
}

/** An edit that is one of several ways. */
export function possibleFix(description: string, span: Span, replacement: string): Fix {
  return { description, sure: false, span, replacement };
}

/** Replaces a word by another one. */
export function wordFix(span: Span, word: string, sure: boolean): Fix {
  return { description: `write '${word}'`, sure, span, replacement: word };
}

/** The name that was probably meant. The fix is sure only if the names differ in nothing but upper and lower case. */
export function spellingFix(span: Span, name: string, near: string): Fix {
  return wordFix(span, near, name.toLowerCase() === near.toLowerCase());
}

/** Advice for a name that does not exist: the candidate that was probably meant; null if none is near. */
export function spellingAdvice(
  span: Span,
  name: string,
  candidates: Iterable<string>,
): { readonly help: string; readonly fix: Fix } | null {
  const near = nearestName(name, candidates);
  return near === null ? null : { help: `Did you mean '${near}'?`, fix: spellingFix(span, name, near) };
}

/** A diagnostic that has a fix. */
export type Fixed = Diagnostic & { readonly fix: Fix };

/** The diagnostics of a file that have a sure fix, in textual order; a fix that overlaps the one before is left out. */
export function findSureFixes(diagnostics: readonly Diagnostic[], fileName: string): readonly Fixed[] {
  const sure = diagnostics
    .filter(
      (diagnostic): diagnostic is Fixed =>
        diagnostic.fix !== null && diagnostic.fix.sure && diagnostic.fix.span.file.name === fileName,
    )
    .toSorted((a, b) => a.fix.span.start - b.fix.span.start || a.fix.span.end - b.fix.span.end);
  let end = -1;
  return sure.filter(({ fix: { span } }) => {
    if (span.start <= end) return false;
    end = span.end;
    return true;
  });
}

/** The text after the edits, which must not overlap. */
export function applyFixes(text: string, fixes: readonly Fix[]): string {
  let mended = text;
  for (const { span, replacement } of fixes.toSorted((a, b) => b.span.start - a.span.start)) {
    mended = mended.slice(0, span.start) + replacement + mended.slice(span.end);
  }
  return mended;
}
