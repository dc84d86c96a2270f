// What the tests of this room share: parsing a text, and writing trees and diagnostics down in short.

import { parse } from '../../src/1-parse/parse.ts';
import type { SyntaxFile } from '../../src/1-parse/syntax-tree.ts';
import { DiagnosticSink } from '../../src/diagnostics/diagnostic.ts';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { createSourceFile, positionAt } from '../../src/source.ts';

export interface Parsed {
  readonly file: SyntaxFile;
  readonly diagnostics: readonly Diagnostic[];
}

export function parseText(text: string): Parsed {
  const sink = new DiagnosticSink();
  const file = parse(createSourceFile('test.slu', text), sink);
  return { file, diagnostics: sink.sorted() };
}

/** Parses a text without faults. */
export function parseGood(text: string): SyntaxFile {
  const { file, diagnostics } = parseText(text);
  if (diagnostics.length > 0) throw new Error(`${text}\n${diagnostics.map(describe).join('\n')}`);
  return file;
}

/** `E1009 1:10`. */
export function describe(diagnostic: Diagnostic): string {
  const { line, column } = positionAt(diagnostic.span.file, diagnostic.span.start);
  return `${diagnostic.code} ${line}:${column}`;
}

/** The codes and places of what is wrong with a text, in order. */
export function faultsOf(text: string): readonly string[] {
  return parseText(text).diagnostics.map(describe);
}

type Node = Readonly<Record<string, unknown>>;

/** Fields that say where, not what. */
const places = new Set(['span', 'operatorSpan', 'pathSpan', 'source']);

/** A tree without its places: `(binary operator:+ left:(name text:a) right:(name text:b))`. */
export function show(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `[${value.map(show).join(' ')}]`;
  if (typeof value !== 'object') return typeof value === 'string' ? value : String(value);
  const node = value as Node;
  const fields = Object.entries(node).filter(([field]) => field !== 'kind' && !places.has(field));
  if (fields.length === 1 && fields[0]![0] === 'text' && node['kind'] === undefined) return String(node['text']);
  const shown = fields.map(([field, child]) => ` ${field}:${show(child)}`).join('');
  return node['kind'] === undefined ? `{${shown.trimStart()}}` : `(${String(node['kind'])}${shown})`;
}

/** An expression fully parenthesised, as people write it on paper. */
export function showExpression(node: unknown): string {
  const e = node as Node;
  const at = (field: string): string => showExpression(e[field]);
  const list = (field: string): string => (e[field] as readonly unknown[]).map(showExpression).join(', ');
  switch (e['kind']) {
    case 'binary':
      return `(${at('left')} ${String(e['operator'])} ${at('right')})`;
    case 'unary':
      return `(${String(e['operator'])}${at('operand')})`;
    case 'update':
      return e['prefix'] === true
        ? `(${String(e['operator'])}${at('operand')})`
        : `(${at('operand')}${String(e['operator'])})`;
    case 'conditional':
      return `(${at('condition')} ? ${at('then')} : ${at('otherwise')})`;
    case 'cast':
      return `(${at('operand')} as ${showType(e['type'])})`;
    case 'member':
      return `${at('object')}.${(e['member'] as { text: string }).text}`;
    case 'index':
      return `${at('object')}[${at('index')}]`;
    case 'call':
      return `${at('callee')}(${list('arguments')})`;
    case 'new-array':
      return `new ${showType(e['element'])}${(e['lengths'] as readonly unknown[]).map((length) => `[${showExpression(length)}]`).join('')}`;
    case 'array-literal':
      return `[${list('elements')}]`;
    case 'object-literal':
      return `{${(e['entries'] as readonly { key: { text: string }; quoted: boolean; value: unknown }[])
        .map(({ key, quoted, value }) => `${quoted ? JSON.stringify(key.text) : key.text}: ${showExpression(value)}`)
        .join(', ')}}`;
    case 'template':
      return `\`${(e['texts'] as readonly string[])
        .flatMap((text, index) => {
          const hole = (e['expressions'] as readonly unknown[])[index];
          return hole === undefined ? [text] : [text, `\${${showExpression(hole)}}`];
        })
        .join('')}\``;
    case 'string-literal':
      return JSON.stringify(e['value']);
    case 'boolean-literal':
      return String(e['value']);
    case 'null-literal':
      return 'null';
    case 'int-literal':
    case 'double-literal':
    case 'name':
      return String(e['text']);
    default:
      return `<${String(e['kind'])}>`;
  }
}

export function showType(node: unknown): string {
  const type = node as Node;
  switch (type['kind']) {
    case 'primitive-type':
      return String(type['name']);
    case 'named-type': {
      const qualifier = type['qualifier'] as { text: string } | null;
      const { text } = type['name'] as { text: string };
      return qualifier === null ? text : `${qualifier.text}.${text}`;
    }
    case 'array-type':
      return `${showType(type['element'])}[]`;
    case 'nullable-type':
      return `${showType(type['inner'])}?`;
    default:
      return `<${String(type['kind'])}>`;
  }
}

/** The expression of `yield …;`. */
export function expressionOf(text: string): string {
  const item = parseGood(`yield ${text};`).items[0]!;
  if (item.kind !== 'yield') throw new Error(item.kind);
  return showExpression(item.value);
}
