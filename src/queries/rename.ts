// Renaming across files. Whether the new name would clash with another one, or one of them capture the other, is found
// by doing it: the edited files are analysed, and every name in them must stand for what it stood for before.

import { keywords } from '../language/keywords.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { positionAt } from '../source.ts';
import type { Span } from '../source.ts';
import type { AnalysedFile, Analysis } from './analysis.ts';
import { kindWords } from './descriptions.ts';
import { analyseEdited } from './edits.ts';
import { lastStartingUpTo } from './file-index.ts';
import type { NameEntry } from './file-index.ts';
import { findReferences } from './references.ts';
import type { Refusal, RenamePreparation, RenameResult, TextEdit } from './results.ts';
import { findName, targetOf } from './targets.ts';
import type { DeclaredTarget, Target } from './targets.ts';

function refuse(reason: string): Refusal {
  return { kind: 'refusal', reason };
}

/** The name that can be renamed at an offset. */
export function prepareRenameAt(analysis: Analysis, fileName: string, offset: number): RenamePreparation {
  const found = findName(analysis, fileName, offset);
  if (found === null) return refuse('No name stands here.');
  const { entry, target } = found;
  const { text, span } = entry.name;
  switch (target?.kind) {
    case undefined:
      return refuse(`Nothing known is called ${text}.`);
    case 'library':
    case 'namespace':
    case 'error-type':
      return refuse(`${text} belongs to the library.`);
    case 'json-key':
      return refuse(`${text} is a key of a json: who makes the json decides about it.`);
    case 'declared':
      if (target.declaration.kind === 'main') return refuse('main is where a program begins; it has no other name.');
      return target.file.isPlugin ? refuse(`${text} belongs to a plugin.`) : { kind: 'name', span, name: text };
  }
}

/** `others` are further programs that may share files with this one. */
export function renameAt(
  analysis: Analysis,
  fileName: string,
  offset: number,
  newName: string,
  others: readonly Analysis[] = [],
): RenameResult {
  const prepared = prepareRenameAt(analysis, fileName, offset);
  if (prepared.kind === 'refusal') return prepared;
  const target = findName(analysis, fileName, offset)!.target as DeclaredTarget;
  const { name: oldName } = prepared;
  if (newName === oldName) return { kind: 'edits', edits: [], warning: null };
  const fault = faultOfName(analysis, newName, target);
  if (fault !== null) return refuse(fault);
  const programs = [analysis, ...others].filter((program) => program.file(target.file.name) !== null);
  const unread = programs.flatMap(({ files }) => files).find(({ syntax }) => syntax.unreadNames?.has(oldName) === true);
  if (unread !== undefined)
    return refuse(`${unread.name} has a mistake in its syntax, and ${oldName} stands where it could not be read.`);
  const edits = findReferences(programs, target, oldName).map(({ entry }): TextEdit => ({
    span: entry.name.span,
    text: newName,
  }));
  for (const program of programs) {
    const changed = changeOf(program, edits);
    if (changed !== null) return refuse(changed);
  }
  return { kind: 'edits', edits, warning: target.declaration.kind === 'field' ? fieldWarning(oldName) : null };
}

function fieldWarning(name: string): string {
  return `Where json, arguments and the host's values have the key ${name}, it is not renamed.`;
}

function faultOfName(analysis: Analysis, name: string, { declaration }: DeclaredTarget): string | null {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    return 'A name is made of letters, digits and _, and does not begin with a digit.';
  // Every keyword may be a field.
  if (name === 'main' && declaration.kind !== 'field') return 'main is where a program begins.';
  if (keywords.includes(name) && declaration.kind !== 'field') return `${name} is a word of the language.`;
  if (analysis.registry.namespace(name) !== undefined && declaration.kind !== 'field')
    return `${name} is a namespace of the library.`;
  return null;
}

/** What would no longer be the same, in a sentence; null if all is. */
function changeOf(program: Analysis, edits: readonly TextEdit[]): string | null {
  const after = analyseEdited(program, edits);
  for (const file of program.files) {
    const edited = after.file(file.name);
    if (edited === null || edited.index.names.length !== file.index.names.length)
      return `${file.name} could no longer be read.`;
    for (const [at, entry] of file.index.names.entries()) {
      const changed = edited.index.names[at]!;
      const is = targetOf(after, edited, changed);
      if (identityOf(targetOf(program, file, entry)) !== identityOf(is)) return captured(file, entry, changed, is);
    }
  }
  const fault = newError(program.diagnostics, after.diagnostics);
  return fault === null ? null : `${sentence(fault.message)} (${placeOf(fault.span)})`;
}

/** The first error whose code is there more often than before. */
function newError(before: readonly Diagnostic[], after: readonly Diagnostic[]): Diagnostic | null {
  const counts = new Map<string, number>();
  for (const { code } of before) counts.set(code, (counts.get(code) ?? 0) + 1);
  for (const diagnostic of after) {
    const left = counts.get(diagnostic.code) ?? 0;
    if (left === 0 && diagnostic.severity === 'error') return diagnostic;
    counts.set(diagnostic.code, left - 1);
  }
  return null;
}

function captured(file: AnalysedFile, entry: NameEntry, changed: NameEntry, is: Target | null): string {
  const where = placeOf(entry.name.span);
  const name = changed.name.text;
  if (is === null) return `${name} would stand for nothing at ${where}.`;
  if (is.kind !== 'declared') return `${name} at ${where} would stand for what the library calls so.`;
  const { declaration } = is;
  const line = positionAt(declaration.name.span.file, declaration.name.span.start).line;
  const other = is.file.name === file.name ? '' : ` of ${is.file.name}`;
  return `${name} at ${where} would stand for the ${kindWords[declaration.kind]} in line ${line}${other}.`;
}

function placeOf({ file, start }: Span): string {
  const { line, column } = positionAt(file, start);
  return `${file.name}:${line}:${column}`;
}

function sentence(message: string): string {
  return /[.?!]$/.test(message) ? message : `${message}.`;
}

/** The same text before and after, since a declaration is counted in its file. */
function identityOf(found: Target | null): string {
  switch (found?.kind) {
    case undefined:
      return 'nothing';
    case 'declared': {
      const { declarations } = found.file.index;
      const at = lastStartingUpTo(declarations, found.declaration.name.span.start, ({ name }) => name.span.start);
      return `${found.file.name} ${at}`;
    }
    case 'library':
      return found.row.id;
    case 'namespace':
      return found.library.name;
    case 'error-type':
      return found.error.name;
    case 'json-key':
      return 'key';
  }
}
