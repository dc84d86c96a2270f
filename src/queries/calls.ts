// Who calls whom: for the call hierarchy of editors, and for what a function can reach.

import type { FunctionDeclaration, MainDeclaration } from '../1-parse/syntax-tree.ts';
import type { Span } from '../source.ts';
import type { AnalysedFile, Analysis } from './analysis.ts';
import { functionText } from './descriptions.ts';
import type { Container } from './file-index.ts';
import { findReferences } from './references.ts';
import type { CallHierarchyCall, CallHierarchyItem } from './results.ts';
import { declaredAt, findName } from './targets.ts';

/** What calls functions: one of them, main, or the statements at the top level of a file. */
export interface Caller {
  readonly file: AnalysedFile;
  /** Null for the statements at top level. */
  readonly node: FunctionDeclaration | MainDeclaration | null;
}

export function callerOf(file: AnalysedFile, container: Container | null): Caller {
  return { file, node: container === null || container.kind === 'type-declaration' ? null : container };
}

function itemOf({ file: { source }, node }: Caller): CallHierarchyItem {
  const start: Span = { file: source, start: 0, end: 0 };
  if (node === null) return { name: source.name, kind: 'script', detail: null, span: start, nameSpan: start };
  const { name, span } = node;
  const kind = node.kind === 'main-declaration' ? 'main' : 'function';
  return { name: name.text, kind, detail: functionText(node), span, nameSpan: name.span };
}

/** The function that a name stands for, or that an offset is in the head of. */
export function callHierarchyAt(analysis: Analysis, fileName: string, offset: number): CallHierarchyItem | null {
  const target = findName(analysis, fileName, offset)?.target;
  if (target?.kind !== 'declared') return null;
  const { node } = target.declaration;
  if (node.kind !== 'function-declaration' && node.kind !== 'main-declaration') return null;
  return itemOf({ file: target.file, node });
}

/** Who calls a function, in this program and in others that have its file. */
export function incomingCalls(
  analysis: Analysis,
  item: CallHierarchyItem,
  others: readonly Analysis[] = [],
): readonly CallHierarchyCall[] {
  const target = declaredAtItem(analysis, item);
  if (target === null || item.kind !== 'function') return [];
  const found = findReferences([analysis, ...others], target, item.name).filter(({ entry }) => entry.use === 'call');
  return grouped(found.map(({ file, entry }) => ({ caller: callerOf(file, entry.container), span: entry.name.span })));
}

/** What a function of the script calls; the library is left out. */
export function outgoingCalls(analysis: Analysis, item: CallHierarchyItem): readonly CallHierarchyCall[] {
  const file = analysis.file(item.nameSpan.file.name);
  if (file === null) return [];
  const calls = file.index.names.filter(({ use, container }) => {
    const { node } = callerOf(file, container);
    return (
      use === 'call' &&
      (node === null ? item.kind === 'script' : node.name.span.start === item.nameSpan.start && item.kind !== 'script')
    );
  });
  return grouped(
    calls.flatMap(({ name, noted }) => {
      const meaning = file.notes?.meanings.get(noted);
      const target = meaning?.kind === 'function' ? declaredAt(analysis, meaning.span) : null;
      return target?.declaration.node.kind === 'function-declaration'
        ? [{ caller: { file: target.file, node: target.declaration.node }, span: name.span }]
        : [];
    }),
  );
}

function declaredAtItem(analysis: Analysis, { nameSpan }: CallHierarchyItem): ReturnType<typeof declaredAt> {
  const file = analysis.file(nameSpan.file.name);
  return file === null ? null : declaredAt(analysis, { ...nameSpan, file: file.source });
}

function grouped(calls: readonly { readonly caller: Caller; readonly span: Span }[]): readonly CallHierarchyCall[] {
  const byItem = new Map<string, { readonly item: CallHierarchyItem; readonly calls: Span[] }>();
  for (const { caller, span } of calls) {
    const item = itemOf(caller);
    const key = `${item.nameSpan.file.name}:${item.kind}:${item.nameSpan.start}`;
    const known = byItem.get(key);
    if (known === undefined) byItem.set(key, { item, calls: [span] });
    else known.calls.push(span);
  }
  return [...byItem.values()];
}
