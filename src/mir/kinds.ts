// Groups of kinds of nodes, for walks that treat the kinds of a group alike: each kind is named once here, so that the
// type checker asks where a new one belongs.

import type { Expression, Statement } from './mir.ts';

/** A statement with blocks of statements in it. */
export type StructuredStatement = Statement & { readonly kind: 'if' | 'loop' | 'try' | 'block' };

export function isStructured(node: Statement): node is StructuredStatement {
  switch (node.kind) {
    case 'if':
    case 'loop':
    case 'try':
    case 'block':
      return true;
    case 'set-local':
    case 'set-global':
    case 'set-field':
    case 'set-element':
    case 'set-member':
    case 'set-item':
    case 'set-hoisted':
    case 'hoist-array':
    case 'append-text':
    case 'call-outlined':
    case 'return-live-outs':
    case 'charge':
    case 'evaluate':
    case 'yield':
    case 'throw':
    case 'break':
    case 'continue':
    case 'return':
    case 'finish':
      return false;
  }
}

/** An expression that reads a variable, or that does more or less than evaluate its operands, in order. */
export type SpecialExpression = Expression & {
  readonly kind: 'get-local' | 'get-hoisted' | 'logical' | 'conditional' | 'sequence' | 'built-text' | 'built-length';
};

/** Whether it evaluates all its operands, in their order, and then does one thing with them. */
export function isStrict(node: Expression): node is Exclude<Expression, SpecialExpression> {
  switch (node.kind) {
    case 'get-local':
    case 'get-hoisted':
    case 'logical':
    case 'conditional':
    case 'sequence':
    case 'built-text':
    case 'built-length':
      return false;
    case 'int':
    case 'double':
    case 'boolean':
    case 'string':
    case 'null':
    case 'get-global':
    case 'get-field':
    case 'get-element':
    case 'in-range':
    case 'in-bounds':
    case 'wrap32':
    case 'operate':
    case 'select':
    case 'widen':
    case 'check-null':
    case 'is-null':
    case 'same-object':
    case 'call':
    case 'library-call':
    case 'array-literal':
    case 'struct-literal':
    case 'new-array':
    case 'to-text':
    case 'concat':
    case 'build-text':
    case 'to-json':
    case 'json-object':
    case 'json-array':
    case 'get-member':
    case 'get-item':
    case 'item-count':
    case 'cast':
      return true;
  }
}
