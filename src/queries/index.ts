// Questions about scripts, as editors, pages and commands ask them: pure functions of an analysis, the name of a file
// and an offset in UTF-16 units. They answer for files in any state, and never throw for one.

export { analyse } from './analysis.ts';
export type { AnalysedFile, AnalyseOptions, Analysis } from './analysis.ts';
export { callHierarchyAt, incomingCalls, outgoingCalls } from './calls.ts';
export { codeActionsAt, missesNameIn } from './code-actions.ts';
export { definitionAt, typeDefinitionAt } from './definition.ts';
export { applyEdits } from './edits.ts';
export { hintsOf } from './hints.ts';
export { hoverAt } from './hover.ts';
export { permissionsOf } from './permissions.ts';
export { foldingRangesOf, linksOf, selectionRangesAt } from './ranges.ts';
export { refactoringsAt } from './refactorings.ts';
export { highlightsAt, referencesAt } from './references.ts';
export { prepareRenameAt, renameAt } from './rename.ts';
export type * from './results.ts';
export { semanticTokensOf } from './semantic-tokens.ts';
export { symbolsOf, workspaceSymbols } from './symbols.ts';
export { viewOf } from './view.ts';
export { signatureAt } from './signature.ts';
export { completionsAt } from './completion.ts';
export type { CompletionOptions } from './completion.ts';
