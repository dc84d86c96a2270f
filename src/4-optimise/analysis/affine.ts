// Affine expressions: ints that a loop changes by the same amount in each iteration, `coefficient * variable + a value
// that the loop does not change`.

import type { Expression, LocalId } from '../../mir/mir.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import type { Changes } from './mod-ref.ts';
import { arithmetic, int } from '../../mir/builders.ts';
import { isSpeculatable } from '../../mir/effects.ts';
import { isUnchanged, pathKey } from './access-paths.ts';

export interface Linear {
  /** How much it moves when the variable moves by one; as a number where it is known. */
  readonly coefficient: bigint | Expression;
  /** All of it but the offset, with the variable in it; null for nothing. */
  readonly base: Expression | null;
  readonly offset: bigint;
}

/** Offsets and coefficients stay below this, so that sums of a few of them and of indices are still small. */
const largest = 1n << 29n;

/** The expression in this form, if it may be evaluated anywhere; else null. */
export function readLinear(
  node: Expression,
  variable: LocalId,
  changes: Changes,
  registry: LibraryRegistry,
): Linear | null {
  const found = isSpeculatable(node, registry) ? read(node, variable, changes) : null;
  if (found === null || magnitude(found.offset) > largest) return null;
  if (found.base !== null && pathKey(found.base) === null) return null;
  return typeof found.coefficient === 'bigint' && magnitude(found.coefficient) > largest ? null : found;
}

function read(node: Expression, variable: LocalId, changes: Changes): Linear | null {
  if (node.kind === 'int') return { coefficient: 0n, base: null, offset: node.value };
  if (node.kind === 'get-local' && node.local === variable) return { coefficient: 1n, base: node, offset: 0n };
  if (node.kind === 'operate') {
    const { operator } = node;
    const [left, right] = node.operands.map((operand) => read(operand, variable, changes)) as [
      Linear | null,
      Linear | null,
    ];
    if (operator === '+(int,int)' || operator === '-(int,int)')
      return left === null || right === null ? null : add(operator === '+(int,int)' ? '+' : '-', left, right, node);
    if (operator === '*(int,int)') return left === null || right === null ? null : multiply(left, right, node);
  }
  return isUnchanged(node, changes) ? { coefficient: 0n, base: node, offset: 0n } : null;
}

function add(symbol: '+' | '-', left: Linear, right: Linear, node: Expression): Linear {
  const coefficient = addCoefficients(symbol, left.coefficient, right.coefficient, node);
  const offset = symbol === '+' ? left.offset + right.offset : left.offset - right.offset;
  if (right.base === null) return { coefficient, base: left.base, offset };
  if (left.base === null && symbol === '+') return { coefficient, base: right.base, offset };
  return { coefficient, base: arithmetic(symbol, left.base ?? int(0n, node.span), right.base), offset };
}

function addCoefficients(
  symbol: '+' | '-',
  left: bigint | Expression,
  right: bigint | Expression,
  { span }: Expression,
): bigint | Expression {
  if (typeof left === 'bigint' && typeof right === 'bigint') return symbol === '+' ? left + right : left - right;
  if (right === 0n) return left;
  if (left === 0n && symbol === '+') return right;
  const asExpression = (part: bigint | Expression): Expression =>
    typeof part === 'bigint' ? wrapped(part, span) : part;
  return arithmetic(symbol, asExpression(left), asExpression(right));
}

/** One of the two must not move. */
function multiply(left: Linear, right: Linear, node: Expression): Linear | null {
  if (left.coefficient !== 0n && right.coefficient !== 0n) return null;
  const [still, moving] = left.coefficient === 0n ? [left, right] : [right, left];
  if (still.base === null) {
    const factor = wrapped(still.offset, node.span);
    return {
      coefficient:
        typeof moving.coefficient === 'bigint'
          ? moving.coefficient * still.offset
          : arithmetic('*', moving.coefficient, factor),
      base: moving.base === null ? null : arithmetic('*', moving.base, factor),
      offset: moving.offset * still.offset,
    };
  }
  const factor = whole(still, node);
  const coefficient =
    moving.coefficient === 0n
      ? 0n
      : arithmetic(
          '*',
          factor,
          typeof moving.coefficient === 'bigint' ? wrapped(moving.coefficient, node.span) : moving.coefficient,
        );
  return { coefficient, base: node, offset: 0n };
}

function whole({ base, offset }: Linear, node: Expression): Expression {
  const rest = wrapped(offset, node.span);
  return base === null ? rest : arithmetic('+', base, rest);
}

/** Of sums and products that are no ints any more what the script's are. */
function wrapped(value: bigint, span: Expression['span']): Expression {
  return int(BigInt.asIntN(64, value), span);
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
