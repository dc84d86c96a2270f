// What an editor offers to do about a range of a file: the fixes of the diagnostics there, imports of names that are
// missing, functions that are, and all sure fixes of the file at once.

import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { findSureFixes } from '../diagnostics/fixes.ts';
import type { Fixed } from '../diagnostics/fixes.ts';
import type { AnalysedFile, Analysis } from './analysis.ts';
import { generateActions } from './generate-function.ts';
import { importActions, missesName } from './import-actions.ts';
import type { OffsetRange } from './refactorings/nodes.ts';
import type { CodeAction, TextEdit } from './results.ts';

/** The actions for a range, the most likely first. `others` are further programs, whose files can be imported. */
export function codeActionsAt(
  analysis: Analysis,
  fileName: string,
  range: OffsetRange,
  others: readonly Analysis[] = [],
): readonly CodeAction[] {
  const file = analysis.file(fileName);
  if (file === null || file.isPlugin) return [];
  const sure = findSureFixes(analysis.diagnostics, fileName);
  const diagnostics = diagnosticsIn(analysis, file, range);
  return [
    ...quickFixes(diagnostics, new Set(sure)),
    ...importActions(analysis, file, diagnostics, others),
    ...generateActions(analysis, file, diagnostics),
    ...fixAll(sure),
  ];
}

/** Whether further programs may know a name that is missing in a range. */
export function missesNameIn(analysis: Analysis, fileName: string, range: OffsetRange): boolean {
  const file = analysis.file(fileName);
  return file !== null && diagnosticsIn(analysis, file, range).some(missesName);
}

function quickFixes(diagnostics: readonly Diagnostic[], sure: ReadonlySet<Diagnostic>): readonly CodeAction[] {
  return diagnostics
    .filter((diagnostic): diagnostic is Fixed => diagnostic.fix !== null)
    .map((diagnostic): CodeAction => ({
      title: sentenceCase(diagnostic.fix.description),
      kind: 'quick-fix',
      edits: [editOf(diagnostic)],
      isPreferred: sure.has(diagnostic),
      diagnostic,
      rename: null,
      disabled: null,
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
      disabled: null,
    },
  ];
}

function editOf({ fix: { span, replacement } }: Fixed): TextEdit {
  return { span, text: replacement };
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
