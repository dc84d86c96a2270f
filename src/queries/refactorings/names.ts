// Names for what refactorings make, which stand for nothing yet, and types as a file writes them.

import type { Expression } from '../../1-parse/syntax-tree.ts';
import { keywords } from '../../language/keywords.ts';
import { isValueType } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import { pluginFile } from '../../library/plugins.ts';
import type { AnalysedFile, Analysis } from '../analysis.ts';
import type { SyntaxNode } from '../syntax-nodes.ts';
import { nodesOf } from './nodes.ts';

/** The wanted name, with a number behind it where that is taken: it captures nothing, and is not captured. */
export function freeName(analysis: Analysis, { index, syntax }: AnalysedFile, wanted: string): string {
  const taken = new Set(
    index.names
      .filter(({ role, node }) => role !== 'member' && role !== 'key' && node.kind !== 'field')
      .map(({ name }) => name.text),
  );
  const isTaken = (name: string): boolean =>
    taken.has(name) ||
    keywords.includes(name) ||
    syntax.unreadNames?.has(name) === true ||
    analysis.registry.namespace(name) !== undefined;
  let name = wanted;
  for (let number = 2; isTaken(name); number++) name = `${wanted}${number}`;
  return name;
}

/** What a value may be called: as the field or the call that gives it, or by its type. */
export function nameOfValue(node: Expression, type: Type): string {
  const name = ownName(node);
  return name === null || keywords.includes(name) ? nameOfType(type) : name;
}

function ownName(node: Expression): string | null {
  if (node.kind === 'cast') return ownName(node.operand);
  if (node.kind === 'call') return nameOfCall(ownName(node.callee), node.callee.kind);
  if (node.kind === 'member') return lowered(node.member.text);
  return node.kind === 'name' ? node.text : null;
}

/** `length` of `text.length()`, `total` of `getTotal()`; a function alone keeps its name for itself. */
function nameOfCall(called: string | null, kind: Expression['kind']): string | null {
  const what = /^(?:get|to|as|read|make|find)([A-Z]\w*)$/.exec(called ?? '')?.[1];
  return what !== undefined ? lowered(what) : kind === 'member' ? called : 'result';
}

function nameOfType(type: Type): string {
  if (type.kind === 'struct') return lowered(type.name);
  if (type.kind === 'array') return type.element.kind === 'array' ? 'rows' : `${nameOfType(type.element)}s`;
  return namesByType[type.kind] ?? 'value';
}

const namesByType: Readonly<Record<string, string>> = { string: 'text', boolean: 'condition', json: 'data' };

function lowered(name: string): string {
  return /^[A-Z][A-Z0-9_]*$/.test(name) ? name.toLowerCase() : name.charAt(0).toLowerCase() + name.slice(1);
}

/** A type as a file names it; null for one that it cannot name, such as a struct of a file that it does not import. */
export function typeIn(analysis: Analysis, file: AnalysedFile, type: Type): string | null {
  if (!isValueType(type)) return null;
  if (type.kind === 'array') {
    const element = typeIn(analysis, file, type.element);
    return element === null ? null : `${element}[]`;
  }
  if (type.kind !== 'struct') return type.kind;
  const { module, name } = type;
  if (module === file.module.id) return name;
  const imported = [...file.module.imports].find(([, other]) => other?.id === module);
  const plugin = analysis.registry.libraries.find((library) => pluginFile(library.name) === module);
  const owner = imported?.[0].alias.text ?? plugin?.name;
  return owner === undefined ? null : `${owner}.${name}`;
}

/** Whether the names in a part of a file would stand for the same at another offset. */
export function keepsNames({ index }: AnalysedFile, part: SyntaxNode, offset: number): boolean {
  return nodesOf([part]).every(
    (node) => node.kind !== 'name' || index.resolve(node.text, node.span.start) === index.resolve(node.text, offset),
  );
}
