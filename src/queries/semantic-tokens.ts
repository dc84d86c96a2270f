// Colours that only the meaning of a name tells: what is a type, a function, a parameter, what belongs to the library,
// what cannot be changed.

import type { AnalysedFile, Analysis } from './analysis.ts';
import type { Declaration, NameEntry } from './file-index.ts';
import type { SemanticToken, SemanticTokenModifier, SemanticTokenType } from './results.ts';
import { targetOf } from './targets.ts';

/** The names of a file in textual order, or those in a range of it. */
export function semanticTokensOf(
  analysis: Analysis,
  fileName: string,
  range: { readonly start: number; readonly end: number } = { start: 0, end: Infinity },
): readonly SemanticToken[] {
  const file = analysis.file(fileName);
  if (file === null) return [];
  return file.index.names
    .filter(({ name: { span } }) => span.end > range.start && span.start < range.end)
    .flatMap((entry) => tokenOf(analysis, file, entry) ?? []);
}

const declaredTypes: Readonly<Record<Declaration['kind'], SemanticTokenType>> = {
  function: 'function',
  main: 'function',
  type: 'type',
  field: 'property',
  global: 'variable',
  local: 'variable',
  parameter: 'parameter',
  foreach: 'variable',
  catch: 'variable',
  import: 'namespace',
};

function tokenOf(analysis: Analysis, file: AnalysedFile, entry: NameEntry): SemanticToken | null {
  const { name, role, use } = entry;
  const target = targetOf(analysis, file, entry);
  const made = (type: SemanticTokenType, ...modifiers: readonly SemanticTokenModifier[]): SemanticToken => ({
    span: name.span,
    type,
    modifiers: use === 'write' && role !== 'key' ? [...modifiers, 'modification'] : modifiers,
  });
  switch (target?.kind) {
    case undefined:
      return role === 'key' || role === 'member' ? made('property') : null;
    case 'library':
      if (target.row.receiver !== null) return made('method', 'defaultLibrary');
      return target.row.implementation.kind === 'constant'
        ? made('property', 'readonly', 'defaultLibrary')
        : made('function', 'defaultLibrary');
    case 'namespace':
      return made('namespace', 'defaultLibrary');
    case 'error-type':
      return made('type', 'defaultLibrary');
    case 'json-key':
      return made('property');
    case 'declared': {
      const { declaration } = target;
      const modifiers: SemanticTokenModifier[] = [];
      if (role === 'declares') modifiers.push('declaration');
      if (isConstant(declaration)) modifiers.push('readonly');
      return made(declaredTypes[declaration.kind], ...modifiers);
    }
  }
}

export function isConstant({ whole }: Declaration): boolean {
  return whole.kind === 'variable-declaration' && whole.constant;
}
