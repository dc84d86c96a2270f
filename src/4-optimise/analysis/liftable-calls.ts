// Calls that can be evaluated in front of the statement that they are in: all that it evaluates before them has no effect
// and cannot fail, and they are evaluated whatever happens.

import type { LibraryRegistry } from '../../library/registry.ts';
import { operandsOf, withOperands } from '../../mir/children.ts';
import { isSpeculatable } from '../../mir/effects.ts';
import { isShortCircuit, isSimple, isStrict } from '../../mir/kinds.ts';
import type { Call, Expression, Statement } from '../../mir/mir.ts';

/** A call, and the statement with something else in its place. */
export interface Lifted {
  readonly call: Call;
  readonly replaced: (value: Expression) => Statement;
}

/** The first call of the statement that can be lifted, of those that are asked for; null where there is none. */
export function liftFirstCall(
  node: Statement,
  isWanted: (call: Call) => boolean,
  registry: LibraryRegistry,
): Lifted | null {
  const find = (
    operands: readonly Expression[],
    rebuild: (operands: readonly Expression[]) => Statement,
  ): Lifted | null => {
    const found = findIn(operands, isWanted, registry);
    return found === null || found === 'stop'
      ? null
      : { call: found.call, replaced: (value) => rebuild(found.replaced(value)) };
  };
  if (isSimple(node)) return find(operandsOf(node), (operands) => withOperands(node, operands));
  if (node.kind === 'set-local') return find([node.value], ([value]) => ({ ...node, value: value! }));
  if ((node.kind === 'return' || node.kind === 'finish') && node.value !== null)
    return find([node.value], ([value]) => ({ ...node, value: value! }));
  if (node.kind !== 'if') return null;
  const [first, ...others] = node.arms as readonly [(typeof node.arms)[number], ...typeof node.arms];
  return find([first.condition], ([condition]) => ({
    ...node,
    arms: [{ ...first, condition: condition! }, ...others],
  }));
}

interface Found<Part> {
  readonly call: Call;
  readonly replaced: (value: Expression) => Part;
}

/** `stop` where something is evaluated that no call may move in front of. */
type Search<Part> = Found<Part> | 'stop' | null;

function findIn(
  operands: readonly Expression[],
  isWanted: (call: Call) => boolean,
  registry: LibraryRegistry,
): Search<readonly Expression[]> {
  for (const [at, operand] of operands.entries()) {
    const found = findCall(operand, isWanted, registry);
    if (found === 'stop') return 'stop';
    if (found === null) continue;
    return { call: found.call, replaced: (value) => operands.with(at, found.replaced(value)) };
  }
  return null;
}

function findCall(node: Expression, isWanted: (call: Call) => boolean, registry: LibraryRegistry): Search<Expression> {
  if (isStrict(node)) {
    const found = findIn(operandsOf(node), isWanted, registry);
    if (found === 'stop') return 'stop';
    if (found !== null) return { call: found.call, replaced: (value) => withOperands(node, found.replaced(value)) };
    if (node.kind === 'call' && isWanted(node)) return { call: node, replaced: (value) => value };
  } else if (isShortCircuit(node)) {
    const [first, ...others] = operandsOf(node) as readonly [Expression, ...(readonly Expression[])];
    const found = findCall(first, isWanted, registry);
    if (found === 'stop') return 'stop';
    if (found !== null)
      return { call: found.call, replaced: (value) => withOperands(node, [found.replaced(value), ...others]) };
  }
  return isSpeculatable(node, registry) ? null : 'stop';
}
