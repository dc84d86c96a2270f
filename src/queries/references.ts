// All places where something is meant, in all files of a program and of other programs that share files with it.

import type { AnalysedFile, Analysis } from './analysis.ts';
import type { NameEntry } from './file-index.ts';
import type { Highlight, Reference } from './results.ts';
import { findName, targetOf } from './targets.ts';
import type { Target } from './targets.ts';

/** A name that stands for what was asked about. */
export interface FoundReference {
  readonly analysis: Analysis;
  readonly file: AnalysedFile;
  readonly entry: NameEntry;
}

/**
 * The declaration among them, sorted by file and place. `others` are further programs, of which those count that have
 * the file of the declaration too. Empty where no name is, or one that stands for nothing known.
 */
export function referencesAt(
  analysis: Analysis,
  fileName: string,
  offset: number,
  others: readonly Analysis[] = [],
): readonly Reference[] {
  const found = findName(analysis, fileName, offset);
  if (found === null || found.target === null) return [];
  return findReferences([analysis, ...others], found.target, found.entry.name.text).map(({ entry: { name, use } }) => ({
    span: name.span,
    kind: use,
  }));
}

/** Reads and writes in one file. */
export function highlightsAt(analysis: Analysis, fileName: string, offset: number): readonly Highlight[] {
  const found = findName(analysis, fileName, offset);
  if (found === null || found.target === null) return [];
  const { file, entry, target } = found;
  return referencesIn(analysis, file, target, entry.name.text).map(({ name, use }) => ({
    span: name.span,
    kind: use === 'write' || use === 'declaration' ? 'write' : 'read',
  }));
}

export function findReferences(analyses: readonly Analysis[], target: Target, name: string): readonly FoundReference[] {
  const found = new Map<string, FoundReference>();
  for (const analysis of analyses) {
    for (const file of analysis.files) {
      if (file.isPlugin) continue;
      for (const entry of referencesIn(analysis, file, target, name))
        found.set(`${file.name}:${entry.name.span.start}`, { analysis, file, entry });
    }
  }
  return [...found.values()].sort(
    (a, b) =>
      (a.file.name < b.file.name ? -1 : a.file.name > b.file.name ? 1 : 0) ||
      a.entry.name.span.start - b.entry.name.span.start,
  );
}

function referencesIn(analysis: Analysis, file: AnalysedFile, target: Target, name: string): readonly NameEntry[] {
  return file.index.names.filter((entry) => {
    if (entry.name.text !== name) return false;
    const other = targetOf(analysis, file, entry);
    return other !== null && sameTarget(target, other);
  });
}

/** Files of two programs are the same if their names are. Keys of json are never known to be the same. */
export function sameTarget(a: Target, b: Target): boolean {
  switch (a.kind) {
    case 'declared':
      return (
        b.kind === 'declared' &&
        a.file.name === b.file.name &&
        a.declaration.name.span.start === b.declaration.name.span.start
      );
    case 'library':
      return b.kind === 'library' && a.row.id === b.row.id;
    case 'namespace':
      return b.kind === 'namespace' && a.library.name === b.library.name;
    case 'error-type':
      return b.kind === 'error-type' && a.error.id === b.error.id;
    case 'json-key':
      return false;
  }
}
