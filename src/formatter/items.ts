// What a file consists of: headers, imports, types, functions, and statements.

import { builders } from 'prettier/doc';
import type {
  FunctionDeclaration,
  Header,
  ImportDeclaration,
  Item,
  MainDeclaration,
  Parameter,
  SyntaxFile,
  TypeDeclaration,
} from '../1-parse/syntax-tree.ts';
import { printAssigned } from './assignments.ts';
import { printList } from './lists.ts';
import { indented, Mismatch } from './printer.ts';
import type { Doc, Printer } from './printer.ts';
import { printBody, printLines } from './statements.ts';

const { group, indent } = builders;

export function printFile(p: Printer, file: SyntaxFile): Doc {
  const nodes = [...file.headers, ...file.imports, ...file.items].sort((a, b) => a.span.start - b.span.start);
  const lines = printLines(p, nodes, Infinity, 'file', (node) => printItem(p, node));
  return [...lines, p.gap('hardline', lines.length === 0 ? 'file' : 'closing').before];
}

function printItem(p: Printer, node: Header | ImportDeclaration | Item): Doc {
  switch (node.kind) {
    case 'header':
      return printHeader(p);
    case 'import':
      return [
        p.token('import'),
        indented(p.gapOf('space')),
        p.anyToken(),
        indented(p.gapOf('space')),
        p.token('as'),
        indented(p.gapOf('space')),
        p.anyToken(),
        p.token(';'),
      ];
    case 'type-declaration':
      return printType(p, node);
    case 'function-declaration':
    case 'main-declaration':
      return printFunction(p, node);
    case 'block':
    case 'empty':
    case 'variable-declaration':
    case 'assignment':
    case 'expression-statement':
    case 'break':
    case 'continue':
    case 'return':
    case 'yield':
    case 'throw':
    case 'if':
    case 'while':
    case 'do-while':
    case 'for':
    case 'foreach':
    case 'try':
    case 'broken':
      return p.statement(p, node);
  }
}

/** `@tool:key "value"` */
function printHeader(p: Printer): Doc {
  const key: Doc = [p.token('@'), p.anyToken(), p.token(':'), p.anyToken()];
  return [key, indented(p.gapOf('space')), p.anyToken()];
}

function printFunction(p: Printer, node: FunctionDeclaration | MainDeclaration): Doc {
  const { at, forced } = p;
  let head: Doc;
  try {
    head = printHead(p, node);
  } catch (fault) {
    if (!(fault instanceof Mismatch)) throw fault;
    // A body is formatted, whatever is wrong with what stands in front of it.
    p.reset(at, forced);
    head = p.verbatim(node.body.span.start);
  }
  return [head, p.gapOf('space'), printBody(p, node.body)];
}

function printHead(p: Printer, node: FunctionDeclaration | MainDeclaration): Doc {
  const head: Doc[] = [];
  if (node.kind === 'function-declaration') {
    if (node.exported) head.push(p.token('export'), indented(p.gapOf('space')));
    head.push(p.tight(node.returnType.span.end), indented(p.gapOf('space')));
  }
  head.push(p.anyToken());
  const { parameters } = node;
  head.push(printList(p, '()', parameters.length, (at) => printParameter(p, parameters[at]!)));
  return head;
}

function printParameter(p: Printer, { type, initialiser, variadic, span }: Parameter): Doc {
  const written: Doc[] = [p.tight(type.span.end), indented(p.gapOf('space'))];
  if (variadic) return [...written, p.tight(span.end)];
  const name = [...written, p.anyToken()];
  return initialiser === null ? name : printAssigned(p, name, '=', initialiser);
}

/** Fields have a line each, or all are on the line that they were written on. */
function printType(p: Printer, { fields, span }: TypeDeclaration): Doc {
  const head: Doc = [p.token('type'), indented(p.gapOf('space')), p.anyToken(), p.gapOf('space')];
  const printField = ({ type }: (typeof fields)[number]): Doc => [
    p.tight(type.span.end),
    indented(p.gapOf('space')),
    p.anyToken(),
    p.token(';'),
  ];
  const isOneLine = fields.length === 0 || p.isOnOneLine(span.end);
  const open = p.token('{');
  if (!isOneLine) {
    const lines = printLines(p, fields, span.end - 1, 'opening', printField);
    const gap = p.gap('hardline', 'closing');
    return [head, open, indent([...lines, gap.before]), gap.last, p.token('}')];
  }
  const parts = fields.map((field): Doc => [p.gapOf('line'), printField(field)]);
  const gap = p.gap('line', 'closing');
  const close = p.token('}');
  if (fields.length === 0 && gap.before === '') return [head, open, close];
  return [head, group([open, indent([...parts, gap.before]), gap.last, close])];
}
