// Loops in which nothing can fail, wait or be seen from outside before they end.

import type { Loop } from '../../mir/mir.ts';
import { operatorById } from '../../language/operators.ts';
import { LibraryRegistry } from '../../library/registry.ts';
import { visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';

/** What a plugin brings is no instruction. */
const registry = new LibraryRegistry();

/** The loop, with a note where it counts and is quiet. */
export function notePure(loop: Loop): Loop {
  if (loop.counted === undefined) return loop;
  let isPure = true;
  visitAll([...loop.body, ...loop.step], (node) => {
    isPure &&= isPureNode(node);
  });
  return { ...loop, counted: { ...loop.counted, isPure } };
}

/** Whether the node itself can neither fail nor have an effect outside its function, whatever its parts do. */
export function isPureNode(node: Node): boolean {
  switch (node.kind) {
    case 'int':
    case 'double':
    case 'boolean':
    case 'get-local':
    case 'get-global':
    case 'in-range':
    case 'in-bounds':
    case 'logical':
    case 'conditional':
    case 'select':
    case 'wrap32':
    case 'widen':
    case 'is-null':
    case 'same-object':
    case 'sequence':
    case 'set-global':
    case 'if':
    case 'evaluate':
    case 'charge':
    case 'block':
    case 'break':
    case 'continue':
      return true;
    // What a text is set to takes memory.
    case 'set-local':
      return node.value.type.kind !== 'string';
    case 'get-hoisted':
    case 'set-hoisted':
      return !node.checked;
    case 'get-field':
    case 'set-field':
      return node.object.kind === 'get-local' && node.object.nonNull === true;
    case 'operate': {
      const { implementation } = operatorById(node.operator);
      return (
        implementation.kind === 'instruction' ||
        (implementation.kind === 'intrinsic' && !implementation.throws) ||
        isDivisionByConstant(node)
      );
    }
    case 'library-call':
      return registry.isArithmetic(node.function);
    default:
      return false;
  }
}

function isDivisionByConstant(node: Node & { readonly kind: 'operate' }): boolean {
  const divisor = node.operands[1];
  return (
    (node.operator === '/(int,int)' || node.operator === '%(int,int)') &&
    divisor?.kind === 'int' &&
    divisor.value !== 0n
  );
}
