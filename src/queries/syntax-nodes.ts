// The syntax tree as every query walks it: what stands directly in a node, in textual order. Parts without a kind of
// their own (parameters, fields, declarators, clauses, entries) are wrapped, so that a path through the tree has them.

import type {
  CatchClause,
  Declarator,
  Expression,
  FieldDeclaration,
  Header,
  ImportDeclaration,
  Item,
  Name,
  ObjectEntry,
  Parameter,
  SyntaxFile,
  TypeSyntax,
} from '../1-parse/syntax-tree.ts';
import type { Span } from '../source.ts';

export type Part =
  | { readonly kind: 'parameter'; readonly part: Parameter; readonly span: Span }
  | { readonly kind: 'field'; readonly part: FieldDeclaration; readonly span: Span }
  | { readonly kind: 'declarator'; readonly part: Declarator; readonly span: Span }
  | { readonly kind: 'catch-clause'; readonly part: CatchClause; readonly span: Span }
  | { readonly kind: 'object-entry'; readonly part: ObjectEntry; readonly span: Span };

/** Anything below a file. */
export type SyntaxNode = Header | ImportDeclaration | Item | Expression | TypeSyntax | Part;

export function topLevelOf(file: SyntaxFile): readonly SyntaxNode[] {
  return [...file.headers, ...file.imports, ...file.items];
}

const none: readonly never[] = [];

function parametersOf(parameters: readonly Parameter[]): readonly Part[] {
  return parameters.map((part) => ({ kind: 'parameter', part, span: part.span }));
}

function present(...nodes: readonly (SyntaxNode | null)[]): readonly SyntaxNode[] {
  return nodes.filter((node) => node !== null);
}

export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  switch (node.kind) {
    case 'header':
    case 'import':
    case 'primitive-type':
    case 'named-type':
    case 'break':
    case 'continue':
    case 'empty':
    case 'int-literal':
    case 'double-literal':
    case 'boolean-literal':
    case 'null-literal':
    case 'string-literal':
    case 'name':
    case 'invalid-type':
      return none;
    case 'invalid-expression':
      return node.expressions;
    case 'broken':
      return [...node.statements, ...node.expressions].sort((a, b) => a.span.start - b.span.start);
    case 'type-declaration':
      return node.fields.map((part) => ({ kind: 'field', part, span: part.span }));
    case 'function-declaration':
      return [node.returnType, ...parametersOf(node.parameters), node.body];
    case 'main-declaration':
      return [...parametersOf(node.parameters), node.body];
    case 'parameter':
      return present(node.part.type, node.part.initialiser);
    case 'field':
      return [node.part.type];
    case 'declarator':
      return present(node.part.initialiser);
    case 'catch-clause':
      return [node.part.body];
    case 'object-entry':
      return [node.part.value];
    case 'array-type':
      return [node.element];
    case 'nullable-type':
      return [node.inner];
    case 'variable-declaration':
      return [node.type, ...node.declarators.map((part): Part => ({ kind: 'declarator', part, span: part.span }))];
    case 'assignment':
      return [node.target, node.value];
    case 'if':
      return present(node.condition, node.then, node.otherwise);
    case 'while':
      return [node.condition, node.body];
    case 'do-while':
      return [node.body, node.condition];
    case 'for':
      return present(...node.initialisers, node.condition, ...node.steps, node.body);
    case 'foreach':
      return [node.type, node.iterable, node.body];
    case 'return':
      return present(node.value);
    case 'yield':
    case 'throw':
      return [node.value];
    case 'try':
      return [node.body, ...node.clauses.map((part): Part => ({ kind: 'catch-clause', part, span: part.span }))];
    case 'expression-statement':
      return [node.expression];
    case 'block':
      return node.statements;
    case 'template':
      return node.expressions;
    case 'array-literal':
      return node.elements;
    case 'object-literal':
      return node.entries.map((part) => ({ kind: 'object-entry', part, span: part.span }));
    case 'member':
      return [node.object];
    case 'index':
      return [node.object, node.index];
    case 'call':
      return [node.callee, ...node.arguments];
    case 'unary':
    case 'update':
      return [node.operand];
    case 'cast':
      return [node.operand, node.type];
    case 'binary':
      return [node.left, node.right];
    case 'conditional':
      return [node.condition, node.then, node.otherwise];
    case 'new-array':
      return [node.element, ...node.lengths];
  }
}

/** How a name stands in the text. */
export type NameRole = 'declares' | 'value' | 'member' | 'key' | 'type' | 'qualifier' | 'error-type';

export interface WrittenName {
  readonly name: Name;
  readonly role: NameRole;
  /** The offset under which the checker has noted its meaning, if that is not where it begins. */
  readonly noted?: number;
}

/** The names that a node writes itself, outside its children. */
export function namesOf(node: SyntaxNode): readonly WrittenName[] {
  switch (node.kind) {
    case 'import':
      return [{ name: node.alias, role: 'declares' }];
    case 'type-declaration':
    case 'function-declaration':
    case 'main-declaration':
    case 'foreach':
      return [{ name: node.name, role: 'declares' }];
    case 'parameter':
    case 'field':
    case 'declarator':
      return [{ name: node.part.name, role: 'declares' }];
    case 'catch-clause': {
      const { errorType, name } = node.part;
      const declared = { name, role: 'declares' } as const;
      return errorType === null ? [declared] : [{ name: errorType, role: 'error-type' }, declared];
    }
    case 'object-entry':
      return keyOf(node.part);
    case 'named-type':
      return node.qualifier === null
        ? [{ name: node.name, role: 'type' }]
        : [
            { name: node.qualifier, role: 'qualifier' },
            { name: node.name, role: 'type' },
          ];
    case 'name':
      return [{ name: node, role: 'value' }];
    case 'member':
      return [{ name: node.member, role: 'member' }];
    case 'header':
    case 'primitive-type':
    case 'array-type':
    case 'nullable-type':
    case 'variable-declaration':
    case 'assignment':
    case 'if':
    case 'while':
    case 'do-while':
    case 'for':
    case 'break':
    case 'continue':
    case 'return':
    case 'yield':
    case 'throw':
    case 'try':
    case 'expression-statement':
    case 'block':
    case 'empty':
    case 'int-literal':
    case 'double-literal':
    case 'boolean-literal':
    case 'null-literal':
    case 'string-literal':
    case 'template':
    case 'array-literal':
    case 'object-literal':
    case 'index':
    case 'call':
    case 'unary':
    case 'update':
    case 'cast':
    case 'binary':
    case 'conditional':
    case 'new-array':
    case 'invalid-expression':
    case 'invalid-type':
    case 'broken':
      return none;
  }
}

/** Of a key in quotes the name is what stands between them; with escapes in it, it is none. */
function keyOf({ key, quoted }: ObjectEntry): readonly WrittenName[] {
  if (!quoted) return [{ name: key, role: 'key', noted: key.span.start }];
  const span: Span = { ...key.span, start: key.span.start + 1, end: key.span.end - 1 };
  return span.file.text.slice(span.start, span.end) === key.text
    ? [{ name: { text: key.text, span }, role: 'key', noted: key.span.start }]
    : none;
}
