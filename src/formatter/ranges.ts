// The statements that a range lies in: the smallest run of neighbours, of statements, fields or items of the file,
// that covers it.

import type { FieldDeclaration, Header, ImportDeclaration, Item, SyntaxFile } from '../1-parse/syntax-tree.ts';

interface Range {
  readonly start: number;
  readonly end: number;
}

type Line = Header | ImportDeclaration | Item | FieldDeclaration;

/** A range that no statement lies in is answered as it is. */
export function coveringRange(file: SyntaxFile, range: Range): Range {
  let lines: readonly Line[] = [...file.headers, ...file.imports, ...file.items];
  let covering = range;
  for (let isOutermost = true; lines.length > 0; isOutermost = false) {
    const touched = lines.filter(({ span }) => span.end >= range.start && span.start <= range.end);
    if (touched.length === 0) break;
    const start = Math.min(...touched.map(({ span }) => span.start));
    const end = Math.max(...touched.map(({ span }) => span.end));
    // What reaches beyond them is of the statement around them.
    if (!isOutermost && (range.start < start || range.end > end)) break;
    covering = { start: Math.min(start, range.start), end: Math.max(end, range.end) };
    if (touched.length > 1) break;
    lines = linesIn(touched[0]!);
  }
  return covering;
}

/** The statements or fields right inside of one. */
function linesIn(node: Line): readonly Line[] {
  if (!('kind' in node)) return [];
  switch (node.kind) {
    case 'type-declaration':
      return node.fields;
    case 'block':
      return node.statements;
    case 'function-declaration':
    case 'main-declaration':
      return node.body.statements;
    case 'if':
      return [node.then, ...(node.otherwise === null ? [] : [node.otherwise])];
    case 'while':
    case 'do-while':
    case 'for':
    case 'foreach':
      return [node.body];
    case 'try':
      return [node.body, ...node.clauses.map(({ body }) => body)];
    case 'header':
    case 'import':
    case 'variable-declaration':
    case 'assignment':
    case 'break':
    case 'continue':
    case 'return':
    case 'yield':
    case 'throw':
    case 'expression-statement':
    case 'empty':
    case 'broken':
      return [];
  }
}
