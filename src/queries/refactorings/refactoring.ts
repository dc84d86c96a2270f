// What all refactorings share: what they are asked with, and what they answer.

import type { AnalysedFile, Analysis } from '../analysis.ts';
import type { CodeAction, CodeActionKind, TextEdit } from '../results.ts';
import type { EffectAnalysis } from './effects.ts';
import type { OffsetRange } from './nodes.ts';

export interface RefactoringContext {
  readonly analysis: Analysis;
  readonly file: AnalysedFile;
  readonly effects: EffectAnalysis;
}

/** One that can be made, or why it cannot be; null where there is nothing of its kind. */
export type Refactoring =
  | {
      readonly edits: readonly TextEdit[];
      /** The name that it has made up. */
      readonly name: { readonly text: string; readonly at: number } | null;
    }
  | { readonly disabled: string };

export function edit({ file }: RefactoringContext, { start, end }: OffsetRange, text: string): TextEdit {
  return { span: { file: file.source, start, end }, text };
}

export function actionOf(
  { file }: RefactoringContext,
  kind: CodeActionKind,
  title: string,
  found: Refactoring,
): CodeAction {
  const isMade = 'edits' in found;
  return {
    title,
    kind,
    edits: isMade ? found.edits : [],
    isPreferred: false,
    diagnostic: null,
    rename: isMade && found.name !== null ? { file: file.name, offset: found.name.at } : null,
    disabled: isMade ? null : found.disabled,
  };
}
