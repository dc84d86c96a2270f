// Quotients and remainders of ints that are worked out from variables alone, locals and globals.

import { operandsOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import type { Expression, GlobalId, LocalId } from '../../mir/mir.ts';
import { localsRead } from '../../mir/locals.ts';
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
