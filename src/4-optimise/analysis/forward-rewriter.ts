// A rewrite that goes forwards through a function, in the order of evaluation, and knows at each node what holds there.
// Where branches come together, what both know still holds; at the beginning of each iteration of a loop, what was known
// in front of it and the loop does not change; in a clause nothing, since anything may have failed.
//
// Source: forward data-flow analysis, as for available expressions in Aho, Lam, Sethi, Ullman, "Compilers",
// section 9.2.6.

import { hasOperandsAlone, isJump, isStrict, isStructured } from '../../mir/kinds.ts';
import type { Arm, Expression, If, Loop, Statement, Try } from '../../mir/mir.ts';
import { operandsOf, withOperands } from '../../mir/children.ts';

type Nested = 'if' | 'loop' | 'try' | 'block';
/** A statement without others in it. */
export type PlainStatement = Exclude<Statement, { readonly kind: Nested }>;

export abstract class ForwardRewriter<Facts> {
  readonly #nothing: Facts;
  /** Behind the last operand of chains of logical operators: what is known where all of them were evaluated. */
  readonly #ends = new WeakMap<Expression, Facts | null>();
  /** What is known; null where control never comes. */
  protected known: Facts | null;

  constructor(nothing: Facts) {
    this.#nothing = nothing;
    this.known = nothing;
  }

  /** What both know. */
  protected abstract both(one: Facts, other: Facts): Facts;
  /** Behind a condition with this outcome. */
  protected abstract assume(condition: Expression, outcome: boolean): void;
  /** What the loop changes is no longer known. */
  protected abstract enterLoop(loop: Loop): void;
  /** An expression whose operands have been evaluated and rewritten. */
  protected abstract evaluated(node: Expression): Expression;
  /** A statement whose operands have been evaluated and rewritten; `before` was known in front of them. */
  protected abstract executed(node: PlainStatement, before: Facts | null): Statement;

  statements(nodes: readonly Statement[]): readonly Statement[] {
    return nodes.map((node) => this.#statement(node));
  }

  #statement(node: Statement): Statement {
    if (!isStructured(node)) {
      const before = this.known;
      const written = this.executed(this.#rewriteOperands(node), before);
      if (isJump(node)) this.known = null;
      return written;
    }
    switch (node.kind) {
      case 'if':
        return this.#if(node);
      case 'loop':
        return this.#loop(node);
      case 'try':
        return this.#try(node);
      case 'block':
        return { ...node, statements: this.statements(node.statements) };
    }
  }

  #rewriteOperands(node: PlainStatement): PlainStatement {
    if (hasOperandsAlone(node)) return withOperands(node, this.#all(operandsOf(node)));
    switch (node.kind) {
      case 'set-local':
        return { ...node, value: this.expression(node.value) };
      case 'set-hoisted': {
        const [index, value] = this.#all([node.index, node.value]) as [Expression, Expression];
        return { ...node, index, value };
      }
      case 'return':
      case 'finish':
        return { ...node, value: node.value === null ? null : this.expression(node.value) };
      case 'hoist-array':
        return { ...node, array: this.expression(node.array) };
      case 'break':
      case 'continue':
      case 'call-outlined':
      case 'return-live-outs':
      case 'osr-exit':
        return node;
    }
  }

  #if(node: If): If {
    const arms: Arm[] = [];
    const ends: (Facts | null)[] = [];
    for (const arm of node.arms) {
      const condition = this.expression(arm.condition);
      const before = this.known;
      this.#suppose(condition, true);
      arms.push({ ...arm, condition, then: this.statements(arm.then) });
      ends.push(this.known);
      this.known = before;
      this.#suppose(condition, false);
    }
    const otherwise = this.statements(node.otherwise);
    this.known = ends.reduce((one, other) => this.#meet(one, other), this.known);
    return { ...node, arms, otherwise };
  }

  #loop(node: Loop): Loop {
    this.enterLoop(node);
    const around = this.known;
    const first = node.condition !== null && node.testFirst ? this.expression(node.condition) : null;
    if (first !== null) this.#suppose(first, true);
    const body = this.statements(node.body);
    // A `continue` may have come from anywhere in the body.
    this.known = around;
    const step = this.statements(node.step);
    const last = node.condition !== null && !node.testFirst ? this.expression(node.condition) : null;
    this.known = around;
    return { ...node, condition: first ?? last, body, step };
  }

  #try(node: Try): Try {
    const body = this.statements(node.body);
    const afterBody = this.known;
    const ends = node.clauses.map((clause) => {
      this.known = this.#nothing;
      return { clause: { ...clause, body: this.statements(clause.body) }, known: this.known };
    });
    this.known = ends.reduce((one, { known }) => this.#meet(one, known), afterBody);
    return { ...node, body, clauses: ends.map(({ clause }) => clause) };
  }

  #all(nodes: readonly Expression[]): readonly Expression[] {
    return nodes.map((node) => this.expression(node));
  }

  protected expression(node: Expression): Expression {
    if (isStrict(node)) return this.evaluated(withOperands(node, this.#all(operandsOf(node))));
    switch (node.kind) {
      case 'get-local':
        return this.evaluated(node);
      case 'get-hoisted':
        return this.evaluated({ ...node, index: this.expression(node.index) });
      case 'conditional': {
        const condition = this.expression(node.condition);
        const before = this.known;
        this.#suppose(condition, true);
        const then = this.expression(node.then);
        const afterThen = this.known;
        this.known = before;
        this.#suppose(condition, false);
        const otherwise = this.expression(node.otherwise);
        this.known = this.#meet(afterThen, this.known);
        return { ...node, condition, then, otherwise };
      }
      case 'logical': {
        // In `a && b`, the facts of a hold in b. Behind the expression, only the facts hold that are common to all ways
        // in which its evaluation can end.
        const ends: (Facts | null)[] = [];
        const operands: Expression[] = [];
        for (const operand of node.operands) {
          const before = operands.at(-1);
          if (before !== undefined) this.#suppose(before, node.operator === '&&');
          operands.push(this.expression(operand));
          ends.push(this.known);
        }
        const written = { ...node, operands };
        this.#ends.set(written, this.known);
        this.known = ends.reduce((one, other) => this.#meet(one, other));
        return written;
      }
      case 'sequence':
        return { ...node, statements: this.statements(node.statements), value: this.expression(node.value) };
      case 'built-text':
      case 'built-length':
        return this.evaluated(withOperands(node, this.#all(operandsOf(node))));
    }
  }

  /** The condition has been evaluated, and has this outcome: where `a && b` holds, all of it was evaluated. */
  #suppose(condition: Expression, outcome: boolean): void {
    let [decided, holds] = [condition, outcome];
    while (decided.kind === 'operate' && decided.operator === '!(boolean)')
      [decided, holds] = [decided.operands[0]!, !holds];
    if (decided.kind === 'logical' && (decided.operator === '&&') === holds && this.#ends.has(decided))
      this.known = this.#ends.get(decided)!;
    this.assume(condition, outcome);
  }

  #meet(one: Facts | null, other: Facts | null): Facts | null {
    if (one === null || other === null) return one ?? other;
    return this.both(one, other);
  }
}
