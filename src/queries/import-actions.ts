// Names that nothing in a file stands for, and imports of other known files that declare them.

import { catalog } from '../diagnostics/catalog.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { AnalysedFile, Analysis } from './analysis.ts';
import type { DeclarationKind, NameEntry } from './file-index.ts';
import { importables, sharedDeclarations } from './imports.ts';
import type { CodeAction, TextEdit } from './results.ts';
import type { SyntaxNode } from './syntax-nodes.ts';
import { targetOf } from './targets.ts';

/** What declares the name that a diagnostic misses, by its code. */
const missing: Readonly<Record<string, DeclarationKind>> = {
  [catalog.unknownName.code]: 'global',
  [catalog.unknownFunction.code]: 'function',
  [catalog.unknownType.code]: 'type',
  [catalog.unknownMethod.code]: 'function',
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
    const isMethod = diagnostic.code === catalog.unknownMethod.code;
    const declaring = files.filter((other) =>
      sharedDeclarations(other.file).some(
        (found) => found.kind === kind && found.name.text === name && (!isMethod || takesArgument(found.node)),
      ),
    );
    return declaring.flatMap(({ alias, edits }): CodeAction[] => {
      const written = isMethod ? callEdits(file, start, alias) : nameEdits(analysis, file, name, kind, alias);
      if (written === null) return [];
      const what = `'${alias}.${name}${isMethod ? '(…)' : ''}'`;
      return [
        {
          title: edits.length === 0 ? `Write ${what}` : `Import '${alias}' and write ${what}`,
          kind: 'quick-fix',
          edits: [...edits, ...written],
          isPreferred: false,
          diagnostic,
          rename: null,
          disabled: null,
        },
      ];
    });
  });
}

function takesArgument(node: SyntaxNode): boolean {
  return node.kind === 'function-declaration' && node.parameters.length > 0;
}

/** The alias in front of every use of a name. */
function nameEdits(
  analysis: Analysis,
  file: AnalysedFile,
  name: string,
  kind: DeclarationKind,
  alias: string,
): readonly TextEdit[] {
  return file.index.names
    .filter((entry) => entry.name.text === name && isMissed(analysis, file, entry, kind))
    .map((use) => ({ span: { ...use.name.span, end: use.name.span.start }, text: `${alias}.` }));
}

/** `x.f(y)` as `alias.f(x, y)`: functions of other files are not called behind a value. */
function callEdits(file: AnalysedFile, start: number, alias: string): readonly TextEdit[] | null {
  const entry = file.index.nameAt(start);
  const call = entry === null ? null : file.index.callOf(entry.node);
  if (entry === null || call === null) return null;
  const { tokens } = file.syntax;
  const dot = tokens.findLastIndex((token) => token.end <= start);
  const opener = tokens.find((token) => token.start >= entry.name.span.end);
  const before = tokens[dot - 1];
  if (before === undefined || opener === undefined || file.source.text[opener.start] !== '(') return null;
  const isComment = [before, tokens[dot]!].some(({ kind }) => kind === 'line-comment' || kind === 'block-comment');
  if (isComment) return null;
  const at = { ...call.span, end: call.span.start };
  return [
    { span: at, text: `${alias}.${entry.name.text}(` },
    { span: { ...call.span, start: before.end, end: opener.end }, text: call.arguments.length > 0 ? ', ' : '' },
  ];
}

/** Only the first use is reported; all of them are meant. */
function isMissed(analysis: Analysis, file: AnalysedFile, entry: NameEntry, kind: DeclarationKind): boolean {
  const { node, role, use } = entry;
  if (role === 'member' || role === 'key' || targetOf(analysis, file, entry) !== null) return false;
  if (node.kind === 'named-type') return kind === 'type' && node.qualifier === null;
  return kind === (use === 'call' ? 'function' : 'global');
}
