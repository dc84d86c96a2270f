// Names that nothing in a file stands for, and imports of other known files that declare them.

import { catalog } from '../diagnostics/catalog.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { AnalysedFile, Analysis } from './analysis.ts';
import type { DeclarationKind, NameEntry } from './file-index.ts';
import { importables, sharedDeclarations } from './imports.ts';
import type { CodeAction } from './results.ts';
import { targetOf } from './targets.ts';

/** What declares the name that a diagnostic misses, by its code. */
const missing: Readonly<Record<string, DeclarationKind>> = {
  [catalog.unknownName.code]: 'global',
  [catalog.unknownFunction.code]: 'function',
  [catalog.unknownType.code]: 'type',
};

/** Whether a diagnostic is about a name that another file may declare. */
export function missesName({ code }: Diagnostic): boolean {
  return missing[code] !== undefined;
}

/** An action for each file that declares the name: the import if there is none yet, and its alias at every use. */
export function importActions(
  analysis: Analysis,
  file: AnalysedFile,
  diagnostics: readonly Diagnostic[],
  others: readonly Analysis[],
): readonly CodeAction[] {
  const missed = diagnostics.filter(missesName);
  if (missed.length === 0) return [];
  const files = importables(analysis, file, others);
  return missed.flatMap((diagnostic) => {
    const kind = missing[diagnostic.code]!;
    const { start, end } = diagnostic.span;
    const name = file.source.text.slice(start, end);
    const uses = file.index.names.filter((entry) => entry.name.text === name && isMissed(analysis, file, entry, kind));
    return files
      .filter((other) =>
        sharedDeclarations(other.file).some((found) => found.kind === kind && found.name.text === name),
      )
      .map(({ alias, edits }): CodeAction => ({
        title: edits.length === 0 ? `Write '${alias}.${name}'` : `Import '${alias}' and write '${alias}.${name}'`,
        kind: 'quick-fix',
        edits: [
          ...edits,
          ...uses.map((use) => ({ span: { ...use.name.span, end: use.name.span.start }, text: `${alias}.` })),
        ],
        isPreferred: false,
        diagnostic,
        rename: null,
        disabled: null,
      }));
  });
}

/** Only the first use is reported; all of them are meant. */
function isMissed(analysis: Analysis, file: AnalysedFile, entry: NameEntry, kind: DeclarationKind): boolean {
  const { node, role, use } = entry;
  if (role === 'member' || role === 'key' || targetOf(analysis, file, entry) !== null) return false;
  if (node.kind === 'named-type') return kind === 'type' && node.qualifier === null;
  return kind === (use === 'call' ? 'function' : 'global');
}
