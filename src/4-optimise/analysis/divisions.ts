// Quotients and remainders of ints that are worked out from variables alone, locals and globals.

import { flatten, operandsOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import type { Expression, GlobalId, LocalId, Loop } from '../../mir/mir.ts';
import { isGet, localsRead } from '../../mir/locals.ts';
import { localsSetIn } from './invariance.ts';
import type { Changes } from './mod-ref.ts';

export type Division = Expression & { readonly kind: 'operate' };

/** Whether it divides ints, and not by a power of two. */
export function isDivision(node: Node): node is Division {
  if (node.kind !== 'operate') return false;
  const { operator, operands } = node;
  if (operator !== '/(int,int)' && operator !== '%(int,int)') return false;
  const divisor = operands[1]!;
  return divisor.kind !== 'int' || (divisor.value & (divisor.value - 1n)) !== 0n;
}

export function isQuotient({ operator }: Division): boolean {
  return operator === '/(int,int)';
}

const operators: ReadonlySet<string> = new Set(['+(int,int)', '-(int,int)', '*(int,int)', '-(int)']);

/** Whether an int is worked out from variables, and cannot fail. */
export function isOfVariables(node: Expression): boolean {
  if (node.kind === 'int' || node.kind === 'get-local' || node.kind === 'get-global') return node.type.kind === 'int';
  return node.kind === 'operate' && operators.has(node.operator) && operandsOf(node).every(isOfVariables);
}

/** The variables that values are worked out from. */
export class Variables {
  readonly locals = new Set<LocalId>();
  readonly globals = new Set<GlobalId>();

  constructor(values: readonly Expression[]) {
    visitAll(values, (node) => {
      for (const local of localsRead(node)) this.locals.add(local);
      if (node.kind === 'get-global') this.globals.add(node.global);
    });
  }

  /** Whether something sets one of them. */
  areChanged({ everything, locals, globals }: Pick<Changes, 'everything' | 'locals' | 'globals'>): boolean {
    if (everything && this.globals.size > 0) return true;
    for (const local of this.locals) if (locals.has(local)) return true;
    for (const global of this.globals) if (globals.has(global)) return true;
    return false;
  }
}

/** The divisions of a loop by the local that its condition has found not to be 0 in the same iteration: none fails. */
export function divisionsByTested({ condition, testFirst, body, step }: Loop): ReadonlySet<Node> {
  const found = new Set<Node>();
  const tested = testFirst && condition !== null ? testedLocal(condition) : null;
  if (tested === null) return found;
  const add = (nodes: readonly Node[]): void =>
    visitAll(nodes, (node) => {
      if (isDivision(node) && isGet(node.operands[1]!, tested)) found.add(node);
    });
  for (const node of flatten([...body, ...step])) {
    const inside = node.kind === 'set-local' ? node.value : node;
    if (localsSetIn(inside).has(tested)) break;
    add([inside]);
    if (node.kind === 'set-local' && node.local === tested) break;
  }
  return found;
}

/** The local of `d != 0` or `d > 0`. */
function testedLocal(condition: Expression): LocalId | null {
  if (condition.kind !== 'operate' || (condition.operator !== '!=(int,int)' && condition.operator !== '>(int,int)'))
    return null;
  const [left, right] = condition.operands as readonly [Expression, Expression];
  return left.kind === 'get-local' && right.kind === 'int' && right.value === 0n ? left.local : null;
}
