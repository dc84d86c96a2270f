// The words of the language where they may stand, some of them with the whole statement that they begin.

import type { Completion } from './results.ts';
import { snippetItem, wordItem } from './completion-items.ts';
import type { Place } from './completion-items.ts';

interface Snippet {
  readonly label: string;
  readonly text: string;
  readonly detail: string;
}

const statements: readonly Snippet[] = [
  { label: 'if', text: 'if (${1:condition}) {\n  $0\n}', detail: 'if (…) { … }' },
  { label: 'while', text: 'while (${1:condition}) {\n  $0\n}', detail: 'while (…) { … }' },
  { label: 'do', text: 'do {\n  $0\n} while (${1:condition});', detail: 'do { … } while (…);' },
  {
    label: 'for',
    text: 'for (int ${1:i} = 0; ${1:i} < ${2:n}; ${1:i}++) {\n  $0\n}',
    detail: 'for (int i = 0; i < n; i++) { … }',
  },
  { label: 'foreach', text: 'foreach (${1:int} ${2:x} in ${3:xs}) {\n  $0\n}', detail: 'foreach (T x in xs) { … }' },
  { label: 'try', text: 'try {\n  $0\n} catch (${1:e}) {\n}', detail: 'try { … } catch (e) { … }' },
];

const declarations: readonly Snippet[] = [
  { label: 'type', text: 'type ${1:Name} {\n  ${2:int} ${3:field};$0\n}', detail: 'type Name { … }' },
  { label: 'import', text: 'import "${1:file.slu}" as ${2:name};$0', detail: 'import "file.slu" as name;' },
  { label: 'export', text: 'export ${1:int} ${2:name}($3) {\n  $0\n}', detail: 'export int name() { … }' },
  { label: 'main', text: 'main($1) {\n  $0\n}', detail: 'main() { … }' },
];

const typeWords = ['int', 'double', 'boolean', 'string', 'json'];

export function typeItems(place: Place): readonly Completion[] {
  return typeWords.map((word) => wordItem(place, word, 'type'));
}

export interface StatementPlace {
  readonly isTopLevel: boolean;
  readonly isInLoop: boolean;
  /** Behind the end of an `if`. */
  readonly takesElse: boolean;
  /** Behind the end of a `try`. */
  readonly takesCatch: boolean;
}

export function statementItems(
  place: Place,
  { isTopLevel, isInLoop, takesElse, takesCatch }: StatementPlace,
): readonly Completion[] {
  const snippets = [
    ...statements,
    ...(isTopLevel ? declarations : []),
    ...(takesElse ? [{ label: 'else', text: 'else {\n  $0\n}', detail: 'else { … }' }] : []),
    ...(takesCatch ? [{ label: 'catch', text: 'catch (${1:e}) {\n  $0\n}', detail: 'catch (e) { … }' }] : []),
  ];
  const words = ['return', 'yield', 'throw', 'const', ...(isInLoop ? ['break', 'continue'] : [])];
  return [
    ...snippets.map(({ label, text, detail }) => snippetItem(place, label, text, detail)),
    ...words.map((word) => wordItem(place, word, 'keyword')),
    ...(isTopLevel ? [wordItem(place, 'void', 'type')] : []),
  ];
}

export function valueItems(place: Place): readonly Completion[] {
  return ['true', 'false', 'null', 'new'].map((word) => wordItem(place, word, 'keyword'));
}

const headers: readonly Snippet[] = [
  { label: '@tool:name', text: '@tool:name "$1"', detail: 'what the script is called' },
  { label: '@tool:description', text: '@tool:description "$1"', detail: 'what it does, in a sentence' },
  { label: '@tool:permission', text: '@tool:permission "$1"', detail: 'a hint at what it asks for; it grants nothing' },
];

export function headerItems(place: Place): readonly Completion[] {
  return headers.map(({ label, text, detail }) => snippetItem(place, label, text, detail));
}
