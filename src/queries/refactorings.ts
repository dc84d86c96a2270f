// Refactorings that are offered for a range: edits after which the program does the same, to the order in which errors
// are raised. One that cannot be made there says why.

import type { Analysis } from './analysis.ts';
import { EffectAnalysis } from './refactorings/effects.ts';
import { extractFunction } from './refactorings/extract-function.ts';
import { extractVariable } from './refactorings/extract-variable.ts';
import { inlineFunction } from './refactorings/inline-function.ts';
import { inlineVariable } from './refactorings/inline-variable.ts';
import type { OffsetRange } from './refactorings/nodes.ts';
import { actionOf } from './refactorings/refactoring.ts';
import type { Refactoring, RefactoringContext } from './refactorings/refactoring.ts';
import type { CodeAction, CodeActionKind } from './results.ts';

interface Row {
  readonly kind: CodeActionKind;
  readonly title: string;
  readonly find: (context: RefactoringContext, range: OffsetRange) => Refactoring | null;
}

const rows: readonly Row[] = [
  { kind: 'extract-variable', title: 'Extract variable', find: extractVariable },
  { kind: 'extract-function', title: 'Extract function', find: extractFunction },
  { kind: 'inline', title: 'Inline variable', find: inlineVariable },
  { kind: 'inline', title: 'Inline function', find: inlineFunction },
];

/** Those of a range, and at a cursor those of what it is in. Empty for a file that the program does not have. */
export function refactoringsAt(analysis: Analysis, fileName: string, range: OffsetRange): readonly CodeAction[] {
  return refactoringsOf(analysis, fileName)(range);
}

/** The same for many ranges of one file. */
export function refactoringsOf(analysis: Analysis, fileName: string): (range: OffsetRange) => readonly CodeAction[] {
  const file = analysis.file(fileName);
  if (file === null || file.isPlugin) return () => [];
  const context: RefactoringContext = { analysis, file, effects: new EffectAnalysis(analysis) };
  return (range) =>
    rows.flatMap(({ kind, title, find }) => {
      const found = find(context, range);
      return found === null ? [] : [actionOf(context, kind, title, found)];
    });
}
