// Comparisons of ints that are written with doubles: `i < Math.min(ii + 32, n)` widens all three. For small ints, which a
// nest makes sure of, widening changes nothing.

import type { CountedLoop, Expression, LibraryCall } from '../../mir/mir.ts';
import { int } from '../../mir/builders.ts';
import { operatorById } from '../../language/operators.ts';
import { intType } from '../../language/types.ts';
import { flipped } from '../analysis/counted-loops.ts';

export interface IntComparison {
  readonly comparison: CountedLoop['comparison'];
  readonly left: Expression;
  readonly right: Expression;
}

/** A condition as the comparison of two ints; null where it is none. */
export function readIntComparison(condition: Expression): IntComparison | null {
  if (condition.kind !== 'operate') return null;
  const { symbol } = operatorById(condition.operator);
  if (!(symbol in flipped)) return null;
  const [left, right] = condition.operands.map(asInt);
  if (left === null || left === undefined || right === null || right === undefined) return null;
  return { comparison: symbol as CountedLoop['comparison'], left, right };
}

const onInts: Readonly<Record<string, string>> = {
  'Math.min': 'int.min',
  'Math.max': 'int.max',
  'double.min': 'int.min',
  'double.max': 'int.max',
};

/** The int that was widened, or worked out from widened ints; null for another double. */
function asInt(node: Expression): Expression | null {
  if (node.type.kind === 'int') return node;
  if (node.kind === 'widen') return node.operand;
  if (node.kind === 'double') return Number.isSafeInteger(node.value) ? int(BigInt(node.value), node.span) : null;
  const chosen = node.kind === 'library-call' ? onInts[node.function] : undefined;
  if (node.kind !== 'library-call' || chosen === undefined) return null;
  const operands = node.arguments.map(asInt);
  const ints = operands.filter((operand) => operand !== null);
  if (ints.length < operands.length) return null;
  const call: LibraryCall = { ...node, function: chosen, arguments: ints, type: intType };
  return call;
}
