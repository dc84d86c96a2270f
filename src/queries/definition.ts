// Where things are declared: a name's declaration, and that of the type of what it stands for.

import type { Type } from '../language/types.ts';
import type { AnalysedFile, Analysis } from './analysis.ts';
import type { Definition, Location } from './results.ts';
import { importedFile, findName } from './targets.ts';
import type { DeclaredTarget } from './targets.ts';

/** Null for what no file declares, such as a function of the library. */
export function definitionAt(analysis: Analysis, fileName: string, offset: number): Definition | null {
  const link = importAt(analysis, fileName, offset);
  if (link !== null) return link;
  const found = findName(analysis, fileName, offset);
  if (found === null || found.target?.kind !== 'declared' || found.target.file.isPlugin) return null;
  return { origin: found.entry.name.span, target: locationOf(found.target) };
}

export function locationOf({ declaration }: DeclaredTarget): Location {
  return { name: declaration.name.span, whole: declaration.whole.span };
}

/** The path of an import leads to the file. */
function importAt(analysis: Analysis, fileName: string, offset: number): Definition | null {
  const file = analysis.file(fileName);
  const node = file?.syntax.imports.find(({ pathSpan }) => pathSpan.start <= offset && offset <= pathSpan.end);
  if (file === null || node === undefined) return null;
  const imported = importedFile(analysis, file, node.alias.text);
  return imported === null ? null : { origin: node.pathSpan, target: startOf(imported) };
}

function startOf({ source }: AnalysedFile): Location {
  const span = { file: source, start: 0, end: 0 };
  return { name: span, whole: span };
}

/** The declaration of the struct that a name's value is, or is made of. */
export function typeDefinitionAt(analysis: Analysis, fileName: string, offset: number): Definition | null {
  const found = findName(analysis, fileName, offset);
  if (found === null) return null;
  const { file, entry, target } = found;
  const type = typeOfName(file, entry.noted) ?? (target?.kind === 'library' ? target.row.returns : null);
  const struct = type === null ? null : structIn(type);
  if (struct === null)
    return target?.kind === 'declared' && target.declaration.kind === 'import'
      ? definitionAt(analysis, fileName, offset)
      : null;
  const owner = analysis.files.find(({ notes }) => notes?.names.structs.get(struct.name)?.id === struct.id);
  const declaration = owner?.index.declarations.find(({ kind, name }) => kind === 'type' && name.text === struct.name);
  if (owner === undefined || declaration === undefined || owner.isPlugin) return null;
  return { origin: entry.name.span, target: locationOf({ kind: 'declared', file: owner, declaration }) };
}

/** The type of what a name stands for; for a function what it returns. */
export function typeOfName(file: AnalysedFile, start: number): Type | null {
  const meaning = file.notes?.meanings.get(start);
  switch (meaning?.kind) {
    case 'variable':
    case 'field':
      return meaning.type;
    case 'function':
      return meaning.returns;
    case 'struct':
      return { kind: 'struct', id: meaning.id, module: meaning.module, name: meaning.name };
    case 'library':
      return meaning.row.returns;
    case undefined:
    case 'import':
    case 'namespace':
    case 'json-key':
      return null;
  }
}

function structIn(type: Type): (Type & { readonly kind: 'struct' }) | null {
  if (type.kind === 'array') return structIn(type.element);
  return type.kind === 'struct' ? type : null;
}
