// What an editor offers to do about a range of a file: the fixes of the diagnostics there, and all sure fixes of the
// file at once.

import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { findSureFixes } from '../diagnostics/fixes.ts';
import type { Fixed } from '../diagnostics/fixes.ts';
import type { AnalysedFile, Analysis } from './analysis.ts';
import type { CodeAction, TextEdit } from './results.ts';

/** Offsets in UTF-16 units; a cursor is a range of no length. */
export interface OffsetRange {
  readonly start: number;
  readonly end: number;
}

/** The actions for a range, the most likely first. */
export function codeActionsAt(analysis: Analysis, fileName: string, range: OffsetRange): readonly CodeAction[] {
  const file = analysis.file(fileName);
  if (file === null || file.isPlugin) return [];
  const sure = findSureFixes(analysis.diagnostics, fileName);
  return [...quickFixes(analysis, file, range, new Set(sure)), ...fixAll(sure)];
}

function quickFixes(
  analysis: Analysis,
  file: AnalysedFile,
  range: OffsetRange,
  sure: ReadonlySet<Diagnostic>,
): readonly CodeAction[] {
  return diagnosticsIn(analysis, file, range)
    .filter((diagnostic): diagnostic is Fixed => diagnostic.fix !== null)
    .map((diagnostic): CodeAction => ({
      title: sentenceCase(diagnostic.fix.description),
      kind: 'quick-fix',
      edits: [editOf(diagnostic)],
      isPreferred: sure.has(diagnostic),
      diagnostic,
      rename: null,
    }))
    .toSorted((a, b) => Number(b.isPreferred) - Number(a.isPreferred));
}

/** The diagnostics of a file that a range touches. */
function diagnosticsIn({ diagnostics }: Analysis, { source }: AnalysedFile, range: OffsetRange): readonly Diagnostic[] {
  return diagnostics.filter(
    ({ span }) => span.file.name === source.name && span.start <= range.end && range.start <= span.end,
  );
}

/** A fix may uncover the next one, which is offered then. */
function fixAll(sure: readonly Fixed[]): readonly CodeAction[] {
  if (sure.length === 0) return [];
  return [
    {
      title: 'Make all sure fixes in this file',
      kind: 'fix-all',
      edits: sure.map(editOf),
      isPreferred: false,
      diagnostic: null,
      rename: null,
    },
  ];
}

function editOf({ fix: { span, replacement } }: Fixed): TextEdit {
  return { span, text: replacement };
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
