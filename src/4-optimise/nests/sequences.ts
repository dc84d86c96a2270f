// Sequences in the statements of a nest. The call of a small function was replaced by its body, which sets parameters
// and variables in the middle of an expression; in a nest that comes in front of the statement:
//
//   sum = (sum + ($x = (a[i][k] - b[k][j]); ($x * $x)))      $x = (a[i][k] - b[k][j])
//                                                            sum = (sum + ($x * $x))
//
// Nothing fails in a nest, so the order of values is seen by nobody; but nothing else in the statement may read what a
// sequence sets. Does not apply to sequences under a condition, and to those that do more than set locals.

import { flatten, operandsOf, withOperands } from '../../mir/children.ts';
import { isShortCircuit, isStrict } from '../../mir/kinds.ts';
import { localsRead } from '../../mir/locals.ts';
import type { Expression, Statement } from '../../mir/mir.ts';
import { count } from './reading.ts';

type Sequence = Expression & { readonly kind: 'sequence' };

/** The statements with their sequences in front of them. */
export function withoutSequences(nodes: readonly Statement[]): readonly Statement[] {
  return nodes.flatMap((node) => {
    const lifting = new Lifting();
    const last = lifting.statement(node);
    return lifting.sequences.length > 0 && lifting.isPossible(node) ? [...lifting.statements, last] : [node];
  });
}

class Lifting {
  readonly statements: Statement[] = [];
  /** Those inside others too. */
  readonly sequences: Sequence[] = [];
  #setsAlone = true;

  /** Whether each sets locals alone, which nothing else in the statement reads, in front of it or behind it. */
  isPossible(node: Statement): boolean {
    const all = count([node], localsRead);
    return (
      this.#setsAlone &&
      this.sequences.every((sequence) => {
        const own = count([sequence], localsRead);
        const set = flatten(sequence.statements).flatMap((one) => (one.kind === 'set-local' ? [one.local] : []));
        return set.every((local) => all.get(local) === own.get(local));
      })
    );
  }

  /** What is left of the statement; itself where it is of a kind that has no place in a nest. */
  statement(node: Statement): Statement {
    if (node.kind === 'set-local') return { ...node, value: this.#rest(node.value) };
    if (node.kind === 'set-element') {
      const [array, index, value] = [node.array, node.index, node.value].map((part) => this.#rest(part));
      return { ...node, array: array!, index: index!, value: value! };
    }
    if (node.kind !== 'if') return node;
    const [first, ...others] = node.arms as readonly [(typeof node.arms)[number], ...typeof node.arms];
    return { ...node, arms: [{ ...first, condition: this.#rest(first.condition) }, ...others] };
  }

  /** What is left of a value. */
  #rest(node: Expression): Expression {
    if (node.kind === 'sequence') return this.#restOf(node);
    if (!isStrict(node) && !isShortCircuit(node)) return node;
    const operands = operandsOf(node);
    const [first, ...others] = operands;
    if (first === undefined) return node;
    const rest = [this.#rest(first), ...(isStrict(node) ? others.map((part) => this.#rest(part)) : others)];
    return rest.every((part, at) => part === operands[at]) ? node : withOperands(node, rest);
  }

  #restOf(node: Sequence): Expression {
    this.sequences.push(node);
    for (const part of flatten(node.statements)) {
      this.#setsAlone &&= part.kind === 'set-local' || part.kind === 'charge';
      this.statements.push(part.kind === 'set-local' ? this.statement(part) : part);
    }
    return this.#rest(node.value);
  }
}
