// What a name in the text refers to. The checker's note says it; where it has none, since the code around a mistake
// was not checked, the declarations that can be seen there do.

import type { Meaning } from '../2-check/notes.ts';
import type { ErrorType, ErrorTypeName } from '../language/errors.ts';
import { findErrorType } from '../language/errors.ts';
import type { Type } from '../language/types.ts';
import type { Library, LibraryFunction } from '../library/declare.ts';
import type { Span } from '../source.ts';
import type { AnalysedFile, Analysis } from './analysis.ts';
import type { Declaration, NameEntry } from './file-index.ts';

export type Target =
  | DeclaredTarget
  | { readonly kind: 'library'; readonly row: LibraryFunction; readonly typeArgument: Type | null }
  | { readonly kind: 'namespace'; readonly library: Library }
  | { readonly kind: 'json-key' }
  | { readonly kind: 'error-type'; readonly error: ErrorType<ErrorTypeName> };

/** Something that a file of the program declares. */
export interface DeclaredTarget {
  readonly kind: 'declared';
  readonly file: AnalysedFile;
  readonly declaration: Declaration;
}

/** A name in a file, and what it refers to. */
export interface FoundName {
  readonly file: AnalysedFile;
  readonly entry: NameEntry;
  /** Null for a name that stands for nothing known. */
  readonly target: Target | null;
}

/** The name at an offset; null where none is, or for a file that the program does not have. */
export function findName(analysis: Analysis, fileName: string, offset: number): FoundName | null {
  const file = analysis.file(fileName);
  const entry = file?.index.nameAt(offset) ?? null;
  return file === null || entry === null ? null : { file, entry, target: targetOf(analysis, file, entry) };
}

export function targetOf(analysis: Analysis, file: AnalysedFile, entry: NameEntry): Target | null {
  const { name, role, noted, node } = entry;
  if (role === 'declares') return declaredIn(file, name.span);
  if (role === 'error-type') {
    const error = findErrorType(name.text);
    return error === undefined ? null : { kind: 'error-type', error };
  }
  const meaning = file.notes?.meanings.get(noted);
  if (meaning !== undefined) return targetOfMeaning(analysis, meaning);
  if (role === 'member') {
    // `ns.f` in code that was not checked.
    const object = node.kind === 'member' && node.object.kind === 'name' ? node.object : null;
    return object === null ? null : importedMember(analysis, file, object.text, name.text, name.span.start);
  }
  if (role === 'type' && node.kind === 'named-type' && node.qualifier !== null)
    return importedMember(analysis, file, node.qualifier.text, name.text, name.span.start);
  if (role === 'key') return null;
  const declaration = file.index.resolve(name.text, name.span.start);
  if (declaration !== null) return { kind: 'declared', file, declaration };
  const library = analysis.registry.namespace(name.text);
  return library === undefined ? null : { kind: 'namespace', library };
}

function targetOfMeaning(analysis: Analysis, meaning: Meaning): Target | null {
  switch (meaning.kind) {
    case 'function':
    case 'struct':
    case 'variable':
    case 'field':
    case 'import':
      return declaredAt(analysis, meaning.span);
    case 'namespace':
      return { kind: 'namespace', library: meaning.library };
    case 'library':
      return meaning;
    case 'json-key':
      return { kind: 'json-key' };
  }
}

/** What is declared by the name at a span. */
export function declaredAt(analysis: Analysis, span: Span): DeclaredTarget | null {
  const file = analysis.files.find(({ source }) => source === span.file);
  return file === undefined ? null : declaredIn(file, span);
}

function declaredIn(file: AnalysedFile, { start }: Span): DeclaredTarget | null {
  const declaration = file.index.declarationAt(start);
  return declaration === null ? null : { kind: 'declared', file, declaration };
}

/** The file that an alias stands for. */
export function importedFile(analysis: Analysis, file: AnalysedFile, alias: string): AnalysedFile | null {
  const node = file.syntax.imports.find((candidate) => candidate.alias.text === alias);
  const module = node === undefined ? null : file.module.imports.get(node);
  return analysis.files.find((other) => other.module === module) ?? null;
}

function importedMember(
  analysis: Analysis,
  file: AnalysedFile,
  alias: string,
  name: string,
  offset: number,
): Target | null {
  if (file.index.resolve(alias, offset)?.kind !== 'import') return null;
  const imported = importedFile(analysis, file, alias);
  const declaration = imported?.index.declarations.find(
    (candidate) => candidate.name.text === name && ['function', 'type', 'global'].includes(candidate.kind),
  );
  return imported === null || declaration === undefined ? null : { kind: 'declared', file: imported, declaration };
}
