// The statements that a range lies in: the smallest run of neighbours, of statements, fields or items of the file,
// that covers it.

import type {
  FieldDeclaration,
  Header,
  ImportDeclaration,
  Item,
  Statement,
  SyntaxFile,
} from '../1-parse/syntax-tree.ts';

interface Range {
  readonly start: number;
  readonly end: number;
}

type Line = Header | ImportDeclaration | Item | FieldDeclaration;

/** A range that no statement lies in is answered as it is. */
export function coveringRange(file: SyntaxFile, range: Range): Range {
  let lists: readonly (readonly Line[])[] = [[...file.headers, ...file.imports, ...file.items]];
  let covering = range;
  for (let isOutermost = true; ; isOutermost = false) {
    // What reaches beyond a list is of the statement around it.
    const found = lists
      .map((lines) => lines.filter(({ span }) => span.end >= range.start && span.start <= range.end))
      .find((touched) => touched.length > 0 && (isOutermost || isWithin(range, touched)));
    if (found === undefined) return covering;
    covering = {
      start: Math.min(range.start, ...found.map(({ span }) => span.start)),
      end: Math.max(range.end, ...found.map(({ span }) => span.end)),
    };
    if (found.length > 1) return covering;
    lists = listsIn(found[0]!);
  }
}

function isWithin({ start, end }: Range, lines: readonly Line[]): boolean {
  return start >= lines[0]!.span.start && end <= lines.at(-1)!.span.end;
}

/** The statements or fields right inside of one, as lists of neighbours. */
function listsIn(node: Line): readonly (readonly Line[])[] {
  if (!('kind' in node)) return [];
  switch (node.kind) {
    case 'type-declaration':
      return [node.fields];
    case 'block':
      return [node.statements];
    case 'function-declaration':
    case 'main-declaration':
      return [node.body.statements];
    case 'if':
      return [linesOf(node.then), node.otherwise === null ? [] : linesOf(node.otherwise)];
    case 'while':
    case 'do-while':
    case 'for':
    case 'foreach':
      return [linesOf(node.body)];
    case 'try':
      return [node.body.statements, ...node.clauses.map(({ body }) => body.statements)];
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

/** What a branch or loop does: braces are no statement of their own. */
function linesOf(body: Statement): readonly Line[] {
  return body.kind === 'block' ? body.statements : [body];
}
