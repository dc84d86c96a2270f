// Walks over the statements of a syntax tree.

import type { Item, Statement } from '../1-parse/syntax-tree.ts';

/** Calls `visit` with each statement of an item, also with those in others. */
export function visitStatements(item: Item, visit: (statement: Statement) => void): void {
  switch (item.kind) {
    case 'type-declaration':
      return;
    case 'function-declaration':
    case 'main-declaration':
      visitStatements(item.body, visit);
      return;
    case 'if':
    case 'while':
    case 'do-while':
    case 'for':
    case 'foreach':
    case 'try':
    case 'block':
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
      visit(item);
      for (const inner of innerStatements(item)) visitStatements(inner, visit);
  }
}

/** Whether other statements may be in it. */
export function isCompound(statement: Statement): boolean {
  return innerStatements(statement).length > 0 || statement.kind === 'block';
}

function innerStatements(statement: Statement): readonly Statement[] {
  switch (statement.kind) {
    case 'if':
      return [statement.then, ...(statement.otherwise === null ? [] : [statement.otherwise])];
    case 'while':
    case 'do-while':
    case 'foreach':
      return [statement.body];
    case 'for':
      return [...statement.initialisers, ...statement.steps, statement.body];
    case 'try':
      return [statement.body, ...statement.clauses.map(({ body }) => body)];
    case 'block':
      return statement.statements;
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
