// Sequences in the statements of a nest: the bodies of small functions, which set parameters and variables in the middle
// of an expression. They come in front of the statement, and what is worked out under a condition becomes a branch:
//
//   x = (c ? ($x = a[i][j]; ($x * $x)) : b)      if (c) { $x = a[i][j]; $chosen = ($x * $x) } else $chosen = b
//                                                x = $chosen
//
// Nothing fails in a nest, so the order of values is seen by nobody; but nothing else in the statement may read what a
// sequence sets. Does not apply to sequences that do more than set locals.

import { getLocal, not } from '../../mir/builders.ts';
import { flatten, operandsOf, visitAll, visitStatements, withOperands } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { isStrict } from '../../mir/kinds.ts';
import { localsRead, localsSet } from '../../mir/locals.ts';
import type { Expression, LocalId, Statement } from '../../mir/mir.ts';
import type { Type } from '../../language/types.ts';
import { count } from './reading.ts';

type Sequence = Expression & { readonly kind: 'sequence' };
type NewLocal = (name: string, type: Type) => LocalId;

/** The statements with their sequences in front of them. */
export function withoutSequences(nodes: readonly Statement[], newLocal: NewLocal): readonly Statement[] {
  return nodes.flatMap((node) => {
    const sequences = sequencesIn([node]);
    if (sequences.length === 0 || !isPossible(node, sequences)) return [node];
    const lifting = new Lifting(newLocal);
    const last = lifting.statement(node);
    return [...lifting.statements, last];
  });
}

function sequencesIn(nodes: readonly Node[]): readonly Sequence[] {
  const found: Sequence[] = [];
  visitAll(nodes, (node) => void (node.kind === 'sequence' && found.push(node)));
  return found;
}

/** Whether each sets locals alone, which nothing else in the statement reads, in front of it or behind it. */
function isPossible(node: Statement, sequences: readonly Sequence[]): boolean {
  const all = count([node], localsRead);
  return sequences.every((sequence) => {
    let setsAlone = true;
    visitStatements(sequence.statements, ({ kind }) => {
      setsAlone &&= kind === 'set-local' || kind === 'charge' || kind === 'if' || kind === 'block';
    });
    const own = count([sequence], localsRead);
    const set = count(sequence.statements, localsSet);
    return setsAlone && [...set.keys()].every((local) => all.get(local) === own.get(local));
  });
}

class Lifting {
  readonly statements: Statement[] = [];
  readonly #newLocal: NewLocal;

  constructor(newLocal: NewLocal) {
    this.#newLocal = newLocal;
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
    if (sequencesIn([node]).length === 0) return node;
    if (isStrict(node))
      return withOperands(
        node,
        operandsOf(node).map((part) => this.#rest(part)),
      );
    return node.kind === 'conditional' || node.kind === 'logical' ? this.#shortCircuit(node) : node;
  }

  #restOf(node: Sequence): Expression {
    for (const part of flatten(node.statements)) this.statements.push(this.statement(part));
    return this.#rest(node.value);
  }

  #shortCircuit(node: Expression & { readonly kind: 'conditional' | 'logical' }): Expression {
    const [first, ...others] = operandsOf(node) as readonly [Expression, ...(readonly Expression[])];
    const decided = this.#rest(first);
    const { span, type } = node;
    if (sequencesIn(others).length === 0) return withOperands(node, [decided, ...others]);
    const chosen = this.#newLocal('chosen', type);
    const set = (value: Expression): Statement => ({ kind: 'set-local', local: chosen, value, span });
    const block = (value: Expression): readonly Statement[] => withoutSequences([set(value)], this.#newLocal);
    const value = (): Expression => getLocal(chosen, type, span);
    if (node.kind === 'conditional') {
      const [then, otherwise] = others.map(block) as [readonly Statement[], readonly Statement[]];
      this.statements.push({ kind: 'if', arms: [{ condition: decided, then }], otherwise, span });
      return value();
    }
    // The others are worked out where the first one does not decide.
    const [only, ...more] = others;
    const rest = more.length === 0 ? only! : { ...node, operands: others };
    const condition = node.operator === '&&' ? value() : not(value());
    this.statements.push(set(decided), { kind: 'if', arms: [{ condition, then: block(rest) }], otherwise: [], span });
    return value();
  }
}
