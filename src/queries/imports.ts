// Imports: what a file imports already, and the edit that imports one more.

import { importAlias } from '../language/import-alias.ts';
import type { Span } from '../source.ts';
import type { AnalysedFile, Analysis } from './analysis.ts';
import type { Declaration } from './file-index.ts';
import type { TextEdit } from './results.ts';
import { importedFile } from './targets.ts';

/** A file that is or can be imported, under a name. */
export interface Importable {
  readonly file: AnalysedFile;
  readonly alias: string;
  /** The import that must be added first; none where the file is imported. */
  readonly edits: readonly TextEdit[];
}

/** What a file declares for others: types, functions and variables. */
export function sharedDeclarations(file: AnalysedFile): readonly Declaration[] {
  return file.index.declarations.filter(({ kind }) => kind === 'function' || kind === 'type' || kind === 'global');
}

/** Files that are imported, and those of other programs that can be. */
export function importables(
  analysis: Analysis,
  file: AnalysedFile,
  others: readonly Analysis[],
): readonly Importable[] {
  const found = new Map<string, Importable>();
  for (const { alias } of file.syntax.imports) {
    const imported = importedFile(analysis, file, alias.text);
    if (imported !== null) found.set(imported.name, { file: imported, alias: alias.text, edits: [] });
  }
  for (const program of [analysis, ...others]) {
    for (const candidate of program.files) {
      if (candidate.name === file.name || candidate.isPlugin || found.has(candidate.name)) continue;
      // A file that imports this one cannot be imported by it.
      if (reaches(program, candidate, file.name) || isProgram(candidate)) continue;
      found.set(candidate.name, { file: candidate, ...addImport(analysis, file, candidate.name) });
    }
  }
  return [...found.values()];
}

function reaches(program: Analysis, from: AnalysedFile, name: string): boolean {
  const seen = new Set<AnalysedFile>();
  const open = [from];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (file.name === name) return true;
    if (seen.has(file)) continue;
    seen.add(file);
    for (const { alias } of file.syntax.imports) {
      const imported = importedFile(program, file, alias.text);
      if (imported !== null) open.push(imported);
    }
  }
  return false;
}

/** Whoever runs by itself is seldom meant to be imported. */
export function isProgram({ syntax }: AnalysedFile): boolean {
  return syntax.items.some(
    ({ kind }) =>
      !['type-declaration', 'function-declaration', 'variable-declaration', 'empty', 'broken'].includes(kind),
  );
}

/** The edit that imports a file, behind the other imports, and the name that it gets. */
export function addImport(
  analysis: Analysis,
  file: AnalysedFile,
  target: string,
): { readonly alias: string; readonly edits: readonly TextEdit[] } {
  const { source, syntax, index } = file;
  const alias = importAlias(
    target,
    (taken) =>
      analysis.registry.namespace(taken) !== undefined ||
      index.declarations.some((declaration) => declaration.name.text === taken),
  );
  const last = [...syntax.imports, ...syntax.headers].toSorted((a, b) => a.span.end - b.span.end).at(-1);
  const text = `import "${relativePath(file.name, target)}" as ${alias};`;
  const at = last?.span.end ?? startOfCode(source.text);
  const span: Span = { file: source, start: at, end: at };
  return { alias, edits: [{ span, text: last === undefined ? `${text}\n\n` : `\n${text}` }] };
}

/** Behind a line that names an interpreter. */
function startOfCode(text: string): number {
  return /^#![^\n]*\n/.exec(text)?.[0].length ?? 0;
}

/** The path to a file as another one writes it. */
export function relativePath(from: string, target: string): string {
  const folders = from.split(/[/\\]/).slice(0, -1);
  const parts = target.split(/[/\\]/);
  let same = 0;
  while (same < folders.length && same < parts.length - 1 && folders[same] === parts[same]) same += 1;
  return [...folders.slice(same).map(() => '..'), ...parts.slice(same)].join('/');
}
