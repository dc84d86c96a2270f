// Which values are never null, by themselves or by what a pass has found out.

import type { Expression } from './mir.ts';

export function isNeverNull(node: Expression): boolean {
  switch (node.kind) {
    case 'string':
    case 'array-literal':
    case 'struct-literal':
    case 'new-array':
    case 'concat':
    case 'check-null':
    case 'to-text':
    case 'character':
    case 'build-text':
    case 'json-object':
    case 'json-array':
      return true;
    case 'conditional':
      return isNeverNull(node.then) && isNeverNull(node.otherwise);
    case 'sequence':
      return isNeverNull(node.value);
    case 'operate':
      return node.type.kind === 'string';
    case 'get-local':
    case 'get-field':
    case 'get-element':
    case 'built-text':
      return node.nonNull === true;
    case 'int':
    case 'double':
    case 'boolean':
    case 'null':
    case 'get-global':
    case 'get-hoisted':
    case 'in-range':
    case 'in-bounds':
    case 'out-of-fuel':
    case 'wrap32':
    case 'select':
    case 'built-length':
    case 'logical':
    case 'load':
    case 'reserve-scratch':
    case 'row-length':
    case 'distinct-rows':
    case 'splat':
    case 'extract-lane':
    case 'lane-wise':
    case 'widen':
    case 'is-null':
    case 'same-object':
    case 'to-json':
    case 'get-member':
    case 'get-item':
    case 'item-count':
    case 'cast':
    case 'call':
    case 'library-call':
      return false;
  }
}
