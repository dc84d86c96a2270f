// Forward substitution: where a position in a variable is compared, or goes around, what it is worked out from stands in
// its place, so that it is seen at which end of a loop that happens.
//
//   y = i - 1                                   y = i - 1
//   if (y >= 0) sum += a[y]                     if (i - 1 >= 0) sum += a[y]
//
// Source: Allen, Kennedy, "Optimizing Compilers for Modern Architectures", section 4.5.1.

import { flatten, visitAll } from '../../mir/children.ts';
import { localsSet } from '../../mir/locals.ts';
import type { Expression, LocalId, Loop, Statement } from '../../mir/mir.ts';
import { rewriteExpression, rewriteExpressions } from '../../mir/rewrite.ts';
import { readStep } from '../analysis/counted-loops.ts';
import { count } from './reading.ts';

/** The nest with this loop as its outermost, with comparisons and remainders of the counters of its loops. */
export function substitutePositions(root: Loop): Loop {
  return new Substitution(root).loop(root, new Map(), new Set());
}

/** What locals are worked out from. */
type Values = ReadonlyMap<LocalId, Expression>;

/** More nodes are no position. */
const mostNodes = 7;

class Substitution {
  /** How often the nest sets a local. */
  readonly #sets: ReadonlyMap<LocalId, number>;

  constructor(root: Loop) {
    this.#sets = count([root], localsSet);
  }

  /** `counters`: of the loops around, which stay as they are in an iteration. */
  loop(node: Loop, values: Values, counters: ReadonlySet<LocalId>): Loop {
    const [move] = flatten(node.step).flatMap((part) => readStep(part) ?? []);
    const variable = move?.[0];
    const isOwn = variable !== undefined && count([node], localsSet).get(variable) === 1;
    const inside = isOwn ? new Set([...counters, variable]) : counters;
    return { ...node, body: this.#block(node.body, values, inside) };
  }

  #block(nodes: readonly Statement[], around: Values, counters: ReadonlySet<LocalId>): readonly Statement[] {
    const values = new Map(around);
    return flatten(nodes).map((node) => {
      const made = this.#statement(node, values, counters);
      if (made.kind === 'set-local' && this.#sets.get(made.local) === 1) {
        const value = withValues(made.value, values);
        if (this.#isPosition(value, counters)) values.set(made.local, value);
      }
      return made;
    });
  }

  #statement(node: Statement, values: Values, counters: ReadonlySet<LocalId>): Statement {
    const change = (part: Expression): Expression => (isCompared(part) ? withValues(part, values) : part);
    if (node.kind === 'loop') return this.loop(node, values, counters);
    if (node.kind === 'try') return node;
    if (node.kind !== 'if') return rewriteExpressions([node], change)[0]!;
    const arms = node.arms.map(({ condition, then, ...arm }) => ({
      ...arm,
      condition: rewriteExpression(condition, change),
      then: this.#block(then, values, counters),
    }));
    return { ...node, arms, otherwise: this.#block(node.otherwise, values, counters) };
  }

  /** Whether it is a counter and a constant, or something that the nest does not change besides. */
  #isPosition(node: Expression, counters: ReadonlySet<LocalId>): boolean {
    let [nodes, is] = [0, node.type.kind === 'int'];
    visitAll([node], (part) => {
      nodes += 1;
      if (part.kind === 'get-local') is &&= counters.has(part.local) || !this.#sets.has(part.local);
      else is &&= part.kind === 'int' || (part.kind === 'operate' && sums.has(part.operator));
    });
    return is && nodes <= mostNodes;
  }
}

const sums: ReadonlySet<string> = new Set(['+(int,int)', '-(int,int)']);
const comparisons = /^(<|<=|>|>=|==|!=|%)\(int,int\)$/;

function isCompared(node: Expression): boolean {
  if (node.kind === 'library-call') return node.function === 'int.min' || node.function === 'int.max';
  return node.kind === 'operate' && comparisons.test(node.operator);
}

function withValues(node: Expression, values: Values): Expression {
  if (values.size === 0) return node;
  return rewriteExpression(node, (part) => (part.kind === 'get-local' ? (values.get(part.local) ?? part) : part));
}
