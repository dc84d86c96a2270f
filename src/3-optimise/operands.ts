// What each node of the typed tree is made of, so that analyses need not know every kind.

import type { Expression, Statement } from '../2-check/typed-tree.ts';

/** A statement that holds expressions alone, and neither branches nor sets a local. */
export type SimpleStatement = Statement & { readonly kind: 'set-global' | 'set-field' | 'set-element' | 'set-member' | 'set-item' | 'evaluate' | 'yield' | 'throw' };

/** The expressions directly in a node, in the order of their evaluation; a sequence's statements are not among them. */
export function operandsOf(node: Expression | SimpleStatement): readonly Expression[] {
  switch (node.kind) {
    case 'int':
    case 'double':
    case 'boolean':
    case 'string':
    case 'null':
    case 'get-local':
    case 'get-global':
    case 'invalid':
      return [];
    case 'get-field':
      return [node.object];
    case 'get-element':
      return [node.array, node.index];
    case 'operate':
      return node.operands;
    case 'logical':
    case 'same-object':
      return [node.left, node.right];
    case 'conditional':
      return [node.condition, node.then, node.otherwise];
    case 'widen':
    case 'is-null':
    case 'to-text':
    case 'to-json':
    case 'cast':
      return [node.operand];
    case 'call':
    case 'library-call':
      return node.arguments;
    case 'array-literal':
    case 'json-array':
      return node.elements;
    case 'struct-literal':
      return node.fields.map(({ value }) => value);
    case 'json-object':
      return node.members.map(({ value }) => value);
    case 'new-array':
      return node.lengths;
    case 'concat':
      return node.parts;
    case 'get-member':
      return [node.json, node.key];
    case 'get-item':
      return [node.json, node.index];
    case 'item-count':
      return [node.json];
    case 'sequence':
      return [node.value];
    case 'set-global':
    case 'yield':
      return [node.value];
    case 'set-field':
      return [node.object, node.value];
    case 'set-element':
      return [node.array, node.index, node.value];
    case 'set-member':
      return [node.json, node.key, node.value];
    case 'set-item':
      return [node.json, node.index, node.value];
    case 'evaluate':
      return [node.expression];
    case 'throw':
      return [node.message];
  }
}
