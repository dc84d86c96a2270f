// What a file declares at its top level, as the outline of an editor, and the search for a name in many files.

import type { Item } from '../1-parse/syntax-tree.ts';
import type { AnalysedFile, Analysis } from './analysis.ts';
import { functionText, typeText } from './descriptions.ts';
import type { DocumentSymbol, WorkspaceSymbol } from './results.ts';

/** In textual order; what is declared inside functions is no part of it. */
export function symbolsOf(analysis: Analysis, fileName: string): readonly DocumentSymbol[] {
  const file = analysis.file(fileName);
  if (file === null) return [];
  const imports = file.syntax.imports.map(({ alias, path, span }): DocumentSymbol => ({
    name: alias.text,
    kind: 'import',
    detail: path,
    span,
    nameSpan: alias.span,
    children: [],
  }));
  return [...imports, ...file.syntax.items.flatMap(symbolsOfItem)];
}

function symbolsOfItem(item: Item): readonly DocumentSymbol[] {
  // What could be read of a statement with a mistake declares its names all the same.
  if (item.kind === 'broken') return item.statements.flatMap(symbolsOfItem);
  if (item.kind === 'function-declaration' || item.kind === 'main-declaration') {
    const kind = item.kind === 'main-declaration' ? 'main' : 'function';
    const { name, span } = item;
    return [{ name: name.text, kind, detail: functionText(item), span, nameSpan: name.span, children: [] }];
  }
  if (item.kind === 'type-declaration') {
    const children = item.fields.map(({ type, name, span }): DocumentSymbol => ({
      name: name.text,
      kind: 'field',
      detail: typeText(type),
      span,
      nameSpan: name.span,
      children: [],
    }));
    return [{ name: item.name.text, kind: 'type', detail: null, span: item.span, nameSpan: item.name.span, children }];
  }
  if (item.kind !== 'variable-declaration') return [];
  const kind = item.constant ? 'constant' : 'variable';
  return item.declarators.map(({ name, span }): DocumentSymbol => ({
    name: name.text,
    kind,
    detail: typeText(item.type),
    span: item.declarators.length === 1 ? item.span : span,
    nameSpan: name.span,
    children: [],
  }));
}

/** Names that hold the letters of the query in their order, the closest first; fields too. */
export function workspaceSymbols(analyses: readonly Analysis[], query: string): readonly WorkspaceSymbol[] {
  const files = new Map<string, readonly [Analysis, AnalysedFile]>();
  for (const analysis of analyses)
    for (const file of analysis.files) if (!file.isPlugin) files.set(file.name, [analysis, file]);
  const found: { readonly symbol: WorkspaceSymbol; readonly score: number }[] = [];
  for (const [analysis, file] of files.values()) {
    for (const symbol of symbolsOf(analysis, file.name)) {
      for (const { name, kind, nameSpan } of [symbol, ...symbol.children]) {
        const score = scoreOf(name, query);
        const container = kind === 'field' ? symbol.name : null;
        if (score !== null && kind !== 'import')
          found.push({ symbol: { name, kind, container, span: nameSpan }, score });
      }
    }
  }
  return found.toSorted((a, b) => a.score - b.score).map(({ symbol }) => symbol);
}

/** 0 for the name itself, more the farther its letters are apart; null if they are not there in this order. */
function scoreOf(name: string, query: string): number | null {
  const [text, wanted] = [name.toLowerCase(), query.toLowerCase()];
  if (text === wanted) return 0;
  if (text.startsWith(wanted)) return 1 + text.length - wanted.length;
  if (text.includes(wanted)) return 100 + text.length;
  let at = -1;
  let gaps = 0;
  for (const letter of wanted) {
    const next = text.indexOf(letter, at + 1);
    if (next < 0) return null;
    gaps += next - at - 1;
    at = next;
  }
  return 1000 + gaps;
}
