// Drops the settings of temporaries that nothing reads any more.

import type { Expression, Local, LocalId, Loop, Statement } from '../../mir/mir.ts';
import { visitAll } from '../../mir/children.ts';

/**
 * The loop without the settings of the checker's temporaries that it no longer reads, as far as working them out does
 * nothing else.
 */
export function withoutUnread(loop: Loop, locals: readonly Local[]): Loop {
  const read = new Set<LocalId>();
  let dropped = false;
  visitAll([loop], (node) => {
    if (node.kind === 'get-local') read.add(node.local);
  });
  const isUnread = (node: Statement): boolean =>
    node.kind === 'set-local' &&
    locals[node.local]!.name.startsWith('$') &&
    !read.has(node.local) &&
    isPure(node.value);
  const keep = (nodes: readonly Statement[]): readonly Statement[] =>
    nodes
      .filter((node) => {
        if (isUnread(node)) dropped = true;
        return !isUnread(node);
      })
      .map((node) => {
        if (node.kind === 'block') return { ...node, statements: keep(node.statements) };
        if (node.kind !== 'if') return node;
        const arms = node.arms.map((arm) => ({ ...arm, then: keep(arm.then) }));
        return { ...node, arms, otherwise: keep(node.otherwise) };
      });
  const kept = { ...loop, body: keep(loop.body), step: keep(loop.step) };
  return dropped ? withoutUnread(kept, locals) : kept;
}

/** Whether evaluating the node has no effect and cannot fail. */
function isPure(node: Expression): boolean {
  switch (node.kind) {
    case 'int':
    case 'get-local':
    case 'get-global':
      return true;
    case 'get-hoisted':
      return !node.checked && isPure(node.index);
    case 'operate':
      return (
        node.operator.endsWith('(int,int)') && !['/', '%'].includes(node.operator[0]!) && node.operands.every(isPure)
      );
    default:
      return false;
  }
}
