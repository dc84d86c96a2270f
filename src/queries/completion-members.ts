// Completion behind a dot, and of the fields of a literal.

import { takesReceiver } from '../2-check/calls.ts';
import type { StructSymbol } from '../2-check/symbols.ts';
import type { Type } from '../language/types.ts';
import type { Analysis } from './analysis.ts';
import { documentationOf } from './comments.ts';
import { declaredItem, fieldEntryItem, libraryItem, ranks, wholeLiteralItem } from './completion-items.ts';
import type { Place } from './completion-items.ts';
import { sharedDeclarations } from './imports.ts';
import type { Probe } from './probe.ts';
import type { Completion } from './results.ts';
import type { SyntaxNode } from './syntax-nodes.ts';
import { declaredAt, importedFile } from './targets.ts';

/** The declaration of a struct type. */
export function structOf(analysis: Analysis, type: Type): StructSymbol | null {
  if (type.kind !== 'struct') return null;
  for (const { notes } of analysis.files) {
    const found = notes?.names.structs.get(type.name);
    if (found?.id === type.id) return found;
  }
  return null;
}

export function memberItems(place: Place, probed: Probe, path: readonly SyntaxNode[]): readonly Completion[] {
  const { analysis, file } = probed;
  const qualified = path.findLast((node) => node.kind === 'named-type');
  if (qualified?.kind === 'named-type' && qualified.qualifier !== null)
    return importedItems(place, probed, qualified.qualifier.text, true);
  const member = path.findLast((node) => node.kind === 'member');
  if (member?.kind !== 'member') return [];
  const { object } = member;
  const meaning = object.kind === 'name' ? file.notes?.meanings.get(object.span.start) : undefined;
  if (meaning?.kind === 'import') return importedItems(place, probed, meaning.name, false);
  if (meaning?.kind === 'namespace')
    return meaning.library.functions.map((row) => libraryItem(place, row, null, ranks.member));
  const type = analysis.notes.typeOf(object);
  return type === undefined || type.kind === 'invalid' || type.kind === 'void' ? [] : valueItems(place, probed, type);
}

/** What an imported file declares. */
function importedItems(
  place: Place,
  { analysis, file }: Probe,
  alias: string,
  onlyTypes: boolean,
): readonly Completion[] {
  const imported = importedFile(analysis, file, alias);
  if (imported === null) return [];
  return sharedDeclarations(imported)
    .filter(({ kind }) => kind === 'type' || !onlyTypes)
    .map((declaration) =>
      declaredItem(place, imported, declaration, { rank: declaration.kind === 'type' ? ranks.type : ranks.member }),
    );
}

/** Fields, then own functions that take the value first, then the methods of the library. */
function valueItems(place: Place, { analysis, file }: Probe, type: Type): readonly Completion[] {
  const fields = (structOf(analysis, type)?.fields ?? []).flatMap(({ span }) => {
    const found = declaredAt(analysis, span);
    return found === null ? [] : [declaredItem(place, found.file, found.declaration, { rank: ranks.member })];
  });
  const functions = [...(file.notes?.names.functions.values() ?? [])].flatMap((fn) => {
    const found = takesReceiver(fn, type) ? declaredAt(analysis, fn.span) : null;
    return found === null
      ? []
      : [declaredItem(place, found.file, found.declaration, { rank: ranks.file, hasReceiver: true })];
  });
  const argument = type.kind === 'array' ? type.element : null;
  const methods = analysis.registry
    .methodsOf(type)
    .filter(({ preludeOnly }) => !preludeOnly)
    .map((row) => libraryItem(place, row, argument, ranks.method));
  const own = new Set(methods.map(({ label }) => label));
  // A method of the library comes before a function of its name.
  return [...fields, ...functions.filter(({ label }) => !own.has(label)), ...methods];
}

/** The fields that a struct literal does not have yet. */
export function fieldItems(
  place: Place,
  { analysis }: Probe,
  path: readonly SyntaxNode[],
  text: string,
): readonly Completion[] {
  const literal = path.findLast((node) => node.kind === 'object-literal');
  const expected = literal?.kind === 'object-literal' ? analysis.notes.expectedAt(literal) : undefined;
  const struct = expected === undefined ? null : structOf(analysis, expected);
  if (literal?.kind !== 'object-literal' || struct === null) return [];
  const given = new Set(literal.entries.map(({ key }) => key.text));
  const hasColon = /^\s*:/.test(text.slice(place.replace.end, place.replace.end + 20));
  const missing = struct.fields.filter(({ name }) => !given.has(name));
  const items = missing.map(({ name, type, span }) => {
    const found = declaredAt(analysis, span);
    const documentation = found === null ? null : documentationOf(found.file.syntax, found.declaration);
    return fieldEntryItem(place, name, type, documentation, hasColon);
  });
  const names = missing.map(({ name }) => name);
  return names.length > 1 && literal.entries.length === 1
    ? [wholeLiteralItem(place, struct.name, names), ...items]
    : items;
}
